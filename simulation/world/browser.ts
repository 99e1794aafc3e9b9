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
import { createWallet } from '../../wallet/platform.ts';
import { startExtension } from '../../extension/background/start.ts';
import type { Turns } from '../../testkit/database/turns.ts';
import type { Random } from '../random.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Disk } from './disk.ts';
import { simulatedPlatform, type Surroundings } from './platform.ts';

/** Probability that the steps of a database transaction follow each other directly. */
const AT_ONCE = 0.75;

/** The turns of a worker's databases. */
export const turnsOf = (scheduler: Scheduler, random: Random, owner: object | null): Turns => {
  const later = (task: () => void) => void scheduler.add('database', task, { owner });
  return {
    soon: (task) => scheduler.follow(task),
    step: (task) => (random.chance(AT_ONCE) ? task() : later(task)),
    later,
  };
};

type Listener = (...args: never[]) => unknown;
type Events = ReturnType<TestBrowser['api']>['events'];

interface Worker {
  events: Events;
  readonly onEnd: Set<() => void>;
}

/** One end of a port, which receives the messages posted on the other. */
export class Port {
  readonly listeners = { message: new Set<Listener>(), disconnect: new Set<Listener>() };
  readonly onMessage = { addListener: (listener: Listener) => void this.listeners.message.add(listener) };
  readonly onDisconnect = { addListener: (listener: Listener) => void this.listeners.disconnect.add(listener) };

  /** Whether its page was left. */
  isLeft = false;
  /** Events on their way to the worker, the oldest first. */
  readonly toWorker: (() => void)[] = [];
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

/** Hears messages as tasks, in the order in which they were sent. */
export function inOrder<T>(scheduler: Scheduler, name: string, hear: (message: T) => void): (message: unknown) => void {
  const waiting: T[] = [];
  return (message) => {
    waiting.push(message as T);
    scheduler.add(name, () => hear(waiting.shift() as T));
  };
}

export class Browser {
  readonly browser: TestBrowser;
  readonly data: Disk;
  /** How often the worker was started. */
  starts = 0;
  readonly onKill = new Set<() => void>();
  readonly #parts: Surroundings;
  #worker: Worker | null = null;
  /** The workers that ports lead to. */
  readonly #ofPort = new WeakMap<Port, Worker>();
  readonly #alarms = new Map<string, { info: object | undefined; cancel: () => void }>();

  constructor(parts: Surroundings, data: Disk) {
    this.#parts = parts;
    this.browser = new TestBrowser(() => parts.scheduler.now + parts.clock.ahead);
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

  /** The browser has started. */
  hasStarted(): void {
    this.#deliver('startup', ({ onStartup }) => onStartup.tell());
  }

  /** Ends the worker now. */
  kill(): void {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = null;
    this.#parts.scheduler.drop(worker);
    for (const end of [...worker.onEnd]) end();
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
    this.#worker ??= this.#start();
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
    const reply = await new Promise<WalletReply<M>>((resolve, reject) => {
      const died = () => reject(Object.assign(new Error('the worker died'), { code: 'died' }));
      const hear = (one: WalletReply<M>) => {
        this.onKill.delete(died);
        resolve(one);
      };
      this.onKill.add(died);
      this.#deliver(method, ({ onMessage }, worker) => {
        const [listener] = onMessage.listeners as Set<(message: unknown, sender: unknown) => Promise<WalletReply<M>>>;
        const { scheduler } = this.#parts;
        void listener?.({ method, params }, sender).then((one) =>
          scheduler.add('window hears', () => hear(one), { owner: worker }),
        );
      });
    });
    if ('error' in reply) throw Object.assign(new Error(reply.error.code), { code: reply.error.code });
    return reply.result;
  }

  /** A page's relay connects, and sends a message. */
  connect(port: Port, message: unknown): void {
    port.toWorker.push(() => port.tell('message', message));
    this.#deliver('page connects', ({ onConnect }, worker) => {
      if (port.isLeft) return;
      this.#ofPort.set(port, worker);
      onConnect.tell(port as unknown as Runtime.Port);
      port.toWorker.shift()?.();
    });
  }

  /** A message on a port of this worker. @returns false if the port's worker is gone */
  post(port: Port, message: unknown): boolean {
    const worker = this.#worker;
    if (worker === null || worker !== this.#ofPort.get(port)) return false;
    port.toWorker.push(() => port.tell('message', message));
    this.#parts.scheduler.add('message', () => port.toWorker.shift()?.(), { owner: worker });
    return true;
  }

  /** The page of a port is left. */
  leave(port: Port): void {
    port.isLeft = true;
    port.toWorker.push(() => port.tell('disconnect', port));
    this.#deliver('page leaves', () => port.toWorker.shift()?.());
  }

  /** An event for the worker, which starts it. */
  #deliver(name: string, tell: (events: Events, worker: Worker) => void): void {
    const worker = (this.#worker ??= this.#start());
    this.#parts.scheduler.add(name, () => tell(worker.events, worker), { owner: worker });
  }

  #start(): Worker {
    this.starts += 1;
    const { scheduler, random } = this.#parts;
    const { windows, ...api } = this.browser.api((name, call) => this.#call(worker, name, call));
    const worker: Worker = { events: api.events, onEnd: new Set() };
    const databases = this.data.databases.share(turnsOf(scheduler, random, worker));
    worker.onEnd.add(() => databases.end());
    const onRemoved = {
      addListener: (listener: (id: number) => void) =>
        windows.onRemoved.addListener((id: number) =>
          scheduler.add('window removed', () => listener(id), { owner: worker }),
        ),
    };
    const browser = { ...api, windows: { ...windows, onRemoved } };
    startExtension(createWallet(simulatedPlatform(worker, this.#parts, databases as never, browser)));
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
        const { scheduledTime } = info;
        if (period === null) {
          alarms.delete(name);
          this.#alarms.delete(name);
        } else {
          info.scheduledTime = scheduler.now + clock.ahead + period;
          watch(period);
        }
        this.#deliver('alarm', ({ onAlarm }) => onAlarm.tell({ name, scheduledTime }));
      };
      const watch = (ms: number) =>
        void this.#alarms.set(name, { info, cancel: scheduler.add(`alarm ${name}`, ring, { after: ms }) });
      watch(after);
    }
  }
}
