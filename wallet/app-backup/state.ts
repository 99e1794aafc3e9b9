/** The record of the log's progress, and the transactions that change it together with entries. */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { newState, type AppLogState } from '../app-log/state.ts';
import { database, forgetKept, readKey } from '../store/database.ts';
import type { Database } from '../store/schema.ts';
import type { Wallet } from '../platform.ts';

export async function readState(wallet: Wallet): Promise<AppLogState> {
  return (await readKey(wallet, 'appLog')) ?? newState(null, '');
}

export const newWriter = (wallet: Wallet): string => toHex(wallet.getRandomValues(new Uint8Array(8)));

function begin(wallet: Wallet, db: Database) {
  const tx = db.transaction(['keyval', 'appLog'], 'readwrite');
  forgetKept(wallet, tx.done);
  return tx;
}
/** A transaction over the record and the entries. */
export type KeyTransaction = ReturnType<typeof begin>;

/**
 * Changes the record, and entries with it, in one transaction. `change` awaits nothing but the database.
 * @param change returns the new record; undefined leaves it as it is
 */
export async function changeState(
  wallet: Wallet,
  change: (state: AppLogState, tx: KeyTransaction) => AppLogState | undefined | Promise<AppLogState | undefined>,
): Promise<AppLogState> {
  const tx = begin(wallet, await database(wallet));
  tx.done.catch(() => undefined); // awaited below
  const keys = tx.objectStore('keyval');
  const before = ((await keys.get('appLog')) as AppLogState | undefined) ?? newState(null, newWriter(wallet));
  const after = await change(before, tx);
  if (after) await keys.put(after, 'appLog');
  await tx.done;
  return after ?? before;
}

/** Marks every entry to be sent again within the transaction, or only those with some keys. */
export async function sendAll(tx: KeyTransaction, keys?: ReadonlySet<string>): Promise<void> {
  for (let cursor = await tx.objectStore('appLog').openCursor(); cursor; cursor = await cursor.continue()) {
    const { unsent, ...rest } = cursor.value;
    const isSent = !keys || keys.has(rest.key);
    if (isSent !== (unsent === 1)) await cursor.update(isSent ? { ...rest, unsent: 1 } : rest);
  }
}
