/** Rate limits as token buckets in the database, shared by all instances (RFC 6585, section 4: 429). */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { inArray, lte, sql } from 'drizzle-orm';
import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { inBatches } from '../database/batch.ts';
import type { Database } from '../database/connect.ts';
import { rateLimits } from '../database/schema.ts';

/** A limit: `perMinute` on average, with bursts of up to `burst`. */
export interface Limit {
  name: string;
  perMinute: number;
  burst: number;
}

export interface RateLimits {
  /**
   * Deducts `count` requests (at most a full bucket) from a subject's bucket.
   * @param whom the subject, stored only as a hash
   * @throws ServiceError `too-many-requests`, with `Retry-After` set on the response
   */
  take(limit: Limit, whom: string, response: Response, count?: number): Promise<void>;
  /** Like {@link RateLimits.take}, for the request's IP address and the larger networks that its user might control. */
  takeByAddress(limit: Limit, request: Request, response: Response): Promise<void>;
  /** {@link RateLimits.takeByAddress} as middleware. */
  limit(limit: Limit): RequestHandler;
}

/** The amount to take from a bucket: `count` requests. `burst` is the bucket's capacity. */
interface Take {
  count: number;
  perMinute: number;
  burst: number;
}

/** The unused part of a share taken from the database. `left` is 'nothing' if the bucket is empty. */
interface LeasedTokens {
  left: number | 'nothing';
  /** Start of validity. If the current time is earlier, the clock was set back. */
  since: number;
  until: number;
}

/** A process takes a hundredth of the burst from a bucket with each write. */
const SHARE = 100;
/** Lifetime of a held share (ms). */
const HOLD_MS = 5_000;
/** Max buckets held per process. */
const MAX_LEASED_BUCKETS = 10_000;
/**
 * If a bucket's last write is this far in the future, the clock was set back, and the bucket is treated as full.
 * Instances' clocks differ by less than a minute.
 */
const SET_BACK = '1 minute';
/** One request in the table's unit, thousandths of a request. */
const ONE = 1000;
/** Maximum burst that fits the table's column. */
const MAX_BURST = 2_000_000;

const counts = ({ since, until }: LeasedTokens, time: number) => since <= time && time < until;

export const noLimits: RateLimits = {
  take: async () => {},
  takeByAddress: async () => {},
  limit: () => (_request, _response, next) => next(),
};

/** Creates the limits. @param factor multiplies every limit; null disables all of them */
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
  const held = new Map<string, LeasedTokens>();
  const under = new Map<string, Promise<void>>();

  async function take(limit: Limit, whom: string, response: Response, count = 1): Promise<void> {
    const perMinute = limit.perMinute * times;
    const burst = Math.min(MAX_BURST, Math.max(1, Math.floor(limit.burst * times)));
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
      // Runs one query at a time per bucket. Concurrent callers share its result.
      const asking =
        under.get(key) ?? ask(key, storedKey(limit, whom), perMinute, burst).finally(() => under.delete(key));
      under.set(key, asking);
      await asking;
    }
  }

  function takeHeld(key: string): boolean {
    const known = held.get(key);
    if (!known || known.left === 'nothing' || known.left === 0 || !counts(known, now().getTime())) return false;
    known.left -= 1;
    return true;
  }

  /** Takes a share of a bucket from the database, or records that the bucket is empty. */
  async function ask(key: string, stored: string, perMinute: number, burst: number): Promise<void> {
    const share = Math.max(1, Math.floor(burst / SHARE));
    // A bucket without enough for a whole share might still have enough for one request.
    const has = (count: number) => takeFromBucket(stored, { count, perMinute, burst });
    const got = (await has(share)) ? share : share > 1 && (await has(1)) ? 1 : 0;
    if (held.size >= MAX_LEASED_BUCKETS) held.clear();
    // An empty bucket isn't queried until its next request is due, so a flood causes no further queries.
    const since = now().getTime();
    held.set(
      key,
      got > 0
        ? { left: got, since, until: since + HOLD_MS }
        : { left: 'nothing', since, until: since + Math.ceil(60_000 / perMinute) },
    );
  }

  /**
   * Takes the same amount from each of several buckets, and returns the keys of those that had enough. A single
   * statement keeps concurrent takes exact, and sorting by key prevents deadlocks.
   */
  const statement = (() => {
    const [taken, full, perMinute, time] = ['taken', 'full', 'perMinute', 'time'].map((name) => sql.placeholder(name));
    const elapsedMs = sql`greatest(0, extract(epoch from excluded.updated_at - ${rateLimits.updatedAt}) * 1000)`;
    const isSetBack = sql`${rateLimits.updatedAt} > excluded.updated_at + interval '${sql.raw(SET_BACK)}'`;
    // At one request per minute, a bucket refills by 1/60 of a thousandth per millisecond.
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

  /** Concurrent takes of the same amount from buckets with the same limit share one statement. */
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
    // The narrowest network comes first so that its rejections take nothing from the wider networks.
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
        // The most frequent case, handled without a promise.
        const isHeld = narrowest && wider.length === 0 && takeHeld(`${limit.name}:${narrowest.network}`);
        return isHeld ? next() : count(request, response, next);
      };
    },
  };
}

/** Returns a bucket's key in the database, which doesn't reveal the subject. */
function storedKey({ name }: Limit, whom: string): string {
  return `${name}:${createHash('sha256').update(whom).digest('hex')}`;
}

function refused(response: Response, waitMs: number): ServiceError {
  response.set('Retry-After', String(Math.max(1, Math.ceil(waitMs / 1000))));
  return new ServiceError('too-many-requests');
}

/** IPv6 networks: a subscriber's /64, and larger assignments (RFC 6177) with higher limits. */
const NETWORKS = [
  { bits: 64, times: 1 },
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
] as const;

/** Returns the networks of a request's IP address, narrowest first, each with the factor for its limit. */
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

/** Returns the subject of a request's limits: its IPv4 address or IPv6 /64. */
export function addressOf(request: Pick<Request, 'ip'>): string {
  return networksOf(request)[0]?.network ?? '';
}

/** Number of buckets deleted per statement, which limits how long requests wait for locked buckets. */
const BUCKETS_PER_DELETE = 1000;

/** Deletes buckets that are full again. Skips locked buckets, because waiting for them could deadlock. */
export async function deleteFullBuckets(db: Database, now: Date): Promise<void> {
  const { key, updatedAt } = rateLimits;
  const full = db
    .select({ key })
    .from(rateLimits)
    .where(lte(updatedAt, new Date(now.getTime() - 3600_000)))
    .limit(BUCKETS_PER_DELETE)
    .for('update', { skipLocked: true });
  for (let deleted = BUCKETS_PER_DELETE; deleted === BUCKETS_PER_DELETE;)
    deleted = (await db.delete(rateLimits).where(inArray(key, full)).returning({ key })).length;
}
