/** A platform for Node. Tests can replace its clock, timers, network and database. */
import * as Idb from 'idb';
import type { Browser } from 'webextension-polyfill';
import type { Platform } from '../../wallet/platform.ts';

/** Opens and deletes databases. The default is IndexedDB if it exists. */
export type Opener = Pick<typeof Idb, 'openDB' | 'deleteDB'> & Pick<Platform, 'keyRange'>;

let opener: Opener = { ...Idb, keyRange: globalThis.IDBKeyRange };

/** Makes wallets open different databases from now on. */
export function useOpener(next: Opener): void {
  opener = next;
}

/**
 * Creates a platform that reads globals at each use, so tests can replace the globals at any time.
 * @param browser the browser APIs that the test uses, such as {@link TestBrowser.api}
 */
export function testPlatform(browser: object = {}, serviceUrl = 'https://service.example'): Platform {
  const { alarms, windows, tabs, notifications, action, runtime, scripting, management, idle, storage } =
    browser as Browser;
  return {
    serviceUrl,
    openDatabase: (...request) => opener.openDB(...request),
    deleteDatabase: (...request) => opener.deleteDB(...request),
    keyRange: {
      only: (...range) => opener.keyRange.only(...range),
      bound: (...range) => opener.keyRange.bound(...range),
      lowerBound: (...range) => opener.keyRange.lowerBound(...range),
      upperBound: (...range) => opener.keyRange.upperBound(...range),
    },
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimeout: (run, ms) => setTimeout(() => run(undefined), ms),
    clearTimeout: (timer) => clearTimeout(timer),
    fetch: (...request) => fetch(...request),
    timeoutSignal: (ms) => AbortSignal.timeout(ms),
    getRandomValues: (array) => crypto.getRandomValues(array),
    randomUUID: () => crypto.randomUUID(),
    random: () => Math.random(),
    passwordIterations: 10,
    // Tests have no windows that receive announcements.
    openChannel: () => ({ postMessage: () => undefined }),
    languages: () => globalThis.navigator?.languages ?? [],
    storageManager: globalThis.navigator?.storage,
    sessionStorage: storage?.session,
    localStorage: storage?.local,
    ...{ alarms, windows, tabs, notifications, action, runtime, scripting, management, idle },
  };
}
