/** Answers of a service or a paymail host that end the attempts to give it something. */
import type { Sent } from '../../../protocol/error-table.ts';
import { meaningOf, type ErrorCode } from '../../../protocol/errors.ts';

/** Does this code, in the answer to a report or a delivery, mean that it will never be accepted? */
export function isDeclined(code: ErrorCode, sent: Sent): boolean {
  return meaningOf(code).declines?.includes(sent) ?? false;
}
