/**
 * A user's browser with the wallet in it: starts the worker for each event, as browsers do, and kills it between any two
 * steps. What the dead one had not committed is undone, and nothing of it ever goes on.
 */
import { pbkdf2Sync } from 'node:crypto';
import * as scureBip39 from '@scure/bip39';
import type { Runtime } from 'webextension-polyfill';
import { TestBrowser } from '../extension/background/testing/browser.ts';
import type {
  WalletParams,
  WalletReply,
  WalletMethod,
  WalletResults,
  WalletWindow,
} from '../protocol/wallet-messages.ts';
import type { Program } from './program.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import type { DatabaseEngine, StoredData } from './stored.ts';

/** The package takes pauses of its own while it stretches the words (BIP39): time passes here by tasks alone. */
const bip39 = {
  ...scureBip39,
  mnemonicToSeed: (words: string) =>
    Promise.resolve(Uint8Array.from(pbkdf2Sync(words.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512'))),
};

/** One for all: making an exception takes longer than most tasks. */
const TIMED_OUT = new DOMException('too late', 'TimeoutError');

/** What a worker asks the network. */
export interface Request {
  method: string;
  url: string;
  body: string;
}
/** Sends it: one of `answer` and `fail` is called later, or none. */
export type Send = (request: Request, answer: (response: Response) => void, fail: () => void) => void;

/** What a simulation is made of. */
export interface Parts {
  random: Random;
  scheduler: Scheduler;
  engine: DatabaseEngine;
  background: Program;
  send: Send;
  serviceUrl: string;
}

type Listener = (...args: never[]) => unknown;
type Events = ReturnType<TestBrowser['api']>['events'];

/** An end of a port: what is posted on the other comes out of it. */
export class Port {
  readonly listeners = { message: new Set<Listener>(), disconnect: new Set<Listener>() };
  readonly onMessage = { addListener: (listener: Listener) => void this.listeners.message.add(listener) };
  readonly onDisconnect = { addListener: (listener: Listener) => void this.listeners.disconnect.add(listener) };

  readonly name: string;
  readonly sender: object;
  readonly postMessage: (message: unknown) => void;
  readonly disconnect: () => void;

  constructor(name: string, sender: object, postMessage: (message: unknown) => void, disconnect: () => void) {
    [this.name, this.sender, this.postMessage, this.disconnect] = [name, sender, postMessage, disconnect];
  }

  tell(kind: 'message' | 'disconnect', message: unknown): void {
    for (const listener of this.listeners[kind]) listener(message as never);
  }
}

/** The browser of one user. */
export class Browser {
  readonly browser = new TestBrowser();
  readonly data: StoredData;
  /** How often the worker was started. */
  starts = 0;
  /** Called when it is killed. */
  readonly onKill = new Set<() => void>();
  readonly #parts: Parts;
  /** The worker of this moment. */
  #worker: { events: Events } | null = null;
  readonly #alarms = new Map<string, { info: object | undefined; cancel: () => void }>();

  constructor(parts: Parts, data: StoredData) {
    this.#parts = parts;
    this.data = data;
  }

  /** As it was when another one was copied: windows are not. */
  take(from: Browser): void {
    for (const [key, value] of from.browser.session) this.browser.session.set(key, value);
    for (const [name, info] of from.browser.alarms) this.browser.alarms.set(name, info);
    this.#watchAlarms();
  }

  get isAlive(): boolean {
    return this.#worker !== null;
  }

  /** The worker, started if there is none. */
  wake(): Events {
    this.#worker ??= this.#start();
    return this.#worker.events;
  }

  /** Ends the worker now. */
  kill(): void {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = null;
    this.#parts.scheduler.drop(worker);
    this.data.rollBack();
    this.browser.api(() => new Promise(() => undefined)); // no listener of it hears anything any more
    for (const tell of [...this.onKill]) tell();
  }

  /** It is lost, and no alarm of it rings any more. */
  forget(): void {
    this.kill();
    for (const { cancel } of this.#alarms.values()) cancel();
    this.onKill.clear();
  }

  /** The user closes a window. */
  closeWindow(id: number): void {
    this.wake();
    this.browser.closeWindow(id);
  }

  /** One of the wallet's windows asks. Rejects where the worker dies before it answers. */
  async ask<M extends WalletMethod>(
    window: WalletWindow,
    method: M,
    params: WalletParams<M>,
    { query = '', windowId = 1000 } = {},
  ): Promise<WalletResults[M]> {
    const sender = {
      id: this.browser.id,
      url: `${this.browser.root}extension/${window}/index.html${query}`,
      frameId: 0,
      tab: { id: windowId, windowId },
    };
    const events = this.wake();
    const [listener] = events.onMessage.listeners as Set<
      (message: unknown, sender: unknown) => Promise<WalletReply<M>>
    >;
    const reply = await new Promise<WalletReply<M>>((resolve, reject) => {
      const died = () => reject(Object.assign(new Error('the worker died'), { code: 'died' }));
      this.onKill.add(died);
      void listener?.({ method, params }, sender).then((one) => {
        this.onKill.delete(died);
        resolve(one);
      });
    });
    if ('error' in reply) throw Object.assign(new Error(reply.error.code), { code: reply.error.code });
    return reply.result;
  }

  /** A page's relay connects. */
  connect(port: Port): void {
    const { onConnect } = this.wake();
    for (const listener of onConnect.listeners) listener(port as unknown as Runtime.Port as never);
  }

  #start(): { events: Events } {
    this.starts += 1;
    const worker = {} as { events: Events };
    const { scheduler, engine, background } = this.#parts;
    engine.queue = (task) => void scheduler.add('database', task, { owner: worker, lane: 'database' });
    const api = this.browser.api((name, call) => this.#call(worker, name, call));
    worker.events = api.events;
    this.#worker = worker;
    background(this.#globals(worker), { 'webextension-polyfill': api, '@scure/bip39': bip39 });
    return worker;
  }

  /** A call of the browser's interface: it is done, and the worker learns of it later. */
  #call<T>(worker: object, name: string, call: () => T): Promise<T> {
    const { scheduler } = this.#parts;
    return new Promise((resolve, reject) => {
      scheduler.add(name, () => {
        let settle: () => void;
        try {
          const value = call();
          settle = () => resolve(value);
        } catch (error) {
          settle = () => reject(error);
        }
        if (name.startsWith('alarms.')) this.#watchAlarms();
        scheduler.add(`${name} done`, settle, { owner: worker });
      });
    });
  }

  /** Alarms wake the worker when their time has come. */
  #watchAlarms(): void {
    const { scheduler } = this.#parts;
    const { alarms } = this.browser;
    for (const name of new Set([...alarms.keys(), ...this.#alarms.keys()])) {
      const info = alarms.get(name);
      const watched = this.#alarms.get(name);
      if (watched?.info === info) continue;
      watched?.cancel();
      this.#alarms.delete(name);
      if (!info) continue;
      const period = info.periodInMinutes === undefined ? null : info.periodInMinutes * 60_000;
      const after = info.when === undefined ? (period ?? 0) : info.when - scheduler.now;
      const ring = () => {
        if (period === null) {
          alarms.delete(name);
          this.#alarms.delete(name);
        } else watch(period);
        const { onAlarm } = this.wake();
        onAlarm.tell({ name });
      };
      const watch = (ms: number) =>
        void this.#alarms.set(name, { info, cancel: scheduler.add(`alarm ${name}`, ring, { after: ms }) });
      watch(after);
    }
  }

  #globals(worker: object): Record<string, unknown> {
    const { scheduler, engine, random, serviceUrl } = this.#parts;
    const now = () => scheduler.now;
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
    const navigator = { languages: ['en'] };
    return {
      ...engine.globals,
      globalThis: { navigator },
      navigator,
      indexedDB: this.data.factory,
      __SERVICE_URL__: serviceUrl,
      Date: SimulatedDate,
      Math: Object.assign(Object.create(Math) as object, { random: () => random.next() }),
      performance: { now },
      setTimeout,
      clearTimeout,
      BroadcastChannel: class {
        postMessage(): void {}
      },
      AbortSignal: {
        any: (signals: AbortSignal[]) => AbortSignal.any(signals),
        timeout(ms: number) {
          const controller = new AbortController();
          setTimeout(() => controller.abort(TIMED_OUT), ms);
          return controller.signal;
        },
      },
      crypto: {
        getRandomValues: <A extends ArrayBufferView>(array: A) => random.filled(array),
        randomUUID: () => {
          const hex = Buffer.from(random.bytes(16)).toString('hex');
          return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
        },
        subtle: this.#subtle(worker),
      },
      fetch: (url: string, init: RequestInit = {}) => this.#fetch(worker, url, init),
    };
  }

  /** The browser's own, which answers as a task of its own; a password is stretched little. */
  #subtle(worker: object): object {
    const { scheduler } = this.#parts;
    return new Proxy(
      {},
      {
        get:
          (_, name: string) =>
          (...given: unknown[]) =>
            new Promise((resolve, reject) => {
              const args = given.map((one) =>
                (one as { name?: string } | null)?.name === 'PBKDF2' ? { ...(one as object), iterations: 10 } : one,
              );
              const { subtle } = globalThis.crypto;
              const work = (subtle[name as 'encrypt'] as (...args: unknown[]) => Promise<unknown>).apply(subtle, args);
              work.catch(() => undefined);
              scheduler.add(`crypto ${name}`, () => work.then(resolve, reject), { owner: worker });
            }),
      },
    );
  }

  #fetch(worker: object, url: string, { method = 'GET', body, signal }: RequestInit): Promise<Response> {
    const { scheduler, send } = this.#parts;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const cut = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', cut);
      const settle = (run: () => void) => scheduler.add('answer', run, { owner: worker });
      send(
        { method, url, body: typeof body === 'string' ? body : '' },
        (response) => settle(() => resolve(response)),
        () => settle(() => reject(new TypeError('fetch failed'))),
      );
    });
  }
}
