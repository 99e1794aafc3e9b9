/** The alarm of the search for coins, which is frequent while a restored wallet's coins are being found. */
import { CLOCK_SLACK_MS } from '../clock.ts';
import { isScanUnfinished } from './store.ts';
import type { Wallet } from '../platform.ts';

export const POLL_ALARM = 'receive';
const RECEIVE_MINUTES = 10;
/** A search ends with the worker, and only an alarm wakes one: the shortest period that browsers allow. */
const SEARCH_MINUTES = 0.5;

/** Ensures that the right alarm exists, because browsers sometimes lose alarms. */
export async function setPollAlarm(wallet: Wallet): Promise<void> {
  const periodInMinutes = (await isScanUnfinished(wallet)) ? SEARCH_MINUTES : RECEIVE_MINUTES;
  const alarm = await wallet.alarms.get(POLL_ALARM);
  // One set before the clock was set back would fire only when that time recurs.
  const isLate = alarm !== undefined && alarm.scheduledTime > wallet.now() + periodInMinutes * 60_000 + CLOCK_SLACK_MS;
  if (alarm?.periodInMinutes !== periodInMinutes || isLate) await wallet.alarms.create(POLL_ALARM, { periodInMinutes });
}
