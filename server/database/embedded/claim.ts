/**
 * Exclusive use of a resource by one process: an advisory lock in an open PostgreSQL transaction, which ends with the
 * process. Behind PgBouncer, a session lock would outlive the process.
 */
import { WatchedClient } from '../watched-client.ts';
import { StartError } from './start-error.ts';

export interface Claim {
  /** Calls `listener` once if the connection, and therefore the claim, is lost, but not after {@link Claim.release}. */
  onLost(listener: () => void): void;
  release(): Promise<void>;
}

/** The result if another process holds the claim: its PID, or null if unknown. */
export interface Claimed {
  claimedBy: number | null;
}

export function inUse({ claimedBy }: Claimed, folder: string): StartError {
  const who = claimedBy === null ? 'Another process' : `Another process (pid ${claimedBy})`;
  return new StartError(
    'data-folder-in-use',
    `${who} already uses ${folder}. Stop it first, or choose another DATA_DIR.`,
  );
}

const NAME = 'service-button ';

/** Claims `key` on the server at `url`, or returns its current holder. @param key 63 bits that identify the resource */
export async function claim(url: string, key: bigint): Promise<Claim | Claimed> {
  const client = new WatchedClient({
    connectionString: url,
    application_name: `${NAME}${process.pid}`,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  let [lost, released] = [false, false];
  let listener: () => void = () => {};
  const lose = () => {
    if (lost || released) return;
    lost = true;
    listener();
  };
  client.on('error', lose);
  client.on('end', lose);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    const taken = (await client.query('select pg_try_advisory_xact_lock($1) as ok', [key])) as {
      rows: { ok: boolean }[];
    };
    if (taken.rows[0]?.ok) {
      return {
        onLost(told) {
          listener = told;
          if (lost) told();
        },
        async release() {
          released = true;
          await client.end();
        },
      };
    }
    // pg_locks splits a 64-bit key into two halves (objsubid 1).
    const holder = (await client.query(
      `select a.application_name as name from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and (l.classid::bigint << 32 | l.objid::bigint) = $1`,
      [key],
    )) as { rows: { name: string }[] };
    await client.end();
    const name = holder.rows[0]?.name ?? '';
    return { claimedBy: name.startsWith(NAME) ? Number(name.slice(NAME.length)) : null };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
