/** Reads payments with remaining work that doesn't need the user. */
import { inTransaction, readTransaction, database, type Reading } from '../store/database.ts';
import { accountAt } from '../settings.ts';
import type { PaymentRecord } from './record.ts';
import { dueAt, unfinishedOf } from './remaining-work.ts';
import { getPayment, lightUnfinished, putPayment } from './store.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of records from earlier versions reindexed at a time. */
const MAX_STALE_RECORDS = 500;

/** A payment and the time of its next step (milliseconds since 1970), or infinity if that step has no due time. */
interface UnfinishedPayment {
  record: PaymentRecord;
  at: number;
}

/**
 * Returns all unfinished payments, without large parts (`getLight` in store.ts). Without an account, omits payments for
 * which only the report remains, because there may be many.
 */
export async function unfinishedPayments(wallet: Wallet): Promise<UnfinishedPayment[]> {
  const account = await accountAt(wallet);
  const tx = readTransaction(await database(wallet));
  const records = await Promise.all(
    (await lightUnfinished(wallet, tx, account !== null)).map((record) => timed(tx, record)),
  );
  return records.map((record) => ({ record, at: dueAt(record, account) }));
}

/** Reads a payment again if its light copy, stored by an earlier version, lacks the time when it expires. */
async function timed(tx: Reading, record: PaymentRecord): Promise<PaymentRecord> {
  if (record.state !== 'signable' || record.action?.expiresAt !== undefined) return record;
  return (await getPayment(tx, record.id)) ?? record;
}

/** Reindexes payments for which only the report remains, because earlier versions indexed them like all others. */
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
