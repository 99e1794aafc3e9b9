/** Reports that wait for the wallet's own service, longer and longer while it does not answer: what one finds out holds for all. */
import { database } from '../database.ts';
import type { PaymentRecord } from './record.ts';
import { MINUTE_MS } from './retry.ts';
import { scheduleWork } from './schedule.ts';
import { transition } from './transition.ts';

/** Has it taken a report since it last did not answer? Not that this run of the worker knows. */
let isAnswering = false;
/** When others were last made due for that (milliseconds since 1970). */
let lastAt = 0;

const isWaiting = ({ report }: PaymentRecord) =>
  report.state === 'waiting' && report.problem === 'service-unavailable' && report.nextAt > Date.now();

/** It did not answer. */
export function serviceFailed(): void {
  isAnswering = false;
}

/** It took a report: those that wait for it are due now. No more than once a minute, for it may take some and fail others. */
export async function serviceAnswered(): Promise<void> {
  const now = Date.now();
  if (isAnswering || Math.abs(now - lastAt) < MINUTE_MS) return;
  isAnswering = true;
  lastAt = now;
  const left = await (await database()).getAllFromIndex('payments', 'state', 'broadcast');
  for (const { id } of left.filter(isWaiting))
    await transition(id, 'broadcast', (now) => (isWaiting(now) ? { report: { ...now.report, nextAt: 0 } } : {}));
  await scheduleWork();
}
