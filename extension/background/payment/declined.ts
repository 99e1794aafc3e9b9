/** Answers of a service or a paymail host that end the attempts to give it something. */
import type { Sent } from '../../../protocol/error-table.ts';
import { meaningOf, type ErrorCode } from '../../../protocol/errors.ts';

/** Will whoever answers this code to a report, or to a delivery, never take it? */
export function isDeclined(code: ErrorCode, sent: Sent): boolean {
  return meaningOf(code).declines?.includes(sent) ?? false;
}
