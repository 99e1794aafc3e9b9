/** Transactions that applications have made or brought in, with their labels. */
import { recordEntry } from '../app-log/record.ts';
import type { WriteTransaction } from '../database.ts';
import type { AppAction } from './app-action.ts';
import { countBrought } from './brought.ts';
import { actionBytes, countKept } from './room.ts';

/** Notes one, as a part of more. */
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
  } as AppAction; // the store gives the id
  await tx.objectStore('appActions').add(action);
  await countKept(tx, action.origin, actionBytes(action));
  await logAction(tx, action);
  await countBrought(tx, action);
}

/** The one of a payment. */
export function actionOf(tx: WriteTransaction, paymentId: string): Promise<AppAction | undefined> {
  return tx.objectStore('appActions').index('paymentId').get(paymentId);
}

/** It has been signed, as a part of more. */
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

/** It comes to nothing before it was signed, as a part of more: nothing of it is left. */
export async function dropAction(tx: WriteTransaction, paymentId: string): Promise<void> {
  const action = await actionOf(tx, paymentId);
  if (!action) return;
  await tx.objectStore('appActions').delete(action.id);
  await countKept(tx, action.origin, -actionBytes(action));
}

async function logAction(
  tx: WriteTransaction,
  { txid, origin, description, labels, outputs, at, incoming }: AppAction,
): Promise<void> {
  if (txid === null) return;
  await recordEntry(tx, {
    ...{ kind: 'action', txid, origin, description, labels, outputs, at },
    ...(incoming && { incoming: { ...incoming, satoshis: incoming.satoshis.toString() } }),
  });
}
