import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { CAPABILITIES, DISCOVERY_PATH } from '../../protocol/http/paymail.ts';
import { testPng } from '../../protocol/http/testing-picture.ts';
import { avatars } from '../database/schema.ts';
import { useTestDatabase } from '../database/testing.ts';
import { createAvatars, deleteOldAvatars } from './avatars.ts';

const PNG = testPng(32, 32, [1, 2, 3]);
const HOUR = 3_600_000;
const database = useTestDatabase();
let domain = '';
let asked: string[] = [];
let gone = false;
let held = Promise.resolve();
let clock = Date.UTC(2025, 0, 1);
const host = createServer(async (request, response) => {
  asked.push(request.url ?? '');
  await held;
  if (gone) return response.writeHead(500).end();
  if (request.url === '/picture') return response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
  const base = `http://${domain}`;
  const capabilities = { [CAPABILITIES.publicProfile]: `${base}/profile/{alias}` };
  const isDocument = request.url === DISCOVERY_PATH;
  return response.end(
    JSON.stringify(isDocument ? { bsvalias: '1.0', capabilities } : { name: 'Bob', avatar: `${base}/picture` }),
  );
});

beforeAll(async () => {
  await once(host.listen(0, '127.0.0.1'), 'listening');
  domain = `127.0.0.1:${(host.address() as AddressInfo).port}`;
});
afterAll(() => void host.close());
beforeEach(async () => {
  [asked, gone] = [[], false];
  await database.db.delete(avatars);
});

const instance = (mostCached = 10) =>
  createAvatars({
    db: database.db,
    addresses: { paymailDomain: 'own.example' },
    network: 'devnet',
    resolveSrv: async () => [],
    now: () => new Date(clock),
    mostCached,
  });
const of = (alias: string) => ({ alias, domain });

test('each picture is fetched once a day for all users and instances', async () => {
  const find = instance();
  const [first, second] = await Promise.all([find(of('bob'), 1), find(of('bob'), 1)]);
  expect(first).toEqual({ type: 'image/png', image: PNG });
  expect(second).toEqual(first);
  const other = await instance()(of('bob'), 1);
  expect(Buffer.from(other?.image ?? []).equals(PNG)).toBe(true);
  expect(asked).toEqual([DISCOVERY_PATH, '/profile/bob', '/picture']);
  clock += 25 * HOUR;
  await find(of('bob'), 1);
  expect(asked).toHaveLength(6);
});

test('a missing picture is cached for an hour', async () => {
  gone = true;
  const find = instance();
  expect(await find(of('bob'), 1)).toBeNull();
  gone = false;
  expect(await find(of('bob'), 1)).toBeNull();
  clock += 2 * HOUR;
  expect(await find(of('bob'), 1)).not.toBeNull();
});

test('a paymail here is looked up only in the database, even if its domain is in Unicode', async () => {
  for (const own of ['own.example', 'ｏｗｎ.example', 'own。example'])
    expect(await instance()({ alias: 'bob', domain: own }, 1), own).toBeNull();
  expect(await database.db.$count(avatars)).toBe(0);
});

test('the cache keeps the latest pictures and drops outdated ones', async () => {
  const find = instance(2);
  for (const alias of ['a', 'b', 'c']) {
    clock += 1000;
    await find(of(alias), 1);
  }
  const kept = async () =>
    (await database.db.select().from(avatars)).map(({ paymail }) => paymail.split('@')[0]).sort();
  expect(await kept()).toEqual(['b', 'c']);
  await deleteOldAvatars(database.db, new Date(clock + 25 * HOUR));
  expect(await kept()).toEqual([]);
});

test('pictures fetched while a clock was a day ahead are deleted', async () => {
  await instance()(of('ahead'), 1);
  await deleteOldAvatars(database.db, new Date(clock - 23 * HOUR));
  expect(await database.db.$count(avatars)).toBe(1);
  await deleteOldAvatars(database.db, new Date(clock - 24 * HOUR));
  expect(await database.db.$count(avatars)).toBe(0);
});

test('hosts that hang delay only the user who names them', async () => {
  const find = instance();
  let answer = () => {};
  held = new Promise((resolve) => (answer = resolve));
  const refused: unknown[] = [];
  const ask = (userId: number, count: number) =>
    Array.from({ length: count }, (_, i) =>
      find(of(`somebody-${userId}-${i}`), userId).catch((reason) => refused.push(reason)),
    );
  const all = ask(1, 16);
  await vi.waitFor(() => expect(asked.length + refused.length).toBe(16));
  expect([asked.length, refused.length]).toEqual([4, 12]);
  all.push(...ask(2, 4));
  await vi.waitFor(() => expect(asked).toHaveLength(8));
  expect(refused).toHaveLength(12);
  for (let user = 3; user < 30; user += 1) all.push(...ask(user, 4));
  await vi.waitFor(() => expect(asked.length + refused.length).toBe(16 + 4 + 27 * 4));
  expect(asked).toHaveLength(64);
  answer();
  await Promise.all(all);
  expect(refused[0]).toMatchObject({ code: 'service-unavailable' });
});
