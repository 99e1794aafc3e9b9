/**
 * The context passed to all wallet functions. These functions neither use browser APIs directly nor keep state in
 * modules.
 */
import type { DBSchema, IDBPDatabase, OpenDBCallbacks } from 'idb';
import type { Browser } from 'webextension-polyfill';

export type Timer = ReturnType<typeof setTimeout>;

/** A key-value store for small values. */
export type StorageArea = Pick<Browser['storage']['local'], 'get' | 'set' | 'remove'>;

/**
 * The wallet's environment. In the extension it is the browser (browser-platform.ts); tests and the simulation have
 * their own environments. Its functions don't depend on `this`.
 */
export interface Platform {
  /** Base URL of a new wallet's service. */
  serviceUrl: string;
  /** Opens an IndexedDB database, and upgrades it if necessary. */
  openDatabase: <Schema extends DBSchema>(
    name: string,
    version: number,
    callbacks: OpenDBCallbacks<Schema>,
  ) => Promise<IDBPDatabase<Schema>>;
  deleteDatabase: (name: string, callbacks?: { blocked?: () => void }) => Promise<void>;
  /** Creates key ranges for the database's queries. */
  keyRange: Pick<typeof IDBKeyRange, 'only' | 'bound' | 'lowerBound' | 'upperBound'>;
  /** Milliseconds since 1970. The user may change this clock. */
  now: () => number;
  /** Milliseconds on a monotonic clock. */
  monotonic: () => number;
  setTimeout: (run: (nothing: undefined) => void, ms: number) => Timer;
  clearTimeout: (timer: Timer | undefined) => void;
  fetch: typeof fetch;
  /** Returns a signal that aborts after a time (milliseconds). */
  timeoutSignal: (ms: number) => AbortSignal;
  /** Fills an array with cryptographically secure random values. */
  getRandomValues: Crypto['getRandomValues'];
  randomUUID: Crypto['randomUUID'];
  /** PBKDF2 iterations for new vaults: `ITERATIONS` in vault/seal.ts. Tests use fewer. */
  passwordIterations: number;
  /** Random number from 0 to 1, not cryptographically secure. */
  random: () => number;
  /** Opens a channel to the wallet's windows. */
  openChannel: (name: string) => Pick<BroadcastChannel, 'postMessage'>;
  /** The user's languages, preferred one first. */
  languages: () => readonly string[];
  /** Undefined if the browser can't grant persistent storage. */
  storageManager: (Pick<StorageManager, 'persisted'> & Partial<Pick<StorageManager, 'persist'>>) | undefined;
  sessionStorage: StorageArea;
  localStorage: StorageArea;
  alarms: Browser['alarms'];
  windows: Browser['windows'];
  tabs: Browser['tabs'];
  notifications: Browser['notifications'];
  action: Browser['action'];
  runtime: Browser['runtime'];
  scripting: Browser['scripting'];
  management: Browser['management'];
  idle: Browser['idle'];
}

/** A running wallet, the first parameter of every function that needs its platform or its state. */
export interface Wallet extends Platform {
  /** The state that {@link part} creates, keyed by factory function. */
  readonly parts: Map<unknown, unknown>;
}

/** Creates a wallet on a platform, without starting it (start.ts). */
export const createWallet = (platform: Platform): Wallet => ({ ...platform, parts: new Map() });

/**
 * Defines per-wallet state, such as a cache, a timer or bound functions.
 * @param make creates the state when a wallet first uses it
 * @returns a function that returns a wallet's state
 */
export function part<T>(make: (wallet: Wallet) => T): (wallet: Wallet) => T {
  return (wallet) => {
    if (!wallet.parts.has(make)) wallet.parts.set(make, make(wallet));
    return wallet.parts.get(make) as T;
  };
}
