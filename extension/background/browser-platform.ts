/** The wallet's platform in the browser. */
import { deleteDB, openDB } from 'idb';
import browser from 'webextension-polyfill';
import type { Platform } from '../../wallet/platform.ts';
import { ITERATIONS } from '../../wallet/vault/seal.ts';

declare const __SERVICE_URL__: string;

/** Returns the browser's clock, network, database, windows and other APIs. */
export function browserPlatform(): Platform {
  const { alarms, windows, tabs, notifications, action, runtime, scripting, management, idle, storage } = browser;
  return {
    serviceUrl: __SERVICE_URL__,
    openDatabase: openDB,
    deleteDatabase: deleteDB,
    keyRange: IDBKeyRange,
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimeout: (run, ms) => setTimeout(run, ms, undefined),
    clearTimeout: (timer) => clearTimeout(timer),
    fetch: (...request) => fetch(...request),
    timeoutSignal: (ms) => AbortSignal.timeout(ms),
    getRandomValues: (array) => crypto.getRandomValues(array),
    randomUUID: () => crypto.randomUUID(),
    random: () => Math.random(),
    passwordIterations: ITERATIONS,
    openChannel: (name) => new BroadcastChannel(name),
    languages: () => globalThis.navigator?.languages ?? [],
    storageManager: globalThis.navigator?.storage,
    sessionStorage: storage.session,
    localStorage: storage.local,
    ...{ alarms, windows, tabs, notifications, action, runtime, scripting, management, idle },
  };
}
