/** Reads the assets that the user has defined on the account's service, and reports their minted tokens to it. */
import { asset as assetResponse, type MintReport } from '../../protocol/assets/assets.ts';
import { MAX_DECIMALS, MAX_SYMBOL, readTokenAmount } from '../../protocol/assets/bsv21/token.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { isShownLine, isVisible } from '../../protocol/text/shown-text.ts';
import { parseJson } from '../chain/http.ts';
import { asAccount, call, serviceError } from './session.ts';
import type { Wallet } from '../platform.ts';

/** The fields of an asset that become part of its mint transaction. */
export interface DescribedAsset {
  /** The asset's name, truncated to the maximum length of a symbol. */
  symbol: string;
  decimals: number;
  /** Supply in smallest units (decimal string). */
  units: string;
  /** The existing token, if any. */
  tokenId: string | null;
}

const pathOf = (assetId: string) => `/api/v2/me/assets/${encodeURIComponent(assetId)}`;

/**
 * Reads one of the user's own assets. Rejects data that isn't valid for a token.
 * @param from the expected service's origin; throws if the wallet has switched services
 * @throws ServiceError the service's own code, `service-unavailable`, `wallet-locked`
 */
export async function fetchAsset(wallet: Wallet, assetId: string, from: string): Promise<DescribedAsset> {
  const answer = await asAccount(
    wallet,
    (serviceUrl, bearer) => call(wallet, serviceUrl, pathOf(assetId), { bearer }),
    from,
  );
  if (answer.status !== 200) throw serviceError(answer);
  const parsed = assetResponse.safeParse(parseJson(answer.text));
  const described = parsed.success && parsed.data.id === assetId ? mintable(parsed.data) : null;
  if (!described) throw new ServiceError('service-unavailable', { detail: 'the asset can’t be minted' });
  return described;
}

function mintable({
  name,
  decimals,
  initialSupply,
  tokenId,
}: Record<'name' | 'initialSupply', string> & { decimals: number; tokenId: string | null }): DescribedAsset | null {
  const symbol = [...name.trim()].slice(0, MAX_SYMBOL).join('').trim();
  const units = readTokenAmount(initialSupply);
  const isFit = isShownLine(symbol) && isVisible(symbol) && Number.isInteger(decimals);
  if (!isFit || decimals < 0 || decimals > MAX_DECIMALS || units === null) return null;
  return { symbol, decimals, units: units.toString(), tokenId };
}

/**
 * Reports to the service the token that was minted for an asset. Idempotent.
 * @param to origin of the service that has the asset; throws if the wallet has switched services
 * @throws ServiceError the service's own code, `service-unavailable`, `wallet-locked`
 */
export async function reportMint(wallet: Wallet, assetId: string, report: MintReport, to: string): Promise<void> {
  const answer = await asAccount(
    wallet,
    (serviceUrl, bearer) => call(wallet, serviceUrl, `${pathOf(assetId)}/mint`, { json: report, bearer }),
    to,
  );
  const parsed = assetResponse.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !parsed.success || parsed.data.id !== assetId) throw serviceError(answer);
}
