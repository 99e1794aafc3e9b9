/**
 * Limits on how often something is asked, as token buckets in the database, so that all instances count together
 * (RFC 6585, section 4: 429 with Retry-After).
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { inArray, lte, sql } from 'drizzle-orm';
import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../protocol/errors.ts';
import { inBatches } from '../database/batch.ts';
import type { Database } from '../database/connect.ts';
import { rateLimits } from '../database/schema.ts';

/** A limit: `perMinute` in the long run, `burst` at once. */
export interface Limit {
  name: string;
  perMinute: number;
  burst: number;
}

/** What counts requests. */
export interface RateLimits {
  /**
   * Takes one request out of somebody's bucket, or as many units of it as `count` says; of a whole bucket at most.
   * @param whom whom the limit counts; only its hash is stored
   * @throws ServiceError `too-many-requests`, with `Retry-After` set on the answer
   */
  take(limit: Limit, whom: string, response: Response, count?: number): Promise<void>;
  /**
   * {@link RateLimits.take} for where a request comes from: its address, and the networks that this may be one of many
   * in.
   */
  takeByAddress(limit: Limit, request: Request, response: Response): Promise<void>;
  /** {@link RateLimits.takeByAddress} before a route. */
  limit(limit: Limit): RequestHandler;
}

/** What is taken out of a bucket: `count` requests, of `burst` that it holds when it is full. */
interface Take {
  count: number;
  perMinute: number;
  burst: number;
}

/** What was taken from the database and is not used up yet; 'nothing' where the bucket is empty. */
interface Held {
  left: number | 'nothing';
  /** It counts within this time. A clock that was set back is before it. */
  since: number;
  until: number;
}

/** A bucket is asked for a hundredth of its burst at once: one write for as many requests. */
const SHARE = 100;
/** What is held of a bucket that is no longer asked for is let go after this (milliseconds). */
const HOLD_MS = 5_000;
/** Most buckets that a process remembers. */
const MOST_HELD = 10_000;
/**
 * A bucket that was written this much later than now was written before the clock was set back, and counts as full: a
 * refused take writes nothing, so it would stay empty until then. Clocks of several instances differ by less.
 */
const SET_BACK = '1 minute';
/** Thousandths of a request: what the table counts in. */
const ONE = 1000;
/** More does not fit into the table's column. */
const LARGEST_BURST = 2_000_000;

/** True if what is held still counts at this time. */
const counts = ({ since, until }: Held, time: number) => since <= time && time < until;

/** No request is counted. */
export const noLimits: RateLimits = {
  take: async () => {},
  takeByAddress: async () => {},
  limit: () => (_request, _response, next) => next(),
};

