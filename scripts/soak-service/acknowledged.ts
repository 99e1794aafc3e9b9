/** The clients' observations. A request without a response may have been executed or not. */
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
  /** Responses that should never have been sent, in words. */
  faults: string[];
  /** The numbers of requests with and without a response. */
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
