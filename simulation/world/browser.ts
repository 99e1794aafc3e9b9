/**
 * A user's browser with the wallet in it. It starts the worker for each event, as browsers do, and kills it between any
 * two steps. Uncommitted work of a dead worker is undone and never continues.
 */
import type { Runtime } from 'webextension-polyfill';
import { TestBrowser } from '../../testkit/wallet/browser.ts';
import type {
  WalletParams,
  WalletReply,
  WalletMethod,
  WalletResults,
  WalletWindow,
} from '../../protocol/messages/wallet-messages.ts';
import { globalsOf, type Surroundings } from '../program/globals.ts';
import type { Program } from '../program/program.ts';
import type { Disk } from '../indexeddb/disk.ts';
import { Factory } from '../indexeddb/factory.ts';

export interface Parts extends Surroundings {
  background: Program;
}

/** Probability that two responses of a transaction follow each other directly. */
const AT_ONCE = 0.75;

type Listener = (...args: never[]) => unknown;
type Events = ReturnType<TestBrowser['api']>['events'];

interface Worker {
  events: Events;
  database: Factory;
}

/** One end of a port, which receives the messages posted on the other. */
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

export class Browser {
  readonly browser = new TestBrowser();
  readonly data: Disk;
  /** How often the worker was started. */
  starts = 0;
  readonly onKill = new Set<() => void>();
  readonly #parts: Parts;
  #worker: Worker | null = null;
  readonly #alarms = new Map<string, { info: object | undefined; cancel: () => void }>();

  constructor(parts: Parts, data: Disk) {
    this.#parts = parts;
    this.data = data;
  }

  /** Copies another browser's state, without its windows. */
  take(from: Browser): void {
    for (const [key, value] of from.browser.session) this.browser.session.set(key, value);
    for (const [name, info] of from.browser.alarms) this.browser.alarms.set(name, info);
    this.#watchAlarms();
  }

  get isAlive(): boolean {
    return this.#worker !== null;
  }

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
    worker.database.end(() => this.#parts.random.chance(0.5));
    this.browser.api(() => new Promise(() => undefined)); // Its listeners receive no more events.
    for (const tell of [...this.onKill]) tell();
  }

  /** The browser is lost, with its alarms. */
  forget(): void {
    this.kill();
    for (const { cancel } of this.#alarms.values()) cancel();
    this.onKill.clear();
  }

  closeWindow(id: number): void {
    this.wake();
    this.browser.closeWindow(id);
  }

  /** Calls the background from a wallet window. Rejects if the worker dies before the response. */
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

  #start(): Worker {
    this.starts += 1;
    const { scheduler, random, background } = this.#parts;
    const api = this.browser.api((name, call) => this.#call(worker, name, call));
    const database = new Factory(this.data, {
      queue: (task) => void scheduler.add('database', task, { owner: worker }),
      goOn: (task) => scheduler.follow(task),
      turn: () => scheduler.turn,
      isAtOnce: () => random.chance(AT_ONCE),
    });
    const worker: Worker = { events: api.events, database };
    this.#worker = worker;
    background(globalsOf(worker, this.#parts, database), api);
    return worker;
  }

  /** A call of the browser's interface. It takes effect first, and the worker is notified later. */
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

  /** Due alarms wake the worker. */
  #watchAlarms(): void {
    const { scheduler, clock } = this.#parts;
    const { alarms } = this.browser;
    for (const name of new Set([...alarms.keys(), ...this.#alarms.keys()])) {
      const info = alarms.get(name);
      const watched = this.#alarms.get(name);
      if (watched?.info === info) continue;
      watched?.cancel();
      this.#alarms.delete(name);
      if (!info) continue;
      const period = info.periodInMinutes === undefined ? null : info.periodInMinutes * 60_000;
      const after = info.when === undefined ? (period ?? 0) : info.when - scheduler.now - clock.ahead;
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
}
