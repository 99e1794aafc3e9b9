/** Reads payments with remaining work that doesn't need the user. */
import { inTransaction, readTransaction, database } from '../store/database.ts';
import { accountAt } from '../settings.ts';
import type { PaymentRecord } from './record.ts';
import { dueAt, unfinishedOf } from './move.ts';
import { getPayment, paymentsUnfinished, putPayment } from './store.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of records from earlier versions reindexed at a time. */
const MAX_STALE_RECORDS = 500;

/** A payment and the time of its next step (milliseconds since 1970), or infinity if that step has no due time. */
interface UnfinishedPayment {
  record: PaymentRecord;
  at: number;
}

/**
 * Returns all unfinished payments. Without an account, omits payments for which only the report remains, because there
 * may be many.
 */
export async function unfinishedPayments(wallet: Wallet): Promise<UnfinishedPayment[]> {
  const account = await accountAt(wallet);
  const records = await paymentsUnfinished(readTransaction(await database(wallet)), account !== null);
  return records.map((record) => ({ record, at: dueAt(record, account) }));
}

/** Reindexes payments for which only the report remains. Earlier versions did not distinguish them. */
export async function reindexUnfinished(wallet: Wallet, unfinished: readonly UnfinishedPayment[]): Promise<void> {
  const stale = unfinished
    .filter(({ record }) => record.unfinished !== unfinishedOf(record))
    .slice(0, MAX_STALE_RECORDS);
  if (stale.length === 0) return;
  await inTransaction(wallet, async (tx) => {
    for (const { record } of stale) {
      const now = await getPayment(tx, record.id);
      if (now) await putPayment(wallet, tx, now);
    }
  });
}
