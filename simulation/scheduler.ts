/** Simulates time. All work is done in tasks, which run one at a time, in random order among those that are due. */
import type { Random } from './random.ts';

interface Task {
  at: number;
  /** If the owner is dropped, so is the task. */
  owner: object | null;
  name: string;
  run: () => void;
}

/** Resolves once all promises that don't depend on another task have settled. */
export const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** Runs tasks by their due time. */
export class Scheduler {
  /** Milliseconds since 1970. */
  now: number;
  /** Number of executed tasks. */
  steps = 0;
  /** The owner of the current task, even while the task's promises settle. */
  owner: object | null = null;
  #digest = 0x811c9dc5;
  /** Due tasks, unordered. */
  #due: Task[] = [];
  /** Tasks that aren't due yet, latest first. */
  #later: Task[] = [];
  readonly #following: (() => void)[] = [];
  readonly #gone = new WeakSet<object>();
  readonly #random: Random;

  constructor(random: Random, now: number) {
    this.#random = random;
    this.now = now;
  }

  /** Returns a digest of all events. Equal digests mean identical runs. */
  get digest(): string {
    return (this.#digest >>> 0).toString(16).padStart(8, '0');
  }

  note(text: string): void {
    let digest = this.#digest;
    for (let i = 0; i < text.length; i += 1) digest = Math.imul(digest ^ text.charCodeAt(i), 0x01000193);
    this.#digest = digest;
  }

  /** Adds a task. @returns a function that removes the task */
  add(
    name: string,
    run: () => void,
    { after = 0, owner = null }: { after?: number; owner?: object | null } = {},
  ): () => void {
    if (owner !== null && this.#gone.has(owner)) return () => undefined;
    const task: Task = { at: this.now + Math.max(0, after), owner, name, run };
    if (after <= 0) this.#due.push(task);
    else {
      let [from, to] = [0, this.#later.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if ((this.#later[middle] as Task).at > task.at) from = middle + 1;
        else to = middle;
      }
      this.#later.splice(from, 0, task);
    }
    return () => {
      remove(this.#due, task);
      remove(this.#later, task);
    };
  }

  /** Runs a callback as part of the current task, after its promises have settled. */
  follow(run: () => void): void {
    this.#following.push(run);
  }

  /** Drops an owner's tasks, including those added later. */
  drop(owner: object): void {
    this.#gone.add(owner);
    const isOthers = (task: Task) => task.owner !== owner;
    this.#due = this.#due.filter(isOthers);
    this.#later = this.#later.filter(isOthers);
  }

  /** Runs one task that is due by `until`. Time advances only if no task is due. @returns false if there is no task */
  async step(until = this.now): Promise<boolean> {
    if (!this.#run(until)) return false;
    await settled();
    while (this.#follow()) await settled();
    return true;
  }

  /** Runs tasks for `ms` milliseconds of simulated time, or until `enough` returns true. */
  async pass(ms: number, enough: () => boolean = () => false): Promise<void> {
    const until = this.now + ms;
    while (!enough()) {
      if (!this.#run(until)) {
        this.now = Math.max(this.now, until);
        return;
      }
      await settled();
      while (this.#follow()) await settled();
    }
  }

  #follow(): boolean {
    const next = this.#following.shift();
    next?.();
    return next !== undefined;
  }

  #run(until: number): boolean {
    const task = this.#next(until);
    if (!task) return false;
    this.steps += 1;
    this.owner = task.owner;
    this.note(`${task.name}@${this.now};`);
    task.run();
    return true;
  }

  #next(until: number): Task | undefined {
    const earliest = this.#later.at(-1)?.at ?? Number.POSITIVE_INFINITY;
    if (this.#due.length === 0) {
      if (earliest > until) return undefined;
      this.now = Math.max(this.now, earliest);
    }
    while (this.#later.length > 0 && (this.#later.at(-1) as Task).at <= this.now)
      this.#due.push(this.#later.pop() as Task);
    const at = this.#random.below(this.#due.length);
    const task = this.#due[at];
    const last = this.#due.pop() as Task;
    if (last !== task) this.#due[at] = last;
    return task;
  }
}

function remove(tasks: Task[], task: Task): void {
  const at = tasks.indexOf(task);
  if (at >= 0) tasks.splice(at, 1);
}
