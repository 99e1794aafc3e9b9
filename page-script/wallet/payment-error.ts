/** A payment's error, as passed to the page's `onError`. */
import type { ErrorMeaning } from '../../protocol/errors/error-table.ts';
import type { ErrorCode } from '../../protocol/errors/service-error.ts';
import { ownFields } from '../page/records.ts';

/**
 * `code` is stable (docs/errors.md), but newer wallets may send additional codes. `message` is for users. The wallet
 * also sends the other properties so that the button doesn't need the error table.
 */
export class PaymentError extends Error {
  readonly code: ErrorCode;
  /** Whether money moved. `no`: not paid, `yes`: signed and will be broadcast, `unknown`: may have been paid. */
  readonly moved: ErrorMeaning['moved'];
  /** True if repeating the request is pointless. */
  readonly final: boolean;
  /** The party that can fix the error. */
  readonly blame: ErrorMeaning['blame'];
  /** Set if the error concerns an output's recipient, amount or currency. */
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

/** Converts the wallet's error. Anything malformed becomes `internal`. */
export function paymentError(error?: unknown): PaymentError {
  const { code, message, ...meaning } = ownFields(error);
  const known = typeof code === 'string' && /^[a-z][a-z-]{1,39}$/.test(code);
  return new PaymentError(
    known ? (code as ErrorCode) : 'internal',
    typeof message === 'string' && message ? message.slice(0, 500) : 'Something went wrong.',
    known ? (meaning as Partial<ErrorMeaning>) : {},
  );
}

/** True if the request is invalid and only the page's author can fix it. No payment was made. */
export const isRequestFault = ({ blame, final }: PaymentError) => final && blame === 'page';
