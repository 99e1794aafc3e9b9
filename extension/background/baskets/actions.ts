/** Transactions that applications have made or internalized, with their labels. */
import { recordEntry } from '../app-log/record.ts';
import type { WriteTransaction } from '../database.ts';
import type { AppAction } from './app-action.ts';
import { countBrought } from './brought.ts';
import { actionBytes, countKept } from './room.ts';

/** Records an action, within a larger transaction. */
export async function noteAction(
  tx: WriteTransaction,
  given: Omit<AppAction, 'id' | 'labelKeys' | 'at'>,
): Promise<void> {
  const labels = [...new Set(given.labels)];
  const action = {
    ...given,
    labels,
    at: Date.now(),
    labelKeys: labels.map((label): [string, string] => [given.origin, label]),
  } as AppAction; // the store assigns the id
  await tx.objectStore('appActions').add(action);
  await countKept(tx, action.origin, actionBytes(action));
  await logAction(tx, action);
  await countBrought(tx, action);
}

/** The action of a payment. */
export function actionOf(tx: WriteTransaction, paymentId: string): Promise<AppAction | undefined> {
  return tx.objectStore('appActions').index('paymentId').get(paymentId);
}

/** Records that it has been signed, within a larger transaction. */
export async function actionSigned(
  tx: WriteTransaction,
  paymentId: string,
  signed: Pick<AppAction, 'txid' | 'outputs'>,
): Promise<void> {
  const action = await actionOf(tx, paymentId);
  if (!action) return;
  await tx.objectStore('appActions').put({ ...action, ...signed });
  await countKept(tx, action.origin, actionBytes({ ...action, ...signed }) - actionBytes(action));
  await logAction(tx, { ...action, ...signed });
}

/** Removes an action that ends before it was signed, within a larger transaction. */
export async function dropAction(tx: WriteTransaction, paymentId: string): Promise<void> {
  const action = await actionOf(tx, paymentId);
  if (!action) return;
  await tx.objectStore('appActions').delete(action.id);
  await countKept(tx, action.origin, -actionBytes(action));
}

/** Records an action in the log, within a larger transaction. */
export async function logAction(
  tx: WriteTransaction,
  { txid, origin, description, labels, outputs, at, incoming }: AppAction,
): Promise<void> {
  if (txid === null) return;
  await recordEntry(tx, {
    ...{ kind: 'action', txid, origin, description, labels, outputs, at },
    ...(incoming && { incoming: { ...incoming, satoshis: incoming.satoshis.toString() } }),
  });
}
