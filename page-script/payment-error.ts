/** The error that a payment can end in, as the page gets it in `onError`. */
import type { ErrorCode } from '../protocol/errors.ts';

/**
 * `code` is stable (protocol/errors.ts lists them; a newer wallet may know more), `message` a sentence for people.
 * It is not the protocol's own ServiceError, because that one brings every text of the product along.
 */
export class PaymentError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'PaymentError';
    this.code = code;
  }
}

/** The error that came from the wallet; what is no error of ours becomes `internal`. */
export function paymentError(code?: unknown, message?: unknown): PaymentError {
  const known = typeof code === 'string' && /^[a-z][a-z-]{1,39}$/.test(code);
  return new PaymentError(
    known ? (code as ErrorCode) : 'internal',
    typeof message === 'string' && message ? message.slice(0, 500) : 'Something went wrong.',
  );
}
