/**
 * Time, and what happens next: everything in a simulation is a task here, and one after the other is run. Which one of
 * those that are due comes first is decided by luck.
 */
import type { Random } from './random.ts';

interface Task {
  at: number;
  /** The owner, which takes its tasks with it. */
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
  /** Another number in every task and in what follows it. */
  turn = 0;
  #digest = 0x811c9dc5;
  /** Those whose time has come, in no order. */
  #due: Task[] = [];
  /** The others, the latest first. */
  #later: Task[] = [];
  readonly #following: (() => void)[] = [];
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

  note(text: string): void {
    let digest = this.#digest;
    for (let i = 0; i < text.length; i += 1) digest = Math.imul(digest ^ text.charCodeAt(i), 0x01000193);
    this.#digest = digest;
  }

  /** Adds a task. @returns takes it away again */
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

  /** Has something run once the task of this moment is settled, as a part of it. */
  follow(run: () => void): void {
    this.#following.push(run);
  }

  /** The tasks of an owner never run, those that it is still given included. */
  drop(owner: object): void {
    this.#gone.add(owner);
    const isOthers = (task: Task) => task.owner !== owner;
    this.#due = this.#due.filter(isOthers);
    this.#later = this.#later.filter(isOthers);
  }

  /** Runs the next task, if there is one until a time: time passes only where none is due. */
  async step(until = this.now): Promise<boolean> {
    if (!this.#run(until)) return false;
    await settled();
    while (this.#follow()) await settled();
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
      while (this.#follow()) await settled();
    }
  }

  #follow(): boolean {
    const next = this.#following.shift();
    this.turn += 1;
    next?.();
    return next !== undefined;
  }

  #run(until: number): boolean {
    const task = this.#next(until);
    if (!task) return false;
    this.steps += 1;
    this.turn += 1;
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
