import type { WriteTransaction } from '../store/database.ts';
import { logAction } from './actions.ts';
import type { AppOutput } from './app-output.ts';
import { dropOutput, storeOutput } from './outputs.ts';
import type { Wallet } from '../platform.ts';

export function outputsOf(wallet: Wallet, tx: WriteTransaction, txid: string): Promise<AppOutput[]> {
  return tx
    .objectStore('appOutputs')
    .index('outpoint')
    .getAll(wallet.keyRange.bound(`${txid}:`, `${txid};`));
}

/** Moves a transaction's outputs and actions to its new ID, within a database transaction. */
export async function renameOutputs(wallet: Wallet, tx: WriteTransaction, from: string, to: string): Promise<void> {
  for (const output of await outputsOf(wallet, tx, from)) {
    const { id: _, spentBy: __, overSince: ___, listing: ____, tagListing: _____, twin: ______, ...kept } = output;
    await dropOutput(wallet, tx, output);
    const status = kept.madeBy === null ? 'available' : 'pending';
    await storeOutput(wallet, tx, { ...kept, outpoint: to + kept.outpoint.slice(from.length), status });
  }
  const actions = tx.objectStore('appActions');
  for (const action of await actions.index('txid').getAll(from)) {
    await actions.put({ ...action, txid: to });
    await logAction(wallet, tx, { ...action, txid: to });
  }
}
