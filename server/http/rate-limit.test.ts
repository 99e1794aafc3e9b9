import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import express from 'express';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import type { ServiceError } from '../../protocol/errors/service-error.ts';
import { rateLimits } from '../database/schema.ts';
import { errorHandler } from './errors.ts';
import { addressOf, createRateLimits, deleteFullBuckets, type Limit, type RateLimits } from './rate-limit.ts';
import { useTestDatabase } from '../database/testing.ts';

describe('addressOf', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('%s counts as %s', (ip, expected) => expect(addressOf({ ip })).toBe(expected));
});

describe('limits', () => {
  const database = useTestDatabase();
  const clock = { ms: Date.UTC(2025, 0, 1) };
  const now = () => new Date(clock.ms);
  const closers: (() => void)[] = [];
  const instance = (factor?: number | null) =>
    createRateLimits({ db: database.db, now, ...(factor !== undefined && { factor }) });

  afterAll(() => {
    for (const close of closers) close();
  });

  /** Starts a server that has one limited route and trusts the proxy's forwarded address. */
  async function serve(limits: RateLimits, limit: Limit) {
    const app = express();
    app.set('trust proxy', ['loopback']);
    app.get('/', limits.limit(limit), (_request, response) => void response.json('fine'));
    app.use(errorHandler(pino({ level: 'silent' })));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(
      () => void server.closeAllConnections(),
      () => void server.close(),
    );
    const { port } = server.address() as AddressInfo;
    return (ip: string) => fetch(`http://127.0.0.1:${port}/`, { headers: { 'X-Forwarded-For': ip } });
  }
  const statuses = async (answers: Promise<Response>[]) => (await Promise.all(answers)).map((answer) => answer.status);
  const count = (all: number[], status: number) => all.filter((one) => one === status).length;

  it('allow requests after the clock was set back by an hour', async () => {
    const [limits, limit] = [instance(), { name: 'set-back', perMinute: 30, burst: 3 }];
    const ask = await serve(limits, limit);
    for (let i = 0; i < 3; i += 1) expect((await ask('203.0.113.1')).status).toBe(200);
    expect((await ask('203.0.113.1')).status).toBe(429);
    clock.ms -= 3600_000;
    const other = await serve(instance(), limit);
    const answers = await statuses([ask, ask, other, other].map((one) => one('203.0.113.1')));
    // Both instances share one refilled bucket.
    expect([count(answers, 200), count(answers, 429)]).toEqual([3, 1]);
    clock.ms += 2_000;
    expect((await ask('203.0.113.1')).status).toBe(200);
    clock.ms += 3600_000;
  });

  it('allow a burst, then return when to retry', async () => {
    const ask = await serve(instance(), { name: 'plain', perMinute: 30, burst: 3 });
    for (let i = 0; i < 3; i += 1) expect((await ask('203.0.113.1')).status).toBe(200);
    const refused = await ask('203.0.113.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    expect(await refused.json()).toMatchObject({ error: { code: 'too-many-requests' } });
    expect((await ask('203.0.113.2')).status).toBe(200);
    clock.ms += 1_999;
    expect((await ask('203.0.113.1')).status).toBe(429);
    clock.ms += 1;
    expect(await statuses([ask('203.0.113.1')])).toEqual([200]);
    expect((await ask('203.0.113.1')).status).toBe(429);
    clock.ms += 3600_000;
    for (let i = 0; i < 3; i += 1) expect((await ask('203.0.113.1')).status).toBe(200);
    expect((await ask('203.0.113.1')).status).toBe(429);
  });

  it('count requests of parallel instances together', async () => {
    const limit = { name: 'shared', perMinute: 1, burst: 20 };
    const [one, two] = [await serve(instance(), limit), await serve(instance(), limit)];
    const all = await statuses(Array.from({ length: 60 }, (_, i) => (i % 2 ? one : two)('203.0.113.7')));
    expect([count(all, 200), count(all, 429)]).toEqual([20, 40]);
  });

  it('never allow more than the burst if part of the bucket is in memory', async () => {
    const limit = { name: 'held', perMinute: 60, burst: 500 };
    const [one, two] = [await serve(instance(), limit), await serve(instance(), limit)];
    const all: number[] = [];
    for (let round = 0; round < 6; round += 1)
      all.push(...(await statuses(Array.from({ length: 100 }, (_, i) => (i % 2 ? one : two)('203.0.113.8')))));
    expect(count(all, 200)).toBeLessThanOrEqual(500);
    expect(count(all, 200)).toBeGreaterThanOrEqual(490);
  });

  it('the factor multiplies each limit, and null turns the limits off', async () => {
    const limit = { name: 'factor', perMinute: 1, burst: 2 };
    const huge = await serve(instance(1000), { name: 'huge', perMinute: 6000, burst: 6000 });
    expect(await statuses([huge('203.0.113.9'), huge('203.0.113.9')])).toEqual([200, 200]);
    const [more, off] = [await serve(instance(2), limit), await serve(instance(null), limit)];
    expect(count(await statuses(Array.from({ length: 9 }, () => more('203.0.113.9'))), 200)).toBe(4);
    expect(count(await statuses(Array.from({ length: 9 }, () => off('203.0.113.9'))), 200)).toBe(9);
  });

  it('count the larger networks of an IPv6 address as well, with higher limits', async () => {
    const limit = { name: 'networks', perMinute: 1, burst: 2 };
    const ask = await serve(instance(), limit);
    const from = (subnets: number[], of = '2001:db8:7') =>
      statuses(
        subnets.flatMap((n) => [`${of}:${n.toString(16)}::1`, `${of}:${n.toString(16)}::2`]).map((ip) => ask(ip)),
      );
    // Two requests per /64, four times as many per /56, sixteen times as many per /48.
    expect(count(await from([1, 2, 3, 4, 5, 6]), 200)).toBe(8);
    expect(count(await from(Array.from({ length: 32 }, (_one, i) => 0x100 + i * 0x100)), 200)).toBe(24);
    expect(count(await from([1], '2001:db8:8'), 200)).toBe(2);
  });

  it('take nothing from the wider networks’ buckets if a narrower one rejects the request', async () => {
    const limit = { name: 'neighbours', perMinute: 1, burst: 2 };
    const ask = await serve(instance(), limit);
    for (let i = 0; i < 40; i += 1) await ask('2001:db8:9:1::1');
    expect(await statuses([ask('2001:db8:9:2::1'), ask('2001:db8:9:2::2')])).toEqual([200, 200]);
  });

  it('take from concurrently requested buckets in one commit, and reject only the empty ones', async () => {
    const limits = instance();
    const limit = { name: 'together', perMinute: 1, burst: 1 };
    const response = { set: () => {} } as unknown as express.Response;
    const people = Array.from({ length: 40 }, (_one, i) => `person ${i}`);
    const refused = async (whom: string) => {
      try {
        await limits.take(limit, whom, response);
        return [];
      } catch (error) {
        return [{ whom, code: (error as ServiceError).code }];
      }
    };
    for (const whom of ['person 3', 'person 17']) expect(await refused(whom)).toEqual([]);
    // This instance's shares of the two empty buckets have expired, so the database decides.
    clock.ms += 5_001;
    expect((await Promise.all(people.map(refused))).flat()).toEqual([
      { whom: 'person 3', code: 'too-many-requests' },
      { whom: 'person 17', code: 'too-many-requests' },
    ]);
    const { rows } = (await database.db.execute(
      sql`select count(*)::int as commits from (select xmin::text from ${rateLimits} where key like 'together:%' group by 1 having count(*) > 1) as t`,
    )) as unknown as { rows: { commits: number }[] };
    expect(rows).toEqual([{ commits: 1 }]);
  });

  it('store no address, and delete full buckets', async () => {
    const rows = await database.db.select().from(rateLimits);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('203.0.113');
    await deleteFullBuckets(database.db, now());
    expect((await database.db.select().from(rateLimits)).length).toBeGreaterThan(0);
    await deleteFullBuckets(database.db, new Date(clock.ms + 3600_000));
    expect(await database.db.select().from(rateLimits)).toEqual([]);
  });

  it('delete any number of full buckets, except those in use', async () => {
    await database.db.delete(rateLimits);
    await database.db.execute(
      sql`insert into rate_limits (key, "left", updated_at) select 'k' || n, 0, ${now().toISOString()}::timestamptz from generate_series(1, 2500) n`,
    );
    await database.db.transaction(async (tx) => {
      await tx.select().from(rateLimits).where(eq(rateLimits.key, 'k700')).for('update');
      await deleteFullBuckets(database.db, new Date(clock.ms + 3600_000));
    });
    expect((await database.db.select().from(rateLimits)).map(({ key }) => key)).toEqual(['k700']);
  });
});
