/** Classifies statement errors that mean a restarting, unreachable, silent or read-only database. */

import { DrizzleQueryError } from 'drizzle-orm/errors';

/** A statement got no answer in time. Its connection was cut; whether it took effect is unknown. */
export class SilentDatabaseError extends Error {
  readonly code = 'DATABASE_SILENT';

  constructor() {
    super('The database did not answer in time.');
    this.name = 'SilentDatabaseError';
  }
}

/** How a database is unusable: `silent`, `read-only` (a standby), `writes-fail` (its disk), `away` (no connection can be used). */
export type DatabaseFault = 'silent' | 'read-only' | 'writes-fail' | 'away';

/** PostgreSQL's error codes, or their first characters, after which a connection isn't used again. */
const FAULTS: readonly [start: string, fault: DatabaseFault][] = [
  // A hot standby, or a demoted server.
  ['25006', 'read-only'],
  // Disk full, or the file system fails.
  ['53100', 'writes-fail'],
  ['58', 'writes-fail'],
  // Out of memory or another resource.
  ['53', 'away'],
  // Shut down, crashed, starting or dropped, or the server ended the session or transaction.
  ['57P0', 'away'],
  ['25P03', 'away'],
  ['25P04', 'away'],
  ['08', 'away'],
];
/** A protocol violation: our error unless it ends the session, as PgBouncer uses it for any ended session. */
const PROTOCOL_VIOLATION = '08P01';
/** Deadlock, serialization failure, canceled: the same statement may succeed immediately. */
const RETRYABLE = new Set(['40P01', '40001', '57014']);

/** Messages of the `pg` package for a connection that ended or was never made, without a code. */
const ENDED =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** System calls of a connection: refused, reset, or no socket file. */
const SYSCALLS = new Set<unknown>(['connect', 'read', 'write']);

/** The fault that a statement's error shows; null if the connection can be used again. */
export function faultOf({ code, severity }: Error & { code?: unknown; severity?: unknown }): DatabaseFault | null {
  if (code === 'DATABASE_SILENT') return 'silent';
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return null;
  if (code === PROTOCOL_VIOLATION && severity !== 'FATAL') return null;
  return FAULTS.find(([start]) => code.startsWith(start))?.[1] ?? null;
}

/** True if an error of a statement, or its cause, means that the same request may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  const isStatement = error instanceof DrizzleQueryError;
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code, syscall } = at as { code?: unknown; syscall?: unknown };
    if (faultOf(at) !== null || (typeof code === 'string' && RETRYABLE.has(code))) return true;
    // In a request to another host such an error is only the cause. Without a statement, no connection could be made
    // for a transaction.
    if (isStatement ? SYSCALLS.has(syscall) : at === error && syscall === 'connect') return true;
    if (ENDED.test(at.message)) return true;
  }
  return false;
}
