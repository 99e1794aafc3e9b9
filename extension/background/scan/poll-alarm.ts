/**
 * When to look for coins without being asked: an alarm, which comes often while a restored wallet's coins are being
 * found.
 */
import browser from 'webextension-polyfill';
import { CLOCK_SLACK_MS } from '../clock.ts';
import { isScanUnfinished } from './store.ts';

/** Name of the alarm. */
export const POLL_ALARM = 'receive';
const RECEIVE_MINUTES = 10;
/**
 * What is left to look at outlives no worker, and with all windows closed nothing else would wake one: the shortest
 * that browsers keep.
 */
const SEARCH_MINUTES = 0.5;

/** Sees to it that there is one, and the right one: browsers lose alarms at times. */
export async function setPollAlarm(): Promise<void> {
  const periodInMinutes = (await isScanUnfinished()) ? SEARCH_MINUTES : RECEIVE_MINUTES;
  const alarm = await browser.alarms.get(POLL_ALARM);
  // Set before the clock was put back, it would come when that time comes again.
  const isLate = alarm !== undefined && alarm.scheduledTime > Date.now() + periodInMinutes * 60_000 + CLOCK_SLACK_MS;
  if (alarm?.periodInMinutes !== periodInMinutes || isLate)
    await browser.alarms.create(POLL_ALARM, { periodInMinutes });
}
