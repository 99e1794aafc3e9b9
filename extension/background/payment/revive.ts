/** What a new account changes for payments made before it. */
import { database } from '../database.ts';
import { processAll } from './process.ts';
import { transition } from './transition.ts';
import { newReport } from './record.ts';

/** Payments that waited for an account are due now. */
export async function reviveReports(): Promise<void> {
  for (const { id } of await (await database()).getAllFromIndex('payments', 'state', 'broadcast')) {
    await transition(id, 'broadcast', ({ report }) => ({ report: newReport(report.state) }));
  }
  void processAll();
}
