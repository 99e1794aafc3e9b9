/** Responses of a service or a paymail host that end the attempts to send it something. */
import type { Sent } from '../../../protocol/errors/error-table.ts';
import { meaningOf, type ErrorCode } from '../../../protocol/errors/service-error.ts';

/** True if this code, in the response to a report or a delivery, means that it will never be accepted. */
export function isDeclined(code: ErrorCode, sent: Sent): boolean {
  return meaningOf(code).declines?.includes(sent) ?? false;
}
