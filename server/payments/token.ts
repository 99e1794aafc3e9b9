/** What a payment's outputs hold of a token. Pure. */
import { isAssetName } from '../../protocol/asset-name.ts';
import { readInscription } from '../../protocol/bsv21/inscription.ts';
import { readToken } from '../../protocol/bsv21/token.ts';
import { TOKEN_SATOSHIS } from '../../protocol/bsv21/validity.ts';
import { fromHex, toHex } from '../../protocol/bytes.ts';

/** What is stored of the token that a payment pays. */
export interface PaidToken {
  tokenId: string | null;
  assetId: string | null;
}

/** An output as it was reported, or is stored. */
interface PaidOutput {
  currency: string;
  scripts: readonly { script: string; satoshis: string }[];
}

/**
 * The token of an output that pays an asset, by what its script says; null where it says nothing of the kind. Whether the
 * transaction had as much of it to give, only the token's history shows: a script alone can say anything.
 */
export function tokenIn({ currency, scripts: [one, second] }: PaidOutput): { id: string; units: string } | null {
  if (!isAssetName(currency) || !one || second || BigInt(one.satoshis) !== TOKEN_SATOSHIS) return null;
  const token = readToken(fromHex(one.script));
  return token?.op === 'transfer' ? { id: token.id, units: token.amt.toString() } : null;
}

/**
 * What an output is paid in, as far as this service knows: where it does not know that the name is that of the token which
 * the script holds, the name is the payer's word, and the token's ID stands in its place.
 */
export function paidUnit(currency: string, { tokenId, assetId }: PaidToken): string {
  return isAssetName(currency) && assetId === null && tokenId !== null ? tokenId : currency;
}

/** What locks an output of one satoshi that may carry a token or an ordinal, in hex: its script without that. */
export function lockOf({ script, satoshis }: PaidOutput['scripts'][number]): string {
  const carried = BigInt(satoshis) === TOKEN_SATOSHIS ? readInscription(fromHex(script)) : null;
  return carried ? toHex(carried.lock) : script;
}
