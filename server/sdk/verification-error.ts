/**
 * Why verification failed:
 * - `invalid-signature`: not signed with this secret, or changed since;
 * - `stale`: signed, but too long ago (or in the future): possibly an old message that is replayed;
 * - `malformed`: not what the service sends;
 * - `not-found`: no such payment, or none that this application may see;
 * - `not-paid`: the payment has failed, or is not as far as was asked for;
 * - `mismatch`: another payment than the expected one: too little, to somebody else, by another button;
 * - `contested`: another transaction competes with it, an operator rejected it, or the network no longer knows it;
 * - `unverified`: it pays tokens, and the service does not know (yet) whether its sender had them;
 * - `unsupported`: what was expected cannot be checked against the transaction;
 * - `unavailable`: the service could not be asked. Nothing is said about the payment: ask again.
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

/** The one error of this module. `message` is for the shop's log, not for its visitors. */
export class VerificationError extends Error {
  readonly code: VerificationCode;

  constructor(code: VerificationCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'VerificationError';
    this.code = code;
  }
}
