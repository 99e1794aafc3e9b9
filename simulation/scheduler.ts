/**
 * Time, and what happens next: everything in a simulation is a task here, and one after the other is run. Which one of those
 * that are due comes first is decided by luck.
 */
import type { Random } from './random.ts';

interface Task {
  at: number;
  /** Whose it is: it goes with its owner. */
  owner: object | null;
  name: string;
  run: () => void;
}

/** Lets every promise settle that can without another task: Node runs a tick when no microtask is left. */
export const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** Tasks by their time. */
export class Scheduler {
  /** Milliseconds since 1970. */
  now: number;
  /** How many tasks were run. */
  steps = 0;
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
    run: () => void,
    { after = 0, owner = null }: { after?: number; owner?: object | null } = {},
  ): () => void {
    if (owner !== null && this.#gone.has(owner)) return () => undefined;
    const task = { at: this.now + Math.max(0, after), owner, name, run };
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
    if (!this.#run(until)) return false;
    await settled();
    return true;
  }

  /** Runs everything until a time from now (milliseconds), or until `enough`. */
  async pass(ms: number, enough: () => boolean = () => false): Promise<void> {
    const until = this.now + ms;
    while (!enough()) {
      if (!this.#run(until)) {
        this.now = Math.max(this.now, until);
        return;
      }
      await settled();
    }
  }

  #run(until: number): boolean {
    const task = this.#next(until);
    if (!task) return false;
    this.steps += 1;
    this.note(`${task.name}@${this.now};`);
    task.run();
    return true;
  }

  #next(until: number): Task | null {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { at } of this.#tasks) if (at < earliest) earliest = at;
    if (earliest > until) return null;
    this.now = Math.max(this.now, earliest);
    let due = 0;
    for (const { at } of this.#tasks) if (at <= this.now) due += 1;
    let nth = this.#random.below(due);
    const place = this.#tasks.findIndex(({ at }) => at <= this.now && nth-- === 0);
    return this.#tasks.splice(place, 1)[0] ?? null;
  }
}
