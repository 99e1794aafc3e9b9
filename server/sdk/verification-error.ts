/**
 * Why verification failed:
 * - `invalid-signature`: not signed with this secret, or modified;
 * - `stale`: signed too long ago, or in the future; possibly a replay;
 * - `malformed`: not in the service's format;
 * - `not-found`: no such payment, or this application can't read it;
 * - `not-paid`: the payment has failed, or hasn't reached the required status;
 * - `mismatch`: not the expected payment, such as a wrong amount, recipient or button;
 * - `contested`: another transaction competes with it, an operator rejected it, or the network no longer has it;
 * - `unverified`: it pays tokens, and the service hasn't verified (yet) that the sender had them;
 * - `unsupported`: the expectation can't be checked against the transaction;
 * - `unavailable`: the service couldn't be reached. The payment's status is unknown, so retry.
 */
export type VerificationCode =
  | 'invalid-signature'
  | 'stale'
  | 'malformed'
  | 'not-found'
  | 'not-paid'
  | 'mismatch'
  | 'contested'
  | 'unverified'
  | 'unsupported'
  | 'unavailable';

/** Thrown by every failed verification. `message` is for the merchant's log, not for visitors. */
export class VerificationError extends Error {
  readonly code: VerificationCode;

  constructor(code: VerificationCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'VerificationError';
    this.code = code;
  }
}
