/** For Vitest in Stryker: reuses a thread for the next mutant, because loading modules takes longer than most runs. */
import { ThreadsPoolWorker, type PoolOptions, type PoolWorker, type WorkerRequest } from 'vitest/node';

/** Number of runs before a thread is replaced, because tests that mutants broke can leave resources behind. */
const RUNS = 50;

type Listener = (message: unknown) => void;

const idle: { thread: ThreadsPoolWorker; runs: number }[] = [];

class KeptThread implements PoolWorker {
  readonly name = keptThreads.name;
  #kept = idle.pop();
  readonly #thread: ThreadsPoolWorker;
  #listeners: [event: string, listener: Listener][] = [];
  #ended = false;

  constructor(options: PoolOptions) {
    this.#thread = this.#kept?.thread ?? new ThreadsPoolWorker(options);
  }

  async start(): Promise<void> {
    if (this.#kept) return;
    await this.#thread.start();
    this.#kept = { thread: this.#thread, runs: 0 };
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener]);
    this.#thread.on(event, listener);
  }

  off(event: string, listener: Listener): void {
    this.#listeners = this.#listeners.filter((one) => one[0] !== event || one[1] !== listener);
    this.#thread.off(event, listener);
  }

  /** Handles the stop message instead of forwarding it, because the thread must keep running. */
  send(message: WorkerRequest): void {
    if (message.type !== 'stop') return this.#thread.send(message);
    this.#ended = true;
    for (const [event, listener] of this.#listeners)
      if (event === 'message') listener({ type: 'stopped', __vitest_worker_response__: true });
  }

  deserialize(message: unknown): unknown {
    return message;
  }

  /**
   * Retains the thread for the next run if Vitest has sent a stop message. Without a stop message, the thread may be
   * hanging.
   */
  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) this.#thread.off(event, listener);
    if (!this.#kept || !this.#ended || ++this.#kept.runs >= RUNS) return this.#thread.stop();
    idle.push(this.#kept);
  }
}

/** The value for Vitest's `poolRunner`. */
export const keptThreads = {
  name: 'kept-thread',
  createPoolWorker: (options: PoolOptions): PoolWorker => new KeptThread(options),
};
