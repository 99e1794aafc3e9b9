/** The context of the wallet's functions, which neither use a browser's API directly nor keep state in modules. */
import type { DBSchema, IDBPDatabase, OpenDBCallbacks } from 'idb';
import type { Browser } from 'webextension-polyfill';

/** A timer that {@link Platform.setTimeout} has set. */
export type Timer = ReturnType<typeof setTimeout>;

/** An area of storage for small values, by key. */
export type StorageArea = Pick<Browser['storage']['local'], 'get' | 'set' | 'remove'>;

/**
 * The wallet's environment: in the extension that of a browser (browser-platform.ts). Tests and the simulation have
 * their own. Members can be called without their object.
 */
export interface Platform {
  /** Base URL of the service that a new wallet uses. */
  serviceUrl: string;
  /** Opens an IndexedDB database and upgrades it. */
  openDatabase: <Schema extends DBSchema>(
    name: string,
    version: number,
    callbacks: OpenDBCallbacks<Schema>,
  ) => Promise<IDBPDatabase<Schema>>;
  deleteDatabase: (name: string, callbacks?: { blocked?: () => void }) => Promise<void>;
  /** Milliseconds since 1970. The user may set it. */
  now: () => number;
  /** Milliseconds on a clock that can't be set. */
  monotonic: () => number;
  setTimeout: (run: (nothing: undefined) => void, ms: number) => Timer;
  clearTimeout: (timer: Timer | undefined) => void;
  fetch: typeof fetch;
  /** A signal that aborts after some milliseconds. */
  timeoutSignal: (ms: number) => AbortSignal;
  /** Fills an array with cryptographically secure random values. */
  getRandomValues: Crypto['getRandomValues'];
  randomUUID: Crypto['randomUUID'];
  /** A number from 0 to 1 that need not be secure. */
  random: () => number;
  /** A channel to the wallet's windows. */
  openChannel: (name: string) => Pick<BroadcastChannel, 'postMessage'>;
  /** The user's languages, the preferred one first. */
  languages: () => readonly string[];
  /** Where the browser can promise to keep the database. */
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

/** A running wallet, the first parameter of every function that needs its platform or its memory. */
export interface Wallet extends Platform {
  /** The results of {@link part}, by the function that creates each. */
  readonly parts: Map<unknown, unknown>;
}

/** A wallet on a platform, which doesn't run yet (start.ts). */
export const createWallet = (platform: Platform): Wallet => ({ ...platform, parts: new Map() });

/**
 * Something that each wallet has separately, such as a cache, a timer, or functions bound to it.
 * @param make creates it when a wallet first uses it
 * @returns its accessor
 */
export function part<T>(make: (wallet: Wallet) => T): (wallet: Wallet) => T {
  return (wallet) => {
    if (!wallet.parts.has(make)) wallet.parts.set(make, make(wallet));
    return wallet.parts.get(make) as T;
  };
}
