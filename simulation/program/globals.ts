import { simulatedCrypto } from './crypto.ts';
import { weakMap } from './weak-map.ts';
import type { Globals } from './program.ts';
import type { Random } from '../random.ts';
import type { Scheduler } from '../scheduler.ts';
import { INTERFACES, type Factory } from '../indexeddb/factory.ts';

/** A worker's network request. */
export interface Request {
  method: string;
  url: string;
  body: string;
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
const ABORTED = new DOMException('aborted', 'AbortError');

/** Replaces Node's, which outlives the worker if something listens to several signals as one. */
class Signal {
  aborted = false;
  reason: unknown;
  readonly #listeners = new Set<() => void>();

  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  static any(signals: readonly Signal[]): Signal {
    const either = new Signal();
    for (const one of signals) {
      if (one.aborted) either.abort(one.reason);
      else one.addEventListener('abort', () => either.abort(one.reason));
    }
    return either;
  }
}

/** The parts of a Response that the wallet reads. */
function responseOf({ status, text, retryAfter }: Answer): object {
  let rest = text === '' ? [] : [new TextEncoder().encode(text)];
  const read = () => {
    const [value] = rest;
    rest = [];
    return Promise.resolve({ done: value === undefined, value });
  };
  const cancel = () => Promise.resolve();
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  return { status, headers, ok: status >= 200 && status < 300, body: { getReader: () => ({ read, cancel }), cancel } };
}

/** The globals of one worker, whose tasks end with it. */
export function globalsOf(
  worker: object,
  { scheduler, random, serviceUrl, send, clock }: Surroundings,
  indexedDB: Factory,
): Globals {
  const now = () => scheduler.now + clock.ahead;
  const timers = new Map<number, () => void>();
  let lastTimer = 0;
  const setTimeout = (run: () => void, after = 0): number => {
    const id = (lastTimer += 1);
    const fire = () => {
      timers.delete(id);
      run();
    };
    timers.set(id, scheduler.add('timer', fire, { after, owner: worker }));
    return id;
  };
  const clearTimeout = (id: number): void => {
    timers.get(id)?.();
    timers.delete(id);
  };
  class SimulatedDate extends Date {
    constructor(...args: unknown[]) {
      super(...((args.length === 0 ? [now()] : args) as [number]));
    }
    static override now(): number {
      return now();
    }
  }
  const later = <T>(name: string, work: () => T) =>
    new Promise<T>((resolve, reject) => {
      const finish = () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      scheduler.add(name, finish, { owner: worker });
    });
  const fetch = (url: string, { method = 'GET', body, signal }: Omit<RequestInit, 'signal'> & { signal?: Signal }) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const settle = (run: () => void) => {
        const end = () => {
          signal?.removeEventListener('abort', cut);
          run();
        };
        scheduler.add('answer', end, { owner: worker });
      };
      const cut = () => reject(signal?.reason);
      signal?.addEventListener('abort', cut);
      send(
        { method, url, body: typeof body === 'string' ? body : '' },
        (answer) => settle(() => resolve(responseOf(answer))),
        () => settle(() => reject(new TypeError('fetch failed'))),
      );
    });
  const navigator = { languages: ['en'] };
  return {
    ...INTERFACES,
    WeakMap: weakMap(),
    globalThis: { navigator },
    navigator,
    indexedDB,
    __SERVICE_URL__: serviceUrl,
    Date: SimulatedDate,
    Math: Object.assign(Object.create(Math) as object, { random: () => random.next() }),
    performance: { now: () => scheduler.now },
    setTimeout,
    clearTimeout,
    BroadcastChannel: class {
      postMessage(): void {}
    },
    AbortController: class {
      readonly signal = new Signal();
      abort(reason: unknown = ABORTED): void {
        this.signal.abort(reason);
      }
    },
    AbortSignal: {
      any: (signals: Signal[]) => Signal.any(signals),
      timeout(ms: number) {
        const signal = new Signal();
        setTimeout(() => signal.abort(TIMED_OUT), ms);
        return signal;
      },
    },
    crypto: simulatedCrypto(random, later),
    fetch,
  };
}
