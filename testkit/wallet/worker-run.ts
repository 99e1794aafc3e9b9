/**
 * Runs of the service worker. Each run is a new wallet. The database, browser and network outlive the run. A run can be
 * stopped at any of its crash points. A stopped run never continues, and uncommitted changes are rolled back, as when a
 * browser stops the worker.
 */
import { vi } from 'vitest';
import type { Connection, MemoryDatabases } from '../database/database.ts';
import { nodeTurns } from '../database/node-turns.ts';
import { testFetch } from '../network/in-process.ts';
import type { Mode } from '../database/scope.ts';
import type { Wallet } from '../../wallet/platform.ts';
import { TestBrowser } from './browser.ts';
import { useWallet } from './current.ts';
import { newDatabases, useDatabases } from './memory-database.ts';
import { testPlatform } from './platform.ts';
import { loadModules, type Modules } from './worker-modules.ts';

/**
 * How many times faster than real time the wallet's clock runs. With higher values, too much time passes in some tests
 * (docs/testing.md).
 */
const HASTE = Number(process.env.HASTE ?? 20);
const started = Date.now();
const realNow = Date.now.bind(Date);
const realSetTimeout = globalThis.setTimeout;

/**
 * Returns a promise that never settles, for the work of a run that has ended. Each call creates a new promise, because
 * a shared one would retain all its listeners, and with them each run's modules, until the process exits.
 */
const never = () => new Promise<never>(() => undefined);

/** Adjusts a response's date to the wallet's clock, which runs fast and is soon minutes ahead. */
function inHaste({ status, statusText, headers: given }: Response): ResponseInit {
  const headers = new Headers(given);
  const date = Date.parse(headers.get('date') ?? '');
  const ahead = (realNow() - started) * (HASTE - 1);
  if (!Number.isNaN(date)) headers.set('date', new Date(date + ahead).toUTCString());
  return { status, statusText, headers };
}

let current: WorkerRun | null = null;

/** State of one browser's wallet that outlives the worker. */
export class Profile {
  readonly browser = new TestBrowser();
  /** Tests replace this to simulate that the browser has deleted its databases. */
  databases = newDatabases();
  readonly serviceUrl: string;
  /** Local servers, by the https origin that each simulates. Requests to other https origins fail. */
  readonly hosts = new Map<string, string>();

  constructor(serviceUrl: string) {
    this.serviceUrl = serviceUrl;
  }

  /**
   * Starts a worker run.
   * @param dieAt the crash point at which the run is stopped: its number, starting at 1, or its name. By
   * default, the run isn't stopped
   */
  async start(dieAt: number | string = Number.POSITIVE_INFINITY): Promise<WorkerRun> {
    const workerRun = new WorkerRun(this, dieAt);
    current?.end();
    current = workerRun;
    await workerRun.load();
    return workerRun;
  }
}

export class WorkerRun {
  readonly profile: Profile;
  /** Names of the crash points passed so far. */
  readonly crashPoints: string[] = [];
  readonly browserApi;
  #wallet: Wallet | undefined;
  #modules: Modules | undefined;
  #dieAt: number | string;
  #dead = false;
  readonly #died: Promise<void>;
  #tellDeath!: () => void;
  /**
   * Number of operations in progress during which the run may be stopped: its start, and calls of {@link untilDeath}.
   */
  #mortal = 1;
  readonly #databases: MemoryDatabases;
  /** Timers set while the background is being loaded, which takes a while on a busy machine. */
  #early: Set<NodeJS.Timeout> | null = new Set();

