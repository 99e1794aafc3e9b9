/** What clients saw: a missing answer proves nothing, because the request may have been executed or not. */
import type { Operation } from './linearizable.ts';

/** What the service has acknowledged. */
export interface Acknowledged {
  /** Handles by user id. */
  users: Map<string, string>;
  /** Ids of payments, and the id of the user who reported each. */
  payments: Map<string, string>;
  /** By user id: every reading and writing of the user's name, by two clients at once. */
  names: Map<string, Operation[]>;
  /** Valid tokens, and revoked ones. */
  tokens: Set<string>;
  revoked: Set<string>;
  /** How many authorization codes were redeemed, each by three at once. */
  redeemed: number;
  /** By user id: the applications that somebody made who makes as many as there may be, by idempotency key. */
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
