/** A transaction, as its stores, indexes and cursors use it. */
import type { Undo } from './records.ts';

/** A transaction's mode. */
export type Mode = 'readonly' | 'readwrite' | 'versionchange';

/** See the file's comment. */
export interface Scope {
  readonly mode: Mode;
  readonly isOver: boolean;
  /** Reverts its changes. */
  readonly undo: Undo;
  /** Called before the commit, which fails if it throws: for tests of a full disk. */
  beforeCommit: () => void;
  /** @throws TransactionInactiveError */
  demandActive(): void;
  /** Answers a request in its turn. @throws TransactionInactiveError */
  request<T>(work: () => T): Promise<T>;
  /** Runs something that must not make requests, such as a value's getters. */
  whileInactive<T>(work: () => T): T;
}
