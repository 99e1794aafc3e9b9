/** Schedules the work of a database. */

/** Runs tasks one at a time. All microtasks run between two tasks. */
export interface Turns {
  /** Runs a task after the pending microtasks, but before any other event. */
  soon(task: () => void): void;
  /** Runs the next step of a transaction, immediately or later. */
  step(task: () => void): void;
  /** Runs a task later. Other events can be processed first. */
  later(task: () => void): void;
}

/** A scheduler that can be ended, after which pending tasks never run. */
export class EndableTurns implements Turns {
  #isOver = false;
  readonly #turns: Turns;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  soon(task: () => void): void {
    this.#turns.soon(() => this.#isOver || task());
  }

  step(task: () => void): void {
    this.#turns.step(() => this.#isOver || task());
  }

  later(task: () => void): void {
    this.#turns.later(() => this.#isOver || task());
  }

  end(): void {
    this.#isOver = true;
  }
}
