import { readTokenOperation, type TokenMint } from '../../protocol/assets/bsv21/token.ts';
import { TOKEN_SATOSHIS } from '../../protocol/assets/bsv21/validity.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { Mint } from './asset-record.ts';

/** Returns the mint in an output; null if there is none that the wallet can read itself. */
export function mintAt(transaction: Transaction, txid: string, vout: number): Mint | null {
  const output = transaction.outputs[vout];
  const read = output?.satoshis === TOKEN_SATOSHIS ? readTokenOperation(output.lockingScript) : null;
  if (read?.op !== 'deploy+mint') return null;
  return minted(read, txid);
}

/** Converts the metadata of a mint that the wallet has read itself. */
export function minted({ sym, dec, amt, icon }: TokenMint, txid: string): Mint {
  const picture = icon?.startsWith('_') ? `${txid}${icon}` : (icon ?? null);
  return { symbol: sym ?? null, decimals: dec, supply: amt, icon: picture, word: 'chain' };
}
