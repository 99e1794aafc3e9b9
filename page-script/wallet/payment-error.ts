/** A payment's error, as the page receives it in `onError`. */
import type { ErrorMeaning } from '../../protocol/errors/error-table.ts';
import type { ErrorCode } from '../../protocol/errors/service-error.ts';
import { ownFields } from '../page/records.ts';

/**
 * `code` is stable (docs/errors.md; newer wallets may have more), `message` a sentence for users. The wallet sends the
 * code's meaning, so that the button needs no table of codes.
 */
export class PaymentError extends Error {
  readonly code: ErrorCode;
  /** Whether the payment was made: `no`; `yes`, it is signed and will be sent; `unknown`, it may have been. */
  readonly moved: ErrorMeaning['moved'];
  /** True if repeating the request changes nothing. */
  readonly final: boolean;
  /** Who can fix it. */
  readonly blame: ErrorMeaning['blame'];
  /** Set if it concerns an output's recipient, amount or currency. */
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

/** The wallet's error. Anything else becomes `internal`. */
export function paymentError(error?: unknown): PaymentError {
  const { code, message, ...meaning } = ownFields(error);
  const known = typeof code === 'string' && /^[a-z][a-z-]{1,39}$/.test(code);
  return new PaymentError(
    known ? (code as ErrorCode) : 'internal',
    typeof message === 'string' && message ? message.slice(0, 500) : 'Something went wrong.',
    known ? (meaning as Partial<ErrorMeaning>) : {},
  );
}

/** True if the request itself is wrong, so that only the page's author can fix it. No payment was made then. */
export const isRequestFault = ({ blame, final }: PaymentError) => final && blame === 'page';
