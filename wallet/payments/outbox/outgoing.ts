/** A report or a transaction that another party must receive once the network has the payment. */
import type { Sent } from '../../../protocol/errors/error-table.ts';
import type { ErrorCode } from '../../../protocol/errors/service-error.ts';
import type { PaymentRecord } from '../record.ts';
import type { Retry } from '../retry.ts';

export interface Rejection {
  /** An error code, or a host's status. */
  problem: string;
  /** True if it will never be accepted. */
  final: boolean;
}

/** An item's state and schedule, as stored in its payment's record. */
export interface Tried extends Retry {
  state: 'waiting' | 'done' | 'refused' | 'given-up';
}

export interface Outgoing {
  kind: Sent;
  /** The receiving origin. */
  target: string;
  clock: Retry;
  /** The problem to record if there is no response. */
  silence: ErrorCode;
  /** Makes one attempt. @returns null if it was accepted @throws if there is no response, which never ends the attempts */
  send(headers?: Record<string, string>): Promise<Rejection | null>;
  /** The item after an attempt. */
  after(rejection: Rejection | null): Tried | Promise<Tried>;
  /** The payment with the changed item. */
  put(now: PaymentRecord, changed: Partial<Tried>): PaymentRecord;
}
