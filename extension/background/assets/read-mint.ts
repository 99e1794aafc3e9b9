/** What a token's mint says, read in its transaction. Pure. */
import { readTokenOperation } from '../../../protocol/bsv21/token.ts';
import type { Transaction } from '../../../protocol/transaction.ts';
import type { Mint } from './asset-record.ts';

/** What an output mints; null where it mints nothing that a wallet can read for itself. */
export function mintAt(transaction: Transaction, txid: string, vout: number): Mint | null {
  const output = transaction.outputs[vout];
  const read = output && readTokenOperation(output.lockingScript);
  if (read?.op !== 'deploy+mint') return null;
  const { sym, dec, amt, icon } = read;
  const picture = icon?.startsWith('_') ? `${txid}${icon}` : (icon ?? null);
  return { symbol: sym ?? null, decimals: dec, supply: amt, icon: picture, word: 'chain' };
}
