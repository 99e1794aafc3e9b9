/** The platform of a wallet in a simulated browser. All asynchronous work is done in tasks of the worker. */
import type { Browser } from 'webextension-polyfill';
import type { Platform } from '../../wallet/platform.ts';
import type { Random } from '../random.ts';
import type { Scheduler } from '../scheduler.ts';

export interface Request {
  method: string;
  url: string;
  body: string;
  /** True if the request carries an account's token. */
  isOfAccount: boolean;
}

export interface SimulatedResponse {
  status: number;
  text: string;
  retryAfter?: string;
}
/** Sends a request, then calls `answer`, `fail` or neither. */
export type Send = (request: Request, answer: (answer: SimulatedResponse) => void, fail: () => void) => void;

export interface Surroundings {
  random: Random;
  scheduler: Scheduler;
  send: Send;
  serviceUrl: string;
  /** How far the browser's clock is ahead (milliseconds). */
  clock: { ahead: number };
}

/** Shared by all requests, because creating an exception is slower than most tasks. */
const TIMED_OUT = new DOMException('too late', 'TimeoutError');

/** Returns an object with the parts of Response that the wallet reads. */
function responseOf({ status, text, retryAfter }: SimulatedResponse): Response {
  let rest = text === '' ? [] : [new TextEncoder().encode(text)];
  const read = () => {
    const [value] = rest;
    rest = [];
    return Promise.resolve({ done: value === undefined, value });
  };
  const cancel = () => Promise.resolve();
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  const body = { getReader: () => ({ read, cancel }), cancel };
  return { status, headers, ok: status >= 200 && status < 300, body } as unknown as Response;
}

const uuidOf = (bytes: Uint8Array): ReturnType<Platform['randomUUID']> => {
  const hex = Buffer.from(bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
};

/** A worker, which owns tasks that are dropped when it ends. */
export interface Owner {
  readonly onEnd: Set<() => void>;
}

/**
 * Creates the platform of one worker.
 * @param databases opens and deletes the worker's databases
 * @param browser the worker's `browser` API
 */
export function simulatedPlatform(
  owner: Owner,
  { scheduler, random, serviceUrl, send, clock }: Surroundings,
  databases: Pick<Platform, 'keyRange'> & {
    openDB: Platform['openDatabase'];
    deleteDB: Platform['deleteDatabase'];
  },
  browser: object,
): Platform {
  const { alarms, windows, tabs, notifications, action, runtime, scripting, management, idle, storage } =
    browser as Browser;
  const timers = new Map<number, () => void>();
  let lastTimer = 0;
  const setTimeout = (run: (nothing: undefined) => void, after: number) => {
    const id = (lastTimer += 1);
    const fire = () => {
      timers.delete(id);
      run(undefined);
    };
    timers.set(id, scheduler.add('timer', fire, { after, owner }));
    return id;
  };
  const clearTimeout = (id: number) => {
    timers.get(id)?.();
    timers.delete(id);
  };
  const fetch = (url: string, { method = 'GET', body, signal, headers }: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const cut = () => {
        leave();
        reject(signal?.reason);
      };
      // The listener must be removed, because Node retains a signal as long as it has listeners.
      const leave = () => {
        owner.onEnd.delete(leave);
        signal?.removeEventListener('abort', cut);
      };
      owner.onEnd.add(leave);
      signal?.addEventListener('abort', cut);
      const settle = (run: () => void) => {
        const end = () => {
          leave();
          run();
        };
        scheduler.add('answer', end, { owner });
      };
      send(
        {
          method,
          url,
          body: typeof body === 'string' ? body : '',
          isOfAccount: Object.hasOwn(headers ?? {}, 'authorization'),
        },
        (answer) => settle(() => resolve(responseOf(answer))),
        () => settle(() => reject(new TypeError('fetch failed'))),
      );
    });
  return {
    serviceUrl,
    openDatabase: databases.openDB,
    deleteDatabase: databases.deleteDB,
    keyRange: databases.keyRange,
    now: () => scheduler.now + clock.ahead,
    monotonic: () => scheduler.now,
    setTimeout: setTimeout as unknown as Platform['setTimeout'],
    clearTimeout: clearTimeout as unknown as Platform['clearTimeout'],
    fetch: fetch as typeof globalThis.fetch,
    timeoutSignal: (ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(TIMED_OUT), ms);
      return controller.signal;
    },
    getRandomValues: (array) => random.filled(array as never) as typeof array,
    randomUUID: () => uuidOf(random.bytes(16)),
    random: () => random.next(),
    passwordIterations: 10,
    // Simulated windows poll instead of listening.
    openChannel: () => ({ postMessage: () => undefined }),
    languages: () => ['en'],
    storageManager: undefined,
    sessionStorage: storage.session,
    localStorage: storage.local,
    ...{ alarms, windows, tabs, notifications, action, runtime, scripting, management, idle },
  };
}
