/** The platform of a wallet in a simulated browser. Everything that it does later is a task of its worker. */
import type { Browser } from 'webextension-polyfill';
import type { Platform } from '../../wallet/platform.ts';
import type { Random } from '../random.ts';
import type { Scheduler } from '../scheduler.ts';

/** A worker's network request. */
export interface Request {
  method: string;
  url: string;
  body: string;
  /** Whether it has an account's token. */
  isOfAccount: boolean;
}
/** The response to it. */
export interface Answer {
  status: number;
  text: string;
  retryAfter?: string;
}
/** Sends it, and later calls `answer`, `fail` or neither. */
export type Send = (request: Request, answer: (answer: Answer) => void, fail: () => void) => void;

/** Everything that a worker depends on. */
export interface Surroundings {
  random: Random;
  scheduler: Scheduler;
  send: Send;
  serviceUrl: string;
  /** How far the browser's clock is ahead (milliseconds). */
  clock: { ahead: number };
}

/** Shared, because creating an exception takes longer than most tasks. */
const TIMED_OUT = new DOMException('too late', 'TimeoutError');

/** The parts of a Response that the wallet reads. */
function responseOf({ status, text, retryAfter }: Answer): Response {
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

/** A worker as its platform sees it: it owns its tasks, which end with it. */
export interface Owner {
  /** Called at its end. */
  readonly onEnd: Set<() => void>;
}

/**
 * The platform of one worker.
 * @param databases opens and deletes databases for it
 * @param browser its view of the browser
 */
export function simulatedPlatform(
  owner: Owner,
  { scheduler, random, serviceUrl, send, clock }: Surroundings,
  databases: { openDB: Platform['openDatabase']; deleteDB: Platform['deleteDatabase'] },
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
      // Node keeps a signal that is listened to.
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
    // Windows ask again instead of listening.
    openChannel: () => ({ postMessage: () => undefined }),
    languages: () => ['en'],
    storageManager: undefined,
    sessionStorage: storage.session,
    localStorage: storage.local,
    ...{ alarms, windows, tabs, notifications, action, runtime, scripting, management, idle },
  };
}
