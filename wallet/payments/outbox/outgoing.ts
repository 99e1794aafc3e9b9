/** A report or transaction that another party must receive once the network has accepted the payment. */
import type { Sent } from '../../../protocol/errors/error-table.ts';
import type { ErrorCode } from '../../../protocol/errors/service-error.ts';
import type { PaymentRecord } from '../record.ts';
import type { Retry } from '../retry.ts';

export interface Rejection {
  /** An error code, or a host's HTTP status. */
  problem: string;
  /** True if the item will never be accepted. */
  final: boolean;
}

/** An item's state and schedule, as stored in the payment's record. */
export interface Tried extends Retry {
  state: 'waiting' | 'done' | 'refused' | 'given-up';
}

export interface Outgoing {
  kind: Sent;
  /** The receiver's origin. */
  target: string;
  retry: Retry;
  /** The problem to record if there is no response. */
  silence: ErrorCode;
  /** Makes one attempt. @returns null if accepted @throws if there is no response, which never ends the attempts */
  send(headers?: Record<string, string>): Promise<Rejection | null>;
  /** Returns the item after an attempt. */
  after(rejection: Rejection | null): Tried | Promise<Tried>;
  /** Returns the payment with the changed item. */
  put(now: PaymentRecord, changed: Partial<Tried>): PaymentRecord;
}
