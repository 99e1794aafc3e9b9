/** Records the clients' observations. A request without a response may or may not have been executed. */
import type { Operation } from './linearizable.ts';

export interface Acknowledged {
  users: Map<string, string>;
  /** The reporting user's ID, by payment ID. */
  payments: Map<string, string>;
  /** Every read and write of a user's name by two concurrent clients, by user ID. */
  names: Map<string, Operation[]>;
  tokens: Set<string>;
  revoked: Set<string>;
  /** Number of redeemed authorization codes. Each code was sent in three concurrent requests. */
  redeemed: number;
  /** The applications of users who create as many as allowed, by user ID and idempotency key. */
  hoards: Map<string, Map<string, string>>;
  /** Descriptions of responses that should never have been sent. */
  faults: string[];
  answered: number;
  unanswered: number;
}

export const newNotes = (): Acknowledged => ({
  users: new Map(),
  payments: new Map(),
  names: new Map(),
  tokens: new Set(),
  revoked: new Set(),
  redeemed: 0,
  hoards: new Map(),
  faults: [],
  answered: 0,
  unanswered: 0,
});
