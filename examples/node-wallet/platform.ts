/** The wallet's surroundings in Node: real HTTP, clock and timers. Its database and its browser are in memory. */
import type { Platform } from '../../wallet/platform.ts';
import { MemoryDatabases } from '../../testkit/database/database.ts';
import { KeyRange } from '../../testkit/database/keys.ts';
import { nodeTurns } from '../../testkit/database/node-turns.ts';
import { TestBrowser } from '../../testkit/wallet/browser.ts';
import { testPlatform } from '../../testkit/wallet/platform.ts';

/** Node's maximum for a timer (milliseconds). */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The platform of one wallet, whose data ends with the process. Nothing is ever shown: tabs, notifications and the badge
 * are only recorded, and a computer that is never idle doesn't lock the wallet.
 * @param serviceUrl base URL of its service
 * @param showWindow gets the URL of each approval window instead of a user. Its `id` is the `approvalId` of the wallet's
 * methods
 */
export function nodePlatform(serviceUrl: string, showWindow: (url: URL) => void): Platform {
  const { openDB, deleteDB } = new MemoryDatabases(nodeTurns);
  // The one global of browsers that the wallet uses: it is part of IndexedDB.
  Object.assign(globalThis, { IDBKeyRange: KeyRange });
  const database = { openDatabase: openDB, deleteDatabase: deleteDB };
  return { ...testPlatform(browserOf(showWindow), serviceUrl), ...database };
}

/** A browser in memory whose alarms go off. */
function browserOf(showWindow: (url: URL) => void): object {
  const browser = new TestBrowser();
  let timer: NodeJS.Timeout | undefined;
  const api = browser.api(async (name, call) => {
    const result = call();
    if (name.startsWith('alarms.')) setTimer();
    const window = name === 'windows.create' ? [...browser.windows.values()].at(-1) : undefined;
    if (window) setImmediate(showWindow, new URL(window.url));
    return result;
  });
  function setTimer(): void {
    clearTimeout(timer);
    const next = Math.min(...[...browser.alarms.values()].map(({ scheduledTime }) => scheduledTime));
    timer = setTimeout(soundDue, Math.min(next - Date.now(), LONGEST_TIMER_MS));
  }
  function soundDue(): void {
    const now = Date.now();
    for (const [name, { periodInMinutes, scheduledTime }] of browser.alarms) {
      if (scheduledTime > now) continue;
      if (periodInMinutes === undefined) browser.alarms.delete(name);
      else browser.alarms.set(name, { periodInMinutes, scheduledTime: now + periodInMinutes * 60_000 });
      api.events.onAlarm.tell({ name, scheduledTime });
    }
    setTimer();
  }
  return api;
}
