import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Database } from '../database/connect.ts';
import { idempotencyKeys } from '../database/schema.ts';
import { jsonBody } from './body.ts';
import { errorHandler } from './errors.ts';
import { respondOnce, deleteOldKeys } from './idempotency.ts';
import { useTestDatabase } from '../database/testing.ts';

const SECRET = 'a-secret-shown-once';

describe('Idempotency-Key', () => {
  const database = useTestDatabase();
  let server: Server;
  let url: string;
  let ms = Date.UTC(2025, 0, 1);
  const now = () => new Date(ms);
  let write: (tx: Database) => Promise<void>;
  let more: number;

  beforeAll(async () => {
    await database.db.execute(sql`create table written (id serial primary key, what text not null)`);
    const app = express().use(jsonBody('100kb'));
    app.post('/write/:subject', (request, response) =>
      respondOnce({
        db: database.db,
        now,
        request,
        response,
        subject: `user:${request.params.subject}`,
        write: async (tx) => {
          const what = String((request.body as { what?: unknown }).what);
          await tx.execute(sql`insert into written (what) values (${what})`);
          await write(tx);
          return { status: 201, body: { what, number: randomUUID(), secret: SECRET, more: 'x'.repeat(more) } };
        },
      }),
    );
    app.use(errorHandler(pino({ level: 'silent' })));
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    write = async () => {};
    more = 0;
    await database.db.execute(sql`delete from written`);
    await database.db.delete(idempotencyKeys);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const post = async (key: string | null, what = 'one', subject = '1') => {
    const response = await fetch(`${url}/write/${subject}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key !== null && { 'Idempotency-Key': key }) },
      body: JSON.stringify({ what }),
    });
    return { status: response.status, body: (await response.json()) as any };
  };
  const written = async () =>
    Number(((await database.db.execute(sql`select count(*) as n from written`)) as any).rows[0].n);

  it('makes a write once and repeats its response, for a quoted or bare key', async () => {
    const key = randomUUID();
    const first = await post(`"${key}"`);
    expect(first.status).toBe(201);
    expect([await post(`"${key}"`), await post(key)]).toEqual([first, first]);
    expect(await written()).toBe(1);
  });

  it('makes each write if there is no key, or if keys or callers differ', async () => {
    const key = randomUUID();
    const all = [
      await post(null),
      await post(null),
      await post(key),
      await post(randomUUID()),
      await post(key, 'one', '2'),
    ];
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(all.map(({ body }) => body.number)).size).toBe(5);
    expect(await written()).toBe(5);
  });

  it('rejects a key already used for another request, and malformed keys', async () => {
    const key = randomUUID();
    await post(key);
    expect(await post(key, 'two')).toMatchObject({ status: 422, body: { error: { code: 'idempotency-conflict' } } });
    for (const bad of ['', 'short', '"', `"${key}`, 'a key with blanks in it', 'x'.repeat(201), `${key},${key}`]) {
      expect(await post(bad), bad).toMatchObject({ status: 400, body: { error: { code: 'invalid-request' } } });
    }
    expect(await written()).toBe(1);
  });

  it('makes only one of many concurrent writes with the same key', async () => {
    const key = randomUUID();
    const all = await Promise.all(Array.from({ length: 8 }, () => post(key)));
    expect(new Set(all.map(({ status, body }) => `${status} ${body.number}`)).size).toBe(1);
    expect(await written()).toBe(1);
  });

  it('stores nothing about a failed write, so the write can be repeated', async () => {
    const key = randomUUID();
    write = async () => {
      throw new ServiceError('handle-taken');
    };
    expect((await post(key)).status).toBe(409);
    expect(await written()).toBe(0);
    write = async () => {};
    expect((await post(key)).status).toBe(201);
    expect(await written()).toBe(1);
  });

  it('stores responses so that the tables don’t reveal them', async () => {
    const key = randomUUID();
    await post(key);
    const rows = JSON.stringify(await database.db.select().from(idempotencyKeys));
    expect(rows).not.toContain(SECRET);
    expect(rows).not.toContain(key);
  });

  it('compares the raw bodies of requests with the same key, at any nesting depth', async () => {
    const key = randomUUID();
    const send = async (body: string) =>
      (
        await fetch(`${url}/write/1`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
          body,
        })
      ).status;
    const deep = (depth: number) => `{"what":"one","deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect([await send(deep(20)), await send(deep(20)), await send(deep(21)), await send(deep(10_000))]).toEqual([
      201, 201, 422, 400,
    ]);
  });

  it('stores a caller’s newest responses up to a limit in bytes', async () => {
    more = 100_000;
    const keys = Array.from({ length: 9 }, () => randomUUID());
    const other = await post(keys[0] as string, 'one', '2');
    for (const key of keys) {
      ms += 1;
      expect((await post(key)).status).toBe(201);
    }
    const rows = await database.db.select().from(idempotencyKeys);
    expect(rows.reduce((bytes, { body }) => bytes + (body?.length ?? 0), 0)).toBeLessThan(1_200_000);
    const kept = await post(keys[8] as string);
    expect([kept.status, await written()]).toEqual([201, 10]);
    expect(await post(keys[0] as string, 'one', '2')).toEqual(other);
  });

  it('stores a caller’s newest responses even if older ones, stored while a clock was ahead, fill the limit', async () => {
    more = 100_000;
    ms += 24 * 3600_000;
    for (let i = 0; i < 9; i += 1) await post(randomUUID());
    ms -= 24 * 3600_000;
    const [key, next] = [randomUUID(), randomUUID()];
    const first = await post(key);
    await post(next);
    expect(await post(key)).toEqual(first);
    expect(await written()).toBe(11);
  });

  it('stores the newest response even if many have its time', async () => {
    more = 100_000;
    const keys = Array.from({ length: 20 }, () => randomUUID());
    for (const key of keys) {
      const first = await post(key);
      expect(await post(key)).toEqual(first);
    }
    expect(await written()).toBe(20);
  });

  it('deletes keys after a day', async () => {
    const key = randomUUID();
    await post(key);
    await deleteOldKeys(database.db, new Date(now().getTime() + 24 * 3600_000 - 1));
    expect((await database.db.select().from(idempotencyKeys)).length).toBe(1);
    await deleteOldKeys(database.db, new Date(now().getTime() + 24 * 3600_000));
    expect(await database.db.select().from(idempotencyKeys)).toEqual([]);
  });

  it('stores neither the write nor the key if the database connection breaks during the write', async () => {
    const key = randomUUID();
    write = async (tx) => {
      // Ends the session, as if the process were killed, which rolls back the transaction.
      await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
    };
    expect((await post(key)).status).toBe(503);
    expect([await written(), (await database.db.select().from(idempotencyKeys)).length]).toEqual([0, 0]);
    write = async () => {};
    expect((await post(key)).status).toBe(201);
    expect(await written()).toBe(1);
  });
});
