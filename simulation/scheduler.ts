/**
 * Time, and what happens next: everything in a simulation is a task here, and one after the other is run. Which one of those
 * that are due comes first is decided by luck; within a lane (a database's work, say) they keep their order.
 */
import type { Random } from './random.ts';

interface Task {
  at: number;
  /** Whose it is: it goes with its owner. */
  owner: object | null;
  lane: string | null;
  name: string;
  run: () => unknown;
}

/** Lets every promise settle that can without another task: Node runs a tick when no microtask is left. */
export const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** Tasks by their time. */
export class Scheduler {
  /** Milliseconds since 1970. */
  now: number;
  /** How many tasks were run. */
  steps = 0;
  /** Called after each. */
  afterStep: (lane: string | null) => void = () => undefined;
  #digest = 0x811c9dc5;
  #tasks: Task[] = [];
  readonly #gone = new WeakSet<object>();
  readonly #random: Random;

  constructor(random: Random, now: number) {
    this.#random = random;
    this.now = now;
  }

  /** Names all that has happened: equal for two runs only if they went the same way. */
  get digest(): string {
    return (this.#digest >>> 0).toString(16).padStart(8, '0');
  }

  /** Adds to what the digest is of. */
  note(text: string): void {
    for (let i = 0; i < text.length; i += 1) this.#digest = Math.imul(this.#digest ^ text.charCodeAt(i), 0x01000193);
  }

  /** Adds a task. @returns takes it away again */
  add(
    name: string,
    run: () => unknown,
    { after = 0, owner = null, lane = null }: { after?: number; owner?: object | null; lane?: string | null } = {},
  ): () => void {
    if (owner !== null && this.#gone.has(owner)) return () => undefined;
    const task = { at: this.now + Math.max(0, after), owner, lane, name, run };
    this.#tasks.push(task);
    return () => void (this.#tasks = this.#tasks.filter((one) => one !== task));
  }

  /** The tasks of an owner never run, those that it is still given included. */
  drop(owner: object): void {
    this.#gone.add(owner);
    this.#tasks = this.#tasks.filter((one) => one.owner !== owner);
  }

  /** Runs the next task, if there is one until a time: time passes only where none is due. */
  async step(until = this.now): Promise<boolean> {
    const task = this.#next(until);
    if (!task) return false;
    this.steps += 1;
    this.note(`${task.name}@${this.now};`);
    await task.run();
    await settled();
    this.afterStep(task.lane);
    return true;
  }

  /** Runs everything until a time from now (milliseconds), or until `enough`. */
  async pass(ms: number, enough: () => boolean = () => false): Promise<void> {
    const until = this.now + ms;
    while (!enough()) {
      if (await this.step(until)) continue;
      this.now = Math.max(this.now, until);
      return;
    }
  }

  #next(until: number): Task | null {
    const heads: Task[] = [];
    const lanes = new Set<string>();
    let earliest = Number.POSITIVE_INFINITY;
    for (const task of this.#tasks) {
      if (task.lane !== null && lanes.has(task.lane)) continue;
      if (task.lane !== null) lanes.add(task.lane);
      heads.push(task);
      earliest = Math.min(earliest, task.at);
    }
    if (earliest > until) return null;
    this.now = Math.max(this.now, earliest);
    const task = this.#random.pick(heads.filter(({ at }) => at <= this.now));
    this.#tasks.splice(this.#tasks.indexOf(task), 1);
    return task;
  }
}
