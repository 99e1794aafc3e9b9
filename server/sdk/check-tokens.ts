/** Does a payment give what was expected of a token? By the scripts of its transaction, and by what its service found out. Pure. */
import { isAssetName } from '../../protocol/asset-name.ts';
import { readTokenDecimal } from '../../protocol/bsv21/amount.ts';
import { readInscription } from '../../protocol/bsv21/inscription.ts';
import { readToken, readTokenId } from '../../protocol/bsv21/token.ts';
import { fromHex, toHex } from '../../protocol/bytes.ts';
import type { TokenValidity } from '../../protocol/payment-types.ts';
import type { Payment, PaymentOutput } from './payment.ts';
import { VerificationError } from './verification-error.ts';

/** Which token an asset is, and with how many decimals people write it. */
export interface KnownAsset {
  tokenId: string;
  decimals: number;
}

/** Assets by the name that the expectation gives them. */
export type Assets = Readonly<Record<string, KnownAsset>>;

/** An expected output, as far as it matters here. */
interface Wanted {
  amount: string;
  currency: string;
  decimals?: number;
}

/** Is an asset expected, by its token's ID, its paymail, its alias or its ID? Codes of currencies are in capital letters. */
export const isAsset = ({ currency }: Pick<Wanted, 'currency'>): boolean => isAssetName(currency);

/** Which token is expected, and how many of its smallest units. @throws VerificationError `unsupported` */
export function wantedOf(outputs: readonly Wanted[], assets: Assets): { id: string; units: bigint } {
  const [first] = outputs as readonly [Wanted];
  const known = knownAsset(first, assets);
  const units = outputs.map(({ amount }) => readTokenDecimal(amount, known.decimals));
  if (units.includes(null))
    throw new VerificationError(
      'unsupported',
      'An expected amount is none of this token: it is not positive, or too precise.',
    );
  return { id: known.tokenId, units: (units as bigint[]).reduce((sum, one) => sum + one) };
}

/** The asset of an expected output, where that needs no question. @throws VerificationError `unsupported` */
function knownAsset({ currency, decimals }: Wanted, assets: Assets): KnownAsset {
  if (Object.hasOwn(assets, currency)) return assets[currency] as KnownAsset;
  if (readTokenId(currency) && decimals !== undefined) return { tokenId: currency, decimals };
  throw new VerificationError(
    'unsupported',
    `The service has no asset ${currency}: expect a token by its ID, with its decimals.`,
  );
}

/** Is the service to be asked which token that is? */
export const isToBeAsked = ({ currency, decimals }: Pick<Wanted, 'currency' | 'decimals'>): boolean =>
  isAsset({ currency }) && !(readTokenId(currency) && decimals !== undefined);

/** What an output holds of a token for who has the lock (hex); 0 for any other. */
export function unitsFor(script: string, satoshis: bigint, id: string, lock: string): bigint {
  return lockIn(script) === lock ? unitsIn(script, satoshis, id) : 0n;
}

/** What an output says that it holds of a token. */
export function unitsIn(script: string, satoshis: bigint, id: string): bigint {
  const token = satoshis === 1n ? readToken(fromHex(script)) : null;
  return token?.op === 'transfer' && token.id === id ? token.amt : 0n;
}

function lockIn(script: string): string | null {
  const inscription = readInscription(fromHex(script));
  return inscription && toHex(inscription.lock);
}

/**
 * Checks what the service says of the token: a script alone can say anything.
 * @param accept take it also where the service has not found out, or cannot
 * @throws VerificationError `mismatch` (worth nothing), `unverified`
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
      ? 'The service cannot find out whether the sender had the token.'
      : 'The service has not found out yet whether the sender had the token: try again, or wait for payment.checked.',
  );
}
