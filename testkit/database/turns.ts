/** The scheduling of a database's work. */

/** Runs tasks one at a time, each after all microtasks of the one before. */
export interface Turns {
  /** Runs a task after the microtasks of this moment, before any other event. */
  soon(task: () => void): void;
  /** Runs the next step of a running transaction: now, or later. */
  step(task: () => void): void;
  /** Runs a task later. Other events may come first. */
  later(task: () => void): void;
}

/** Turns that can be ended. Pending tasks then never run. */
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
