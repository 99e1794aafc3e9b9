/**
 * A claim says that one process uses something alone. It is an advisory lock of PostgreSQL, held by a transaction that stays
 * open: it ends with its process, however that ends, and nothing is left to be cleaned up. A lock of the session would stay
 * with the server process that PgBouncer keeps for others.
 */
import { WatchedClient } from '../watched-client.ts';
import { StartError } from './start-error.ts';

/** A held claim. */
export interface Claim {
  /** Called once, when the connection is lost and the claim with it; not after {@link Claim.release}. */
  onLost(listener: () => void): void;
  release(): Promise<void>;
}

/** Somebody else has it: their process's number, null where it is unknown. */
export interface Claimed {
  claimedBy: number | null;
}

/** What is told of it. */
export function inUse({ claimedBy }: Claimed, folder: string): StartError {
  const who = claimedBy === null ? 'Another process' : `Another process (pid ${claimedBy})`;
  return new StartError(
    'data-folder-in-use',
    `${who} already uses ${folder}. Stop it first, or choose another DATA_DIR.`,
  );
}

const NAME = 'service-button ';

/**
 * Claims `key` on the server at `url`, or says who has it.
 * @param key a number of 63 bits that means what is claimed
 */
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
    // A key of 64 bits stands in two halves (pg_locks, objsubid 1).
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
