/** A platform of Node with the clock, the timers, the network and the database that a test has set. */
import * as Idb from 'idb';
import type { Browser } from 'webextension-polyfill';
import type { Platform } from '../../wallet/platform.ts';

/** Opens and deletes databases: at first IndexedDB, where there is one. */
export type Opener = Pick<typeof Idb, 'openDB' | 'deleteDB'>;

let opener: Opener = Idb;

/** Lets wallets open other databases from here on. */
export function useOpener(next: Opener): void {
  opener = next;
}

/**
 * Everything ambient is looked up when it is used, so that a test may replace it at any time.
 * @param browser the parts of a browser that the test uses, such as {@link TestBrowser.api}
 */
export function testPlatform(browser: object = {}, serviceUrl = 'https://service.example'): Platform {
  const { alarms, windows, tabs, notifications, action, runtime, scripting, management, idle, storage } =
    browser as Browser;
  return {
    serviceUrl,
    openDatabase: (...request) => opener.openDB(...request),
    deleteDatabase: (...request) => opener.deleteDB(...request),
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimeout: (run, ms) => setTimeout(() => run(undefined), ms),
    clearTimeout: (timer) => clearTimeout(timer),
    fetch: (...request) => fetch(...request),
    timeoutSignal: (ms) => AbortSignal.timeout(ms),
    getRandomValues: (array) => crypto.getRandomValues(array),
    randomUUID: () => crypto.randomUUID(),
    random: () => Math.random(),
    // Windows don't receive the announcements of tests.
    openChannel: () => ({ postMessage: () => undefined }),
    languages: () => globalThis.navigator?.languages ?? [],
    storageManager: globalThis.navigator?.storage,
    sessionStorage: storage?.session,
    localStorage: storage?.local,
    ...{ alarms, windows, tabs, notifications, action, runtime, scripting, management, idle },
  };
}
