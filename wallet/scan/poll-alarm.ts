/**
 * Sets the alarm that starts a search for coins. Searches are more frequent until a restored wallet's coins are found.
 */
import { CLOCK_SLACK_MS } from '../clock.ts';
import { isScanUnfinished } from './scan-progress.ts';
import type { Wallet } from '../platform.ts';

export const POLL_ALARM = 'receive';
const RECEIVE_MINUTES = 10;
/**
 * Alarm period during a restored wallet's search (minutes): the minimum that browsers allow. Only an alarm can wake a
 * stopped worker.
 */
const SEARCH_MINUTES = 0.5;

/** Ensures that the right alarm is set, because browsers sometimes lose alarms. */
export async function setPollAlarm(wallet: Wallet): Promise<void> {
  const periodInMinutes = (await isScanUnfinished(wallet)) ? SEARCH_MINUTES : RECEIVE_MINUTES;
  const alarm = await wallet.alarms.get(POLL_ALARM);
  // If the clock was set back, an alarm set earlier would fire much too late.
  const isLate = alarm !== undefined && alarm.scheduledTime > wallet.now() + periodInMinutes * 60_000 + CLOCK_SLACK_MS;
  if (alarm?.periodInMinutes !== periodInMinutes || isLate) await wallet.alarms.create(POLL_ALARM, { periodInMinutes });
}
