/** Whether a statement failed because there is no database to be reached: it restarts, or the network to it is down. */

import { DrizzleQueryError } from 'drizzle-orm/errors';

/**
 * Codes by which PostgreSQL ends connections or takes no more (postgresql.org/docs/18/errcodes-appendix.html), besides
 * class 08 (but for 08P01, a fault of ours): shut down, crashed, starting, full.
 */
const REFUSALS = new Set(['57P01', '57P02', '57P03', '53300']);
/** What the `pg` package says where a connection ended or was never made, without a code. */
const ENDED =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** System calls of a connection: refused, reset, or no socket file. */
const SYSCALLS = new Set<unknown>(['connect', 'read', 'write']);

/** Is this error of a statement, or what caused it, a database that is away? Whether it took effect is then unknown. */
export function isDatabaseAway(error: unknown): boolean {
  const isStatement = error instanceof DrizzleQueryError;
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code, syscall } = at as { code?: unknown; syscall?: unknown };
    if (typeof code === 'string' && (REFUSALS.has(code) || /^08(?!P01)...$/.test(code))) return true;
    // A request to another host has such an error only for its cause; no connection could be made for a transaction.
    if (isStatement ? SYSCALLS.has(syscall) : at === error && syscall === 'connect') return true;
    if (ENDED.test(at.message)) return true;
  }
  return false;
}
