import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestWallet, startTestApp, type TestApp } from '../testing.ts';
import { openPostgres, type OpenDatabase } from './connect.ts';
import { migrate } from './migrate.ts';
import { createPostgresDatabase } from './testing.ts';
import type { TestDatabase } from './testing-postgres.ts';

let made: TestDatabase;
let database: OpenDatabase;
let admin: pg.Client;
let app: TestApp;

beforeAll(async () => {
  made = await createPostgresDatabase();
  database = await openPostgres(made.url);
  await migrate(database);
  app = await startTestApp(database);
  admin = new pg.Client({ connectionString: made.url });
  await admin.connect();
});
afterAll(async () => {
  await app.close();
  await database.close();
  await admin.end();
  await made.drop();
});

const write = () => app.post('/api/v2/sign-in/challenges', { publicKey: createTestWallet().publicKey });
const ready = async () => (await app.get('/readyz')).status;
const pids = async () => {
  const { rows } = await admin.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return rows.map(({ pid }) => pid);
};

let undo: string | null = null;
afterEach(async () => {
  if (undo !== null) await admin.query(undo);
  undo = null;
});

/** Makes each insert of a challenge fail with an error code, because causing the real error would take too long. */
async function failWith(code: string): Promise<void> {
  await admin.query(`create or replace function fail() returns trigger language plpgsql as $$ begin
    raise exception 'no' using errcode = '${code}'; end $$;
    create or replace trigger fail before insert on sign_in_challenges for each row execute function fail()`);
  undo = 'drop trigger if exists fail on sign_in_challenges';
}

it('answers 503 with Retry-After and reports not ready while the database is read-only', async () => {
  expect([(await write()).status, await ready()]).toEqual([201, 200]);
  const before = await pids();
  await admin.query(`alter database ${made.name} set default_transaction_read_only = on`);
  undo = `set default_transaction_read_only = off; alter database ${made.name} set default_transaction_read_only = off`;
  // As in a real demotion, existing sessions are terminated, because they would otherwise remain writable.
  for (const pid of before) await admin.query('select pg_terminate_backend($1)', [pid]);
  await expect.poll(pids).toEqual([]);
  const refused = await write();
  expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'service-unavailable',
    '5',
  ]);
  expect(await ready()).toBe(503);
  const during = await pids();
  await admin.query(undo);
  undo = null;
  // Existing sessions remain read-only, so the service must open new sessions.
  expect([(await write()).status, await ready()]).toEqual([201, 200]);
  expect((await pids()).filter((pid) => during.includes(pid))).toEqual([]);
});

it.each(['53100', '58030', '57P04'])('answers 503 and discards its connections after %s', async (code) => {
  await database.db.execute(sql`select 1`);
  const before = await pids();
  await failWith(code);
  const refused = await write();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  await admin.query(undo as string);
  expect((await write()).status).toBe(201);
  await expect.poll(async () => (await pids()).filter((pid) => before.includes(pid))).toEqual([]);
});

it('reports not ready after a full disk rejected a write', async () => {
  await failWith('53100');
  await write();
  expect(await ready()).toBe(503);
});

it.each(['40P01', '40001'])('answers 503 and keeps its connections after %s', async (code) => {
  await failWith(code);
  const refused = await write();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
});

it('answers 500 for our own error', async () => {
  await failWith('22012');
  expect((await write()).status).toBe(500);
});
