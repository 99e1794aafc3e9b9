/**
 * Errors that say that the request itself is wrong: whoever made the page can mend it, a user cannot, and asking again
 * brings the same. Apart from errors.ts, whose texts have no place in the button's script.
 */
import type { ErrorCode } from './errors.ts';

const REQUEST_FAULTS: readonly ErrorCode[] = [
  'invalid-request',
  'invalid-recipient',
  'invalid-amount',
  'invalid-currency',
  'invalid-operation',
  'amount-too-small',
  'mixed-currencies',
  'data-too-large',
  'too-large',
  'forbidden-data',
  'unsupported-method',
];

/** Is what went wrong the request's own fault? No payment has been made then. */
export function isRequestFault(code: ErrorCode): boolean {
  return REQUEST_FAULTS.includes(code);
}
