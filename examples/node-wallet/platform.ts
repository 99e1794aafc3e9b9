/** The wallet's platform in Node: real HTTP, clock and timers, with an in-memory database and browser. */
import type { Platform } from '../../wallet/platform.ts';
import { MemoryDatabases } from '../../testkit/database/database.ts';
import { nodeTurns } from '../../testkit/database/node-turns.ts';
import { TestBrowser } from '../../testkit/wallet/browser.ts';
import { testPlatform } from '../../testkit/wallet/platform.ts';
import { ITERATIONS } from '../../wallet/vault/seal.ts';

/** Node's maximum timer delay (milliseconds). */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Creates the platform of one wallet, whose data is lost when the process ends. There is no user interface: tabs,
 * notifications and the badge are only recorded, and the computer is never reported as idle, so the wallet isn't
 * locked.
 * @param serviceUrl base URL of the wallet's service
 * @param showWindow receives the URL of each approval window, which isn't shown. The URL's `id` parameter is the
 * `approvalId` that the wallet's methods require
 */
export function nodePlatform(serviceUrl: string, showWindow: (url: URL) => void): Platform {
  const { openDB, deleteDB, keyRange } = new MemoryDatabases(nodeTurns);
  const database = { openDatabase: openDB, deleteDatabase: deleteDB, keyRange };
  return { ...testPlatform(browserOf(showWindow), serviceUrl), ...database, passwordIterations: ITERATIONS };
}

/** Creates an in-memory browser with working alarms. */
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
    timer = setTimeout(soundDue, Math.min(next - Date.now(), MAX_TIMER_MS));
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
