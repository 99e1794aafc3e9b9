/** Reports that waited for something which has come. */
import type { ErrorCode } from '../../../protocol/errors.ts';
import { processAll } from './process.ts';
import { transition } from './transition.ts';
import { unfinishedPayments } from './unfinished.ts';
import { newReport, type PaymentRecord } from './record.ts';

/**
 * They are due now.
 * @param waitedFor only those whose last try failed with this code; otherwise all: an account has come
 */
export async function reviveReports(waitedFor?: ErrorCode): Promise<void> {
  const waits = ({ report }: PaymentRecord) =>
    report.state === 'waiting' && (waitedFor === undefined || report.problem === waitedFor);
  try {
    for (const { record } of await unfinishedPayments())
      if (waits(record))
        await transition(record.id, 'broadcast', (now) => (waits(now) ? { report: newReport('waiting') } : {}));
  } finally {
    void processAll();
  }
}
