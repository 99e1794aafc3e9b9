/** Reports that waited for something which has come. */
import type { ErrorCode } from '../../../protocol/errors.ts';
import { database } from '../database.ts';
import { processAll } from './process.ts';
import { transition } from './transition.ts';
import { newReport, type PaymentRecord } from './record.ts';

/**
 * They are due now.
 * @param waitedFor only those whose last try failed with this code; otherwise all: an account has come
 */
export async function reviveReports(waitedFor?: ErrorCode): Promise<void> {
  const waits = ({ report }: PaymentRecord) =>
    report.state === 'waiting' && (waitedFor === undefined || report.problem === waitedFor);
  try {
    const left = await (await database()).getAllFromIndex('payments', 'state', 'broadcast');
    for (const { id } of left.filter(waits))
      await transition(id, 'broadcast', (now) => (waits(now) ? { report: newReport('waiting') } : {}));
  } finally {
    void processAll();
  }
}
