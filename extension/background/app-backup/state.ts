/** The record of the log's progress, and the transactions that change it together with entries. */
import { toHex } from '../../../protocol/bytes.ts';
import { newState, type AppLogState } from '../app-log/state.ts';
import { database, forgetKept, readKey, type Database } from '../database.ts';

export async function readState(): Promise<AppLogState> {
  return (await readKey('appLog')) ?? newState(null, '');
}

export const newWriter = (): string => toHex(crypto.getRandomValues(new Uint8Array(8)));

function begin(db: Database) {
  const tx = db.transaction(['keyval', 'appLog'], 'readwrite');
  forgetKept(tx.done);
  return tx;
}
/** A transaction over the record and the entries. */
export type KeyTransaction = ReturnType<typeof begin>;

/**
 * Changes the record, and entries with it, in one transaction. `change` awaits nothing but the database.
 * @param change returns the new record; undefined leaves it as it is
 */
export async function changeState(
  change: (state: AppLogState, tx: KeyTransaction) => AppLogState | undefined | Promise<AppLogState | undefined>,
): Promise<AppLogState> {
  const tx = begin(await database());
  tx.done.catch(() => undefined); // awaited below
  const keys = tx.objectStore('keyval');
  const before = ((await keys.get('appLog')) as AppLogState | undefined) ?? newState(null, newWriter());
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
