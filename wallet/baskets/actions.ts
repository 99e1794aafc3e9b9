/** Transactions created or internalized by applications, with their labels. */
import { recordEntry } from '../app-log/record.ts';
import type { Reading, WriteTransaction } from '../store/database.ts';
import type { AppAction } from './app-action.ts';
import { countInternalized } from './brought.ts';
import { actionBytes, addSiteBytes } from './site-quota.ts';
import type { Wallet } from '../platform.ts';

/** Stores an action and logs it. */
export async function noteAction(
  wallet: Wallet,
  tx: WriteTransaction,
  given: Omit<AppAction, 'id' | 'labelKeys' | 'at'>,
): Promise<void> {
  const labels = [...new Set(given.labels)];
  const action: Omit<AppAction, 'id'> = {
    ...given,
    labels,
    at: wallet.now(),
    labelKeys: labels.map((label): [string, string] => [given.origin, label]),
  };
  await addAction(wallet, tx, action);
  await logAction(wallet, tx, action);
}

/** Returns a payment's action. */
export function actionOf(tx: Reading, paymentId: string): Promise<AppAction | undefined> {
  return tx.objectStore('appActions').index('paymentId').get(paymentId);
}

/** Returns all entries for a transaction, one per site that lists it. */
export function actionsByTxid(tx: Reading, txid: string): Promise<AppAction[]> {
  return tx.objectStore('appActions').index('txid').getAll(txid);
}

export function countActionsOf(tx: Reading, txid: string): Promise<number> {
  return tx.objectStore('appActions').index('txid').count(txid);
}

/** Adds an action to its site's list, and its size to the site's total. Doesn't log it. */
export async function addAction(wallet: Wallet, tx: WriteTransaction, given: Omit<AppAction, 'id'>): Promise<void> {
  const action = given as AppAction; // the store assigns the id
  await tx.objectStore('appActions').add(action);
  await addSiteBytes(wallet, tx, action.origin, actionBytes(action));
  await countInternalized(wallet, tx, action);
}

/** Stores a signed action's txid and outputs. */
export async function actionSigned(
  wallet: Wallet,
  tx: WriteTransaction,
  paymentId: string,
  signed: Pick<AppAction, 'txid' | 'outputs'>,
): Promise<void> {
  const action = await actionOf(tx, paymentId);
  if (!action) return;
  await tx.objectStore('appActions').put({ ...action, ...signed });
  await addSiteBytes(wallet, tx, action.origin, actionBytes({ ...action, ...signed }) - actionBytes(action));
  await logAction(wallet, tx, { ...action, ...signed });
}

/** Deletes an action that ended unsigned. */
export async function dropAction(wallet: Wallet, tx: WriteTransaction, paymentId: string): Promise<void> {
  const action = await actionOf(tx, paymentId);
  if (!action) return;
  await tx.objectStore('appActions').delete(action.id);
  await addSiteBytes(wallet, tx, action.origin, -actionBytes(action));
}

/** Adds an action to the log. */
export async function logAction(
  wallet: Wallet,
  tx: WriteTransaction,
  { txid, origin, description, labels, outputs, at, incoming }: Omit<AppAction, 'id'>,
): Promise<void> {
  if (txid === null) return;
  await recordEntry(wallet, tx, {
    ...{ kind: 'action', txid, origin, description, labels, outputs, at },
    ...(incoming && { incoming: { ...incoming, satoshis: incoming.satoshis.toString() } }),
  });
}
