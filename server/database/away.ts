/** Classifies statement errors that mean the database is restarting, unreachable, unresponsive or read-only. */

import { DrizzleQueryError } from 'drizzle-orm/errors';

/** A statement timed out, and its connection was closed. Whether the statement took effect is unknown. */
export class SilentDatabaseError extends Error {
  readonly code = 'DATABASE_SILENT';

  constructor() {
    super('The database did not answer in time.');
    this.name = 'SilentDatabaseError';
  }
}

/** Why the database is unusable: timeouts, read-only mode, a failing disk, or no usable connection. */
export type DatabaseFault = 'silent' | 'read-only' | 'writes-fail' | 'away';

/** PostgreSQL error codes, or prefixes of them, after which a connection isn't reused. */
const FAULTS: readonly [start: string, fault: DatabaseFault][] = [
  // A hot standby, or a demoted primary.
  ['25006', 'read-only'],
  // The disk is full, or the file system fails.
  ['53100', 'writes-fail'],
  ['58', 'writes-fail'],
  // Out of memory or another resource.
  ['53', 'away'],
  // The server shut down, crashed or is starting, the database was dropped, or a session or transaction was terminated.
  ['57P0', 'away'],
  ['25P03', 'away'],
  ['25P04', 'away'],
  ['08', 'away'],
];
/** Protocol violation: our own bug unless it ends the session. PgBouncer also uses it for any terminated session. */
const PROTOCOL_VIOLATION = '08P01';
/** Deadlock, serialization failure, cancellation. Retrying the statement can succeed immediately. */
const RETRYABLE = new Set(['40P01', '40001', '57014']);

/** Messages of `pg` errors without a code, for connections that ended or were never established. */
const ENDED =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** System calls that fail if a connection is refused or reset, or if its socket file is missing. */
const SYSCALLS = new Set<unknown>(['connect', 'read', 'write']);

/** Returns the fault behind a statement's error, or null if the connection can be reused. */
export function faultOf({ code, severity }: Error & { code?: unknown; severity?: unknown }): DatabaseFault | null {
  if (code === 'DATABASE_SILENT') return 'silent';
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return null;
  if (code === PROTOCOL_VIOLATION && severity !== 'FATAL') return null;
  return FAULTS.find(([start]) => code.startsWith(start))?.[1] ?? null;
}

/** True if a statement's error, or its cause, means that the same request can succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  const isStatement = error instanceof DrizzleQueryError;
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code, syscall } = at as { code?: unknown; syscall?: unknown };
    if (faultOf(at) !== null || (typeof code === 'string' && RETRYABLE.has(code))) return true;
    // Outside a statement, `connect` means that no connection could be opened for a transaction. Errors from requests
    // to other hosts contain system calls only in their cause.
    if (isStatement ? SYSCALLS.has(syscall) : at === error && syscall === 'connect') return true;
    if (ENDED.test(at.message)) return true;
  }
  return false;
}