/** @param factor multiplies every limit; null turns all of them off */
export function createRateLimits({
  db,
  now,
  factor = 1,
}: {
  db: Database;
  now: () => Date;
  factor?: number | null;
}): RateLimits {
  if (factor === null) return noLimits;
  const times = factor;
  const held = new Map<string, Held>();
  const under = new Map<string, Promise<void>>();

  async function take(limit: Limit, whom: string, response: Response, count = 1): Promise<void> {
    const perMinute = limit.perMinute * times;
    const burst = Math.min(LARGEST_BURST, Math.max(1, Math.floor(limit.burst * times)));
    const key = `${limit.name}:${whom}`;
    if (count > 1) {
      const units = Math.min(count, burst);
      const had = await takeFromBuckets([storedKey(limit, whom)], { count: units, perMinute, burst });
      if (had.size === 0) throw refused(response, (60_000 * units) / perMinute);
      return;
    }
    while (!takeHeld(key)) {
      const known = held.get(key);
      const time = now().getTime();
      if (known?.left === 'nothing' && counts(known, time)) throw refused(response, known.until - time);
      // One question at a time for a bucket: whoever comes meanwhile looks at what it brought.
      const asking =
        under.get(key) ?? ask(key, storedKey(limit, whom), perMinute, burst).finally(() => under.delete(key));
      under.set(key, asking);
      await asking;
    }
  }

  /** Takes one request of what was taken from the database before, if there is any left. */
  function takeHeld(key: string): boolean {
    const known = held.get(key);
    if (!known || known.left === 'nothing' || known.left === 0 || !counts(known, now().getTime())) return false;
    known.left -= 1;
    return true;
  }

  /** Takes a share of a bucket out of the database, or notes that there is none. */
  async function ask(key: string, stored: string, perMinute: number, burst: number): Promise<void> {
    const share = Math.max(1, Math.floor(burst / SHARE));
    // A bucket too low for the whole share may still have one.
    const has = (count: number) => takeFromBucket(stored, { count, perMinute, burst });
    const got = (await has(share)) ? share : share > 1 && (await has(1)) ? 1 : 0;
    if (held.size >= MOST_HELD) held.clear();
    // Until the next one is due the database is not asked again: a flood costs nothing more.
    const since = now().getTime();
    held.set(
      key,
      got > 0
        ? { left: got, since, until: since + HOLD_MS }
        : { left: 'nothing', since, until: since + Math.ceil(60_000 / perMinute) },
    );
  }

  /**
   * Takes so much out of each of these buckets, which are different ones, and answers with those that had it. A refused
   * take changes nothing. One statement, so that of any number at once none gets what another took; in the order of
   * their keys, so that no two wait for each other.
   */
  const statement = (() => {
    const [taken, full, perMinute, time] = ['taken', 'full', 'perMinute', 'time'].map((name) => sql.placeholder(name));
    const elapsedMs = sql`greatest(0, extract(epoch from excluded.updated_at - ${rateLimits.updatedAt}) * 1000)`;
    // Requests a minute are as many sixtieths of a thousandth a millisecond.
    const isSetBack = sql`${rateLimits.updatedAt} > excluded.updated_at + interval '${sql.raw(SET_BACK)}'`;
    const filled = sql`case when ${isSetBack} then ${full}::float8 else least(${full}::float8, ${rateLimits.left} + floor(${elapsedMs} * ${perMinute}::float8 / 60)) end`;
    return db
      .insert(rateLimits)
      .select(
        sql`select key, (${full}::float8 - ${taken}::float8)::integer, ${time}::timestamptz from unnest(${sql.placeholder('keys')}::text[]) as t (key) order by key`,
      )
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: {
          left: sql`((${filled}) - ${taken}::float8)::integer`,
          updatedAt: sql`case when ${isSetBack} then excluded.updated_at else greatest(${rateLimits.updatedAt}, excluded.updated_at) end`,
        },
        setWhere: sql`(${filled}) >= ${taken}::float8`,
      })
      .returning({ key: rateLimits.key })
      .prepare('take_from_buckets');
  })();

  async function takeFromBuckets(keys: readonly string[], { count, perMinute, burst }: Take): Promise<Set<string>> {
    const [taken, full, time] = [count * ONE, burst * ONE, now().toISOString()];
    const rows = await statement.execute({ keys, taken, full, perMinute, time });
    return new Set(rows.map(({ key }) => key));
  }

  /** Takes whose limit and count are the same, and that are asked for at the same time, share a statement and a commit. */
  const batches = new Map<string, (key: string) => Promise<boolean>>();
  function takeFromBucket(key: string, take: Take): Promise<boolean> {
    const alike = `${take.count} ${take.perMinute} ${take.burst}`;
    let batch = batches.get(alike);
    if (!batch) {
      batch = inBatches(async (keys: readonly string[]) => {
        const had = await takeFromBuckets(keys, take);
        return keys.map((one) => had.has(one));
      });
      batches.set(alike, batch);
    }
    return batch(key);
  }

  async function takeByAddress({ name, perMinute, burst }: Limit, request: Request, response: Response): Promise<void> {
    // The narrowest first: what it refuses takes nothing from its neighbours.
    for (const { network, times: more } of networksOf(request))
      await take({ name, perMinute: perMinute * more, burst: burst * more }, network, response);
  }

  return {
    take,
    takeByAddress,
    limit(limit) {
      const count: RequestHandler = async (request, response, next) => {
        await takeByAddress(limit, request, response);
        next();
      };
      return (request, response, next) => {
        const [narrowest, ...wider] = networksOf(request);
        // By far the most frequent case needs no promise.
        const isHeld = narrowest && wider.length === 0 && takeHeld(`${limit.name}:${narrowest.network}`);
        return isHeld ? next() : count(request, response, next);
      };
    },
  };
}

/** Under which a bucket is stored: nothing tells whom it counts. */
function storedKey({ name }: Limit, whom: string): string {
  return `${name}:${createHash('sha256').update(whom).digest('hex')}`;
}

function refused(response: Response, waitMs: number): ServiceError {
  response.set('Retry-After', String(Math.max(1, Math.ceil(waitMs / 1000))));
  return new ServiceError('too-many-requests');
}

/**
 * Of IPv6: the /64 that one subscriber gets at least, and what they may well get instead (RFC 6177), for whose many
 * addresses more is allowed.
 */
const NETWORKS = [
  { bits: 64, times: 1 },
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
] as const;

/**
 * The networks that a request comes from, the narrowest first, and how many times as much as an address each may ask
 * for.
 */
export function networksOf({ ip = '' }: Pick<Request, 'ip'>): { network: string; times: number }[] {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined || !isIPv6(ip)) return [{ network: mapped ?? ip, times: 1 }];
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - behind.length;
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...behind].map((group) =>
    Number.parseInt(group, 16),
  );
  return NETWORKS.map(({ bits, times }) => {
    const prefix = all.slice(0, 4).map((group, i) => group & (0xffff << Math.max(0, 16 * (i + 1) - bits)) & 0xffff);
    return { network: `${prefix.map((group) => group.toString(16)).join(':')}::/${bits}`, times };
  });
}

/** Whom an address stands for: itself; of IPv6 the /64. */
export function addressOf(request: Pick<Request, 'ip'>): string {
  return networksOf(request)[0]?.network ?? '';
}

/** How many buckets are forgotten at once: nobody who takes from one of them waits for long. */
const DELETED_AT_ONCE = 1000;

/**
 * Forgets buckets that are full again: nobody's limit is longer than an hour. Skips those that are in use: to wait for them
 * while holding others would deadlock with a statement that takes from several.
 */
export async function deleteFullBuckets(db: Database, now: Date): Promise<void> {
  const { key, updatedAt } = rateLimits;
  const full = db
    .select({ key })
    .from(rateLimits)
    .where(lte(updatedAt, new Date(now.getTime() - 3600_000)))
    .limit(DELETED_AT_ONCE)
    .for('update', { skipLocked: true });
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE;)
    deleted = (await db.delete(rateLimits).where(inArray(key, full)).returning({ key })).length;
}
