/** Payments for which something is left to do without the user. */
import { database, inTransaction } from '../database.ts';
import { accountAt } from '../settings.ts';
import { dueAt, unfinishedOf, type PaymentRecord } from './record.ts';
import { putPayment } from './transition.ts';

/** Records of earlier versions that are told apart at once, at most. */
const STALE_MOST = 500;

/** A payment with the time (milliseconds since 1970) of what it has to do next: infinity where it waits for something else. */
interface UnfinishedPayment {
  record: PaymentRecord;
  at: number;
}

/**
 * All of them. In a wallet without an account the report of every payment waits for one: those that wait for nothing else are
 * left out there, however many they are.
 */
export async function unfinishedPayments(): Promise<UnfinishedPayment[]> {
  const account = await accountAt();
  const keys = account === null ? 1 : IDBKeyRange.bound(1, 2);
  const records = await (await database()).getAllFromIndex('payments', 'unfinished', keys);
  return records.map((record) => ({ record, at: dueAt(record, account) }));
}

/** Earlier versions did not tell apart what waits for its report alone. */
export async function tellReportsApart(unfinished: readonly UnfinishedPayment[]): Promise<void> {
  const stale = unfinished.filter(({ record }) => record.unfinished !== unfinishedOf(record)).slice(0, STALE_MOST);
  if (stale.length === 0) return;
  await inTransaction(async (tx) => {
    for (const { record } of stale) {
      const now = await tx.objectStore('payments').get(record.id);
      if (now) await putPayment(tx, now);
    }
  });
}
