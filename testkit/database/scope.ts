/** The interface of a transaction for its stores, indexes and cursors. */
import type { Undo } from './records.ts';

/** A transaction's mode. */
export type Mode = 'readonly' | 'readwrite' | 'versionchange';

export interface Scope {
  readonly mode: Mode;
  readonly isOver: boolean;
  /** Reverts its changes. */
  readonly undo: Undo;
  beforeCommit: () => void;
  /** @throws TransactionInactiveError */
  demandActive(): void;
  /** Answers a request in its turn. @throws TransactionInactiveError */
  request<T>(work: () => T): Promise<T>;
  /** Runs something that must not make requests, such as a value's getters. */
  whileInactive<T>(work: () => T): T;
}
