/**
 * A simulated browser with the wallet. The browser starts the worker for each event, as real browsers do, and can kill
 * it between any two tasks. A killed worker never continues, and its uncommitted changes are rolled back.
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

/** Probability that the next step of a database transaction runs before any other task. */
const CONTINUE_PROBABILITY = 0.75;

/** Schedules the database work of a worker. */
export const turnsOf = (scheduler: Scheduler, random: Random, owner: object | null): Turns => {
  const later = (task: () => void) => void scheduler.add('database', task, { owner });
  return {
    soon: (task) => scheduler.follow(task),
    step: (task) => (random.chance(CONTINUE_PROBABILITY) ? task() : later(task)),
    later,
  };
};

type Listener = (...args: never[]) => unknown;
type Events = ReturnType<TestBrowser['api']>['events'];

interface Worker {
  events: Events;
  readonly onEnd: Set<() => void>;
}

/** One end of a port. Each end receives the messages that are posted to the other end. */
export class Port {
  readonly listeners = { message: new Set<Listener>(), disconnect: new Set<Listener>() };
  readonly onMessage = { addListener: (listener: Listener) => void this.listeners.message.add(listener) };
  readonly onDisconnect = { addListener: (listener: Listener) => void this.listeners.disconnect.add(listener) };

  /** True if the user closed or left the page. */
  isLeft = false;
  /** Events on their way to the worker, oldest first. */
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

/** Returns a function that delivers messages as tasks, in the order in which they were sent. */
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
  starts = 0;
  readonly onKill = new Set<() => void>();
  readonly #parts: Surroundings;
  #worker: Worker | null = null;
  /** The worker that each port is connected to. */
  readonly #ofPort = new WeakMap<Port, Worker>();
  readonly #alarms = new Map<string, { info: object | undefined; cancel: () => void }>();

  constructor(parts: Surroundings, data: Disk) {
    this.#parts = parts;
    this.browser = new TestBrowser(() => parts.scheduler.now + parts.clock.ahead);
    this.data = data;
  }

  /** Takes over the session storage and alarms of another browser. */
  take(from: Browser): void {
    for (const [key, value] of from.browser.session) this.browser.session.set(key, structuredClone(value));
    for (const [name, info] of from.browser.alarms) this.browser.alarms.set(name, { ...info });
    this.#watchAlarms();
  }

  get isAlive(): boolean {
    return this.#worker !== null;
  }

  /** Fires the browser's startup event. */
  hasStarted(): void {
    this.#deliver('startup', ({ onStartup }) => onStartup.tell());
  }

  kill(): void {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = null;
    this.#parts.scheduler.drop(worker);
    for (const end of [...worker.onEnd]) end();
    this.browser.api(() => new Promise(() => undefined)); // Removes the killed worker's event listeners.
    for (const tell of [...this.onKill]) tell();
  }

  /** Kills the worker and cancels the alarms of a browser that is no longer used. */
  forget(): void {
    this.kill();
    for (const { cancel } of this.#alarms.values()) cancel();
    this.onKill.clear();
  }

  closeWindow(id: number): void {
    this.#worker ??= this.#start();
    this.browser.closeWindow(id);
  }

  /** Calls the background from a wallet window. Rejects if the worker is killed before it responds. */
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

  /** Connects a page's relay to the worker, and sends its first message. */
  connect(port: Port, message: unknown): void {
    port.toWorker.push(() => port.tell('message', message));
    this.#deliver('page connects', ({ onConnect }, worker) => {
      if (port.isLeft) return;
      this.#ofPort.set(port, worker);
      onConnect.tell(port as unknown as Runtime.Port);
      port.toWorker.shift()?.();
    });
  }

  /** Sends a message to the worker. @returns false if the port's worker was killed */
  post(port: Port, message: unknown): boolean {
    const worker = this.#worker;
    if (worker === null || worker !== this.#ofPort.get(port)) return false;
    port.toWorker.push(() => port.tell('message', message));
    this.#parts.scheduler.add('message', () => port.toWorker.shift()?.(), { owner: worker });
    return true;
  }

  /** Disconnects a port because the user left its page. */
  leave(port: Port): void {
    port.isLeft = true;
    port.toWorker.push(() => port.tell('disconnect', port));
    this.#deliver('page leaves', () => port.toWorker.shift()?.());
  }

  /** Delivers an event to the worker, which is started if necessary. */
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

  /** Calls the browser's API. The call takes effect immediately. The worker receives the result in a later task. */
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

  /** Schedules the alarms, which start the worker. */
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
