/** The clients' observations. A missing response proves nothing, because the request may have been executed or not. */
import type { Operation } from './linearizable.ts';

export interface Acknowledged {
  users: Map<string, string>;
  /** Ids of payments, and the id of the user who reported each. */
  payments: Map<string, string>;
  /** By user id: every read and write of the user's name, by two concurrent clients. */
  names: Map<string, Operation[]>;
  /** Valid tokens, and revoked ones. */
  tokens: Set<string>;
  revoked: Set<string>;
  /** Number of redeemed authorization codes, each by three concurrent requests. */
  redeemed: number;
  /** By user id: the applications of a user who creates the maximum number, by idempotency key. */
  hoards: Map<string, Map<string, string>>;
  /** Answers that should never have been, in words. */
  faults: string[];
  /** How many requests were answered, and how many were not. */
  answered: number;
  unanswered: number;
}

/** An empty record. */
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