  constructor(profile: Profile, dieAt: number | string) {
    this.profile = profile;
    this.#dieAt = dieAt;
    this.#died = new Promise((resolve) => {
      this.#tellDeath = resolve;
    });
    this.#databases = profile.databases.share(nodeTurns);
    this.browserApi = profile.browser.api((name, call) => this.#around(name, call));
  }

  get modules() {
    if (!this.#modules) throw new Error('not loaded');
    return this.#modules;
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Loads the background. Called once, by {@link Profile.start}. */
  async load(): Promise<void> {
    vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => this.#fetch(...args));
    // Node's own fetch passes arguments to its timers. Such timers must use the real clock.
    vi.stubGlobal('setTimeout', (run: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) =>
      args.length > 0 ? realSetTimeout(run, delay, ...args) : this.#setTimeout(run, delay / HASTE),
    );
    vi.spyOn(Date, 'now').mockImplementation(() => Math.floor(started + (realNow() - started) * HASTE));
    useDatabases(this.#databases);
    this.#modules = await loadModules();
    this.#wallet = useWallet({
      ...testPlatform(this.browserApi, this.profile.serviceUrl),
      openDatabase: this.#openDatabase(),
    });
    this.#modules.main.startExtension(this.#wallet);
    // Restarts the early timers, because no requests were possible while the background was being loaded.
    for (const timer of this.#early ?? []) timer.refresh();
    this.#early = null;
    this.#mortal -= 1;
  }

  #setTimeout(run: () => void, delay: number): NodeJS.Timeout {
    const timer = realSetTimeout(() => {
      this.#early?.delete(timer);
      if (!this.#dead) run();
    }, delay);
    this.#early?.add(timer);
    return timer;
  }

  /** Restarts the numbering of crash points at 1, and sets the one at which {@link untilDeath} stops the run. */
  dieAt(crashPoint: number | string): void {
    this.crashPoints.length = 0;
    this.#dieAt = crashPoint;
  }

  /**
   * Runs `work`, during which the run may be stopped. The run is never stopped at other times, because a test that
   * awaits a stopped run would hang. If other work has already passed the numbered crash point, the run is stopped at
   * the next one.
   * @returns the result of `work`; null if the run was stopped first
   */
  async untilDeath<T>(work: () => Promise<T>): Promise<T | null> {
    this.#mortal += 1;
    try {
      return await Promise.race([work(), this.#died.then(() => null)]);
    } finally {
      this.#mortal -= 1;
    }
  }

  end(): void {
    if (this.#dead) return;
    this.#dead = true;
    // Even reads that are served from the cache must not return after the run has ended.
    if (this.#wallet) this.#modules?.database.clearCaches(this.#wallet, never());
    this.#databases.end();
    this.#tellDeath();
  }

  /** Records a crash point. @returns false if the run has ended */
  #passes(name: string): boolean {
    if (this.#dead) return false;
    this.crashPoints.push(name);
    const isThere = typeof this.#dieAt === 'number' ? this.crashPoints.length >= this.#dieAt : this.#dieAt === name;
    if (isThere && this.#mortal > 0) this.end();
    return !this.#dead;
  }

  async #around<T>(name: string, call: () => T): Promise<T> {
    const changes = !name.endsWith('.get');
    if (changes ? !this.#passes(`before ${name}`) : this.#dead) return never();
    const value = call();
    await Promise.resolve();
    return (changes ? this.#passes(`after ${name}`) : !this.#dead) ? value : never();
  }

  async #fetch(...args: Parameters<typeof fetch>): Promise<Response> {
    const name = `${args[1]?.method ?? 'GET'} ${new URL(String(args[0])).pathname.replace(/[0-9a-f]{64}/, ':txid')}`;
    if (!this.#passes(`before ${name}`)) return never();
    try {
      const response = await testFetch(this.#address(String(args[0])), args[1]);
      if (response.headers.get('content-type') === 'text/event-stream')
        return this.#passes(`after ${name}`) ? new Response(this.#stream(response), inHaste(response)) : never();
      const body = await response.arrayBuffer();
      return this.#passes(`after ${name}`)
        ? new Response(response.status === 204 ? null : body, inHaste(response))
        : never();
    } catch (error) {
      if (this.#dead) return never();
      throw error;
    }
  }

  /** Streams a body until the run ends. After that, the stream neither delivers data nor closes. */
  #stream({ body }: Response): ReadableStream<Uint8Array> | null {
    const passing = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => void (this.#dead || controller.enqueue(chunk)),
      flush: () => (this.#dead ? never() : undefined),
    });
    return body?.pipeThrough(passing) ?? null;
  }

  #address(text: string): string {
    const url = new URL(text);
    const host = this.profile.hosts.get(url.origin);
    if (url.protocol === 'https:' && host === undefined) throw new TypeError(`fetch failed: ${url.origin}`);
    return host === undefined ? text : `${host}${url.pathname}${url.search}`;
  }

  /** Opens databases with crash points before and after each write. */
  #openDatabase(): Wallet['openDatabase'] {
    const { openDB } = this.#databases;
    const open = async (...args: Parameters<typeof openDB>) =>
      this.#guarded((await openDB(...args)) as unknown as Connection);
    return open as unknown as Wallet['openDatabase'];
  }

  #guarded(db: Connection): Connection {
    const own: Record<string, unknown> = {
      transaction: (names: string | string[], mode?: Mode) => this.#transaction(db, names, mode),
      put: (...args: unknown[]) => this.#write(db, 'put', args),
      delete: (...args: unknown[]) => this.#write(db, 'delete', args),
    };
    return new Proxy(db, {
      get: (_, property) => {
        if (Object.hasOwn(own, property)) return own[property as string];
        const value = Reflect.get(db, property) as unknown;
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => (this.#dead ? never() : (value.apply(db, args) as unknown));
      },
    });
  }

  async #write(db: object, method: string, args: unknown[]): Promise<unknown> {
    const [store, given, key = ''] = args;
    if (!this.#passes(`before ${method} ${String(store)} ${String(method === 'put' ? key : given)}`)) return never();
    const result = await (db as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]?.(...args);
    return this.#passes(`after ${method} ${String(store)}`) ? result : never();
  }

  #transaction(db: Connection, names: string | string[], mode: Mode = 'readonly'): object {
    const name = [names].flat().join('+');
    const writes = mode === 'readwrite';
    if (writes ? !this.#passes(`before writing ${name}`) : this.#dead) return hanging();
    const transaction = db.transaction(names, mode);
    if (!writes) return transaction;
    const done = transaction.done.then(() => (this.#passes(`after writing ${name}`) ? undefined : never()));
    done.catch(() => undefined);
    return Object.assign(transaction, { done });
  }
}

/** Returns a replacement for a transaction in a run that has ended. Its results are promises that never settle. */
function hanging(): object {
  return new Proxy(() => never(), {
    get: (_, property) => (property === 'then' ? () => undefined : property === 'done' ? never() : hanging()),
    apply: () => hanging(),
  });
}

/** Restores the state from before the first run. Must be called after each test. */
export function endAllWorkerRuns(): void {
  current?.end();
  current = null;
  // A spy restores the function that it replaced, which may be a stub, so stubs are removed last.
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
}
