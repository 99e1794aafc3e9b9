/** Retries reports that waited for an account or a key. */
import type { ErrorCode } from '../../../protocol/errors/service-error.ts';
import { processAll } from './runner.ts';
import { transition } from '../store.ts';
import { unfinishedPayments } from '../unfinished.ts';
import type { PaymentRecord } from '../record.ts';
import { newReport } from '../start.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Makes waiting reports due immediately.
 * @param waitedFor error code of the reports' last attempt; by default all reports, because an account now exists
 */
export async function reviveReports(wallet: Wallet, waitedFor?: ErrorCode): Promise<void> {
  const waits = ({ report }: PaymentRecord) =>
    report.state === 'waiting' && (waitedFor === undefined || report.problem === waitedFor);
  try {
    for (const { record } of await unfinishedPayments(wallet))
      if (waits(record))
        await transition(wallet, record.id, 'broadcast', (now) => (waits(now) ? { report: newReport('waiting') } : {}));
  } finally {
    void processAll(wallet);
  }
}
