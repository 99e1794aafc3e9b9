/**
 * Corrects times that an instance stored while its clock was ahead. Otherwise, the checks and webhooks would wait until
 * the wrong time.
 */
import { eq, getTableName, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database } from '../database/connect.ts';
import { assets, payments, webhookEvents } from '../database/schema.ts';
import { LEASE_MS } from '../webhooks/queue.ts';
import { MAX_RETRIES, retryDelayMs } from '../webhooks/schedule.ts';
import { TIME_LIMIT_MS } from './follow-tokens.ts';
import { FAILED_DELAY_MS } from '../payments/failed-checks.ts';

/** Maximum difference between the clocks of correctly configured instances (ms). */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** Maximum delay after 0, 1, 2, … failed attempts (ms). */
const EVENT_DELAYS_MS = Array.from({ length: MAX_RETRIES + 1 }, (_, failures) =>
  Math.max(LEASE_MS, (failures > 0 && retryDelayMs(failures, 1)) || 0),
);

/**
 * Makes all rows due whose next check or attempt is further ahead than any delay that the service uses.
 * @param maxDelayMs maximum interval between checks of a payment
 * @returns the number of rows
 */
export async function correctStoredTimes(db: Database, now: Date, maxDelayMs: number): Promise<number> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const isLater = (column: PgColumn, ms: number | SQL) =>
    sql`${column} > ${at} + (${ms}::float8 + ${MAX_CLOCK_DIFFERENCE_MS}::float8) * interval '1 ms'`;
  const makeDue = async (column: PgColumn, ms: number, condition?: SQL) => {
    const table = sql.identifier(getTableName(column.table));
    // Skips rows that others have locked, because waiting for several of them could cause a deadlock.
    const result = await db.execute(sql`
      update ${table} set ${sql.identifier(column.name)} = ${at} where id in (
        select id from ${table} where ${isLater(column, ms)} and ${condition ?? sql`true`} for update skip locked)`);
    return (result as unknown as { rowCount: number }).rowCount;
  };
  const { nextAttemptAt, postponedUntil, attempts } = webhookEvents;
  // A postponed event waits for the next attempt of an earlier one, so its own attempts don't matter.
  const eventDelay = sql`case when ${postponedUntil} = ${nextAttemptAt} then ${Math.max(...EVENT_DELAYS_MS)}::float8
    else (array[${sql.raw(EVENT_DELAYS_MS.join(', '))}])[${attempts} + 1] end`;
  return (
    (await makeDue(payments.nextCheckAt, maxDelayMs, eq(payments.status, 'RECEIVED'))) +
    (await makeDue(payments.nextCheckAt, FAILED_DELAY_MS)) +
    (await makeDue(payments.nextTokenCheckAt, TIME_LIMIT_MS + maxDelayMs)) +
    (await makeDue(assets.nextCheckAt, maxDelayMs)) +
    (await makeDue(nextAttemptAt, LEASE_MS, isLater(nextAttemptAt, eventDelay)))
  );
}
