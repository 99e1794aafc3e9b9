/** What a new account changes for payments made before it. */
import { database } from '../database.ts';
import { driveAll } from './process.ts';
import { step } from './transition.ts';

/** Payments that waited for an account are due now. */
export async function reviveReports(): Promise<void> {
  for (const { id } of await (await database()).getAllFromIndex('payments', 'state', 'broadcast')) {
    await step(id, 'broadcast', () => ({ delivery: { attempts: 0, nextAt: 0, problem: null } }));
  }
  void driveAll();
}
