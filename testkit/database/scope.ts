/** The part of a transaction that its stores, indexes and cursors use. */
import type { Undo } from './records.ts';

export type Mode = 'readonly' | 'readwrite' | 'versionchange';

export interface Scope {
  readonly mode: Mode;
  readonly isOver: boolean;
  /** Functions that revert the transaction's changes. */
  readonly undo: Undo;
  beforeCommit: () => void;
  /** @throws TransactionInactiveError */
  demandActive(): void;
  /** Queues a request. @throws TransactionInactiveError */
  request<T>(work: () => T): Promise<T>;
  /** Runs code that must not make requests, such as a value's getters. */
  whileInactive<T>(work: () => T): T;
}
