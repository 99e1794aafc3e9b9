/** Answers of a service or a paymail host that end the attempts to give it something. */
import { meaningOf, type ErrorCode } from '../../../protocol/errors.ts';

/** Will whoever answers with this code never take the same thing? */
export function isDeclined(code: ErrorCode): boolean {
  const { final, http } = meaningOf(code);
  return final && http !== undefined && http < 500;
}
