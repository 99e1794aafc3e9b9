/** Checks a payment's token amount, based on its scripts and the service's verdict. Pure. */
import { isAssetName } from '../../protocol/assets/asset-name.ts';
import { readTokenDecimal } from '../../protocol/assets/bsv21/amount.ts';
import { readInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { readToken, readTokenId } from '../../protocol/assets/bsv21/token.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import type { TokenValidity } from '../../protocol/payments/payment-types.ts';
import type { Payment, PaymentOutput } from './payment.ts';
import { VerificationError } from './verification-error.ts';

export interface KnownAsset {
  tokenId: string;
  decimals: number;
}

export type Assets = Readonly<Record<string, KnownAsset>>;

interface Wanted {
  amount: string;
  currency: string;
  decimals?: number;
}

/** True if `currency` identifies an asset by its token ID, paymail, alias or ID. Currency codes are uppercase. */
export const isAsset = ({ currency }: Pick<Wanted, 'currency'>): boolean => isAssetName(currency);

/** Returns the expected token, and its amount in the token's smallest unit. @throws VerificationError `unsupported` */
export function expectedToken(outputs: readonly Wanted[], assets: Assets): { id: string; units: bigint } {
  const [first] = outputs as readonly [Wanted];
  const known = knownAsset(first, assets);
  const units = outputs.map(({ amount }) => readTokenDecimal(amount, known.decimals));
  if (units.includes(null))
    throw new VerificationError(
      'unsupported',
      'An expected amount must be positive, with no more decimals than the token.',
    );
  return { id: known.tokenId, units: (units as bigint[]).reduce((sum, one) => sum + one) };
}

/** Returns an expected output's asset, from `assets` or `decimals`. @throws VerificationError `unsupported` */
function knownAsset({ currency, decimals }: Wanted, assets: Assets): KnownAsset {
  if (Object.hasOwn(assets, currency)) return assets[currency] as KnownAsset;
  if (readTokenId(currency) && decimals !== undefined) return { tokenId: currency, decimals };
  throw new VerificationError(
    'unsupported',
    `The service has no asset ${currency}: expect a token by its ID, with its decimals.`,
  );
}

/** True if the asset's token must be requested from the service. */
export const needsServiceLookup = ({ currency, decimals }: Pick<Wanted, 'currency' | 'decimals'>): boolean =>
  isAsset({ currency }) && !(readTokenId(currency) && decimals !== undefined);

/** Returns an output's token units if they belong to the owner of the lock (hex), otherwise 0. */
export function unitsFor(script: string, satoshis: bigint, id: string, lock: string): bigint {
  return lockIn(script) === lock ? unitsIn(script, satoshis, id) : 0n;
}

/** Returns the token units that an output claims. */
export function unitsIn(script: string, satoshis: bigint, id: string): bigint {
  const token = satoshis === 1n ? readToken(fromHex(script)) : null;
  return token?.op === 'transfer' && token.id === id ? token.amt : 0n;
}

function lockIn(script: string): string | null {
  const inscription = readInscription(fromHex(script));
  return inscription && toHex(inscription.lock);
}

/**
 * Checks the service's verdict on the token, because scripts can claim anything.
 * @param accept true to accept tokens without a verdict
 * @throws VerificationError `mismatch` (invalid token), `unverified`
 */
export function checkValidity({ outputs }: Payment, id: string, accept: boolean): void {
  const of = outputs.filter(({ token }) => token?.id === id).map(({ token }: PaymentOutput) => token?.validity);
  const states: readonly (TokenValidity | undefined)[] = of.length > 0 ? of : [undefined];
  if (states.includes('invalid'))
    throw new VerificationError('mismatch', 'The sender did not have this much of the token: nothing was paid.');
  if (accept || states.every((state) => state === 'valid')) return;
  throw new VerificationError(
    'unverified',
    states.includes('unknown')
      ? 'The service can’t determine whether the sender had the token.'
      : 'The service hasn’t determined yet whether the sender had the token. Try again, or wait for payment.checked.',
  );
}
