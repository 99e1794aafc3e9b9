/** The error that a payment can end in, as the page gets it in `onError`. */
import type { ErrorMeaning } from '../protocol/error-table.ts';
import type { ErrorCode } from '../protocol/errors.ts';
import { ownFields } from './records.ts';

/**
 * `code` is stable (docs/errors.md lists them; a newer wallet may know more), `message` a sentence for people. What the
 * code means comes with it from the wallet, so that the button brings no table of codes along.
 */
export class PaymentError extends Error {
  readonly code: ErrorCode;
  /** Whether the payment has been made: `no`; `yes`, it is signed and will be sent; `unknown`, it may have been. */
  readonly moved: ErrorMeaning['moved'];
  /** The request has ended with this: repeating it changes nothing. */
  readonly final: boolean;
  /** Who can do something about it. */
  readonly blame: ErrorMeaning['blame'];
  /** Set where it concerns an output's recipient, amount or currency. */
  readonly about: ErrorMeaning['about'];

  constructor(code: ErrorCode, message: string, { moved, final, blame, about }: Partial<ErrorMeaning> = {}) {
    super(message);
    this.name = 'PaymentError';
    this.code = code;
    this.moved = moved ?? 'unknown';
    this.final = final === true;
    this.blame = blame ?? 'service';
    this.about = about;
  }
}

/** The error that came from the wallet; what is no error of ours becomes `internal`. */
export function paymentError(error?: unknown): PaymentError {
  const { code, message, ...meaning } = ownFields(error);
  const known = typeof code === 'string' && /^[a-z][a-z-]{1,39}$/.test(code);
  return new PaymentError(
    known ? (code as ErrorCode) : 'internal',
    typeof message === 'string' && message ? message.slice(0, 500) : 'Something went wrong.',
    known ? (meaning as Partial<ErrorMeaning>) : {},
  );
}

/** Is the request itself wrong, so that only the page's author can mend it? No payment has been made then. */
export const isRequestFault = ({ blame, final }: PaymentError) => final && blame === 'page';
