import { isAssetName } from '../../protocol/assets/asset-name.ts';
import { readInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { readToken } from '../../protocol/assets/bsv21/token.ts';
import { TOKEN_SATOSHIS } from '../../protocol/assets/bsv21/validity.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import type { OutputScript, ReportedOutput } from '../../protocol/payments/payment-types.ts';

/** The token stored with an output. */
export interface PaidToken {
  tokenId: string | null;
  assetId: string | null;
}

/**
 * Returns the token claimed by the script of an output that pays an asset, or null. Only the token's history can prove
 * that the transaction's inputs contained these units.
 */
export function tokenIn({
  currency,
  scripts: [one, second],
}: Pick<ReportedOutput, 'currency' | 'scripts'>): { id: string; units: string } | null {
  if (!isAssetName(currency) || !one || second || BigInt(one.satoshis) !== TOKEN_SATOSHIS) return null;
  const token = readToken(fromHex(one.script));
  return token?.op === 'transfer' ? { id: token.id, units: token.amt.toString() } : null;
}

/**
 * Returns an output's unit. Uses the payer's name for a token only if this service has the token under that name, and
 * otherwise uses the token ID.
 */
export function paidUnit(currency: string, { tokenId, assetId }: PaidToken): string {
  return isAssetName(currency) && assetId === null && tokenId !== null ? tokenId : currency;
}

/** Returns an output's locking script (hex) without the inscription that a one-satoshi output can carry. */
export function lockOf({ script, satoshis }: OutputScript): string {
  const carried = BigInt(satoshis) === TOKEN_SATOSHIS ? readInscription(fromHex(script)) : null;
  return carried ? toHex(carried.lock) : script;
}
