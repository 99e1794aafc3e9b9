/** Schedules checks of failed payments, which could still be mined. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { payments } from '../database/schema.ts';

/** Interval between checks of a failed payment (ms). */
export const FAILED_DELAY_MS = 6 * 3600_000;

/** Schedules a check of a failed payment that the network has again, unless one is already scheduled. */
export async function checkAgain(db: Database, id: string, now: Date): Promise<void> {
  const { id: paymentId, status, nextCheckAt } = payments;
  await db
    .update(payments)
    .set({ nextCheckAt: new Date(now.getTime() + FAILED_DELAY_MS) })
    .where(and(eq(paymentId, id), eq(status, 'FAILED'), isNull(nextCheckAt)));
}
