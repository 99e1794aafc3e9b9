import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../applications/store.ts';
import { createUser } from '../identity/accounts.ts';
import { issueToken, readToken } from '../identity/tokens.ts';
import { listSales } from '../payments/sales/sales.ts';
import { indexPayment } from '../payments/search/search-index.ts';
import { openPostgres, type OpenDatabase } from './connect.ts';
import { startEmbedded } from './embedded/server.ts';
import { migrate } from './migrate.ts';
import * as schema from './schema.ts';
import { createPostgresDatabase } from './testing.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/move-database.ts', import.meta.url));
const now = new Date('2026-01-02T03:04:05.678Z');
const details = {
  name: 'Shop "é" \\ \u{1F600}',
  url: 'https://shop.example',
  description: 'a\nb',
  redirectUri: null,
  webhookUrl: null,
  requirePkce: false,
  requireSecret: true,
};
const registration = (handle: string) => ({ handle, name: 'A Name', receivingXpub: 'xpub' });

describe('npm run move-database', () => {
  const directory = mkdtempSync(join(tmpdir(), 'move-database-'));
  const startOwn = () => startEmbedded(directory, { connections: 2, log: () => {}, onTaken: () => {} });
  const paymentId = randomUUID();
  let target: { url: string; drop(): Promise<void> };
  let token = '';

  beforeAll(async () => {
    target = await createPostgresDatabase();
    const own = await startOwn();
    const embedded = await openPostgres(own.url);
    await migrate(embedded);
    const { db } = embedded;
    const [user, gone] = [
      await createUser(db, 'key-1', registration('first'), now),
      await createUser(db, 'key-2', registration('gone'), now),
    ];
    await db.delete(schema.users).where(eq(schema.users.id, gone.id));
    const { application } = await createApplication(db, user.id, details, now);
    await db.insert(schema.authorizations).values({
      id: randomUUID(),
      userId: user.id,
      applicationId: application.id,
      scopes: ['payments:read', 'users.balance:read'],
      createdAt: now,
      expiresAt: now,
    });
    await db
      .insert(schema.balances)
      .values({ userId: user.id, satoshis: 2_100_000_000_000_001n, signature: 's', publishedAt: now });
    token = await issueToken(
      db,
      'application',
      { applicationId: application.id, scopes: ['application_access:write'] },
      new Date(),
    );
    await db.insert(schema.payments).values({
      id: paymentId,
      userId: user.id,
      reported: true,
      txid: 't',
      normalizedTxid: 'n',
      rawtx: Uint8Array.from({ length: 3_000_000 }, (_, i) => i & 0xff),
      amount: '0.10',
      currency: 'USD',
      satoshis: 9_007_199_254_740_993n,
      clientIdentifier: application.clientIdentifier,
      label: 'o’neil \\ 記事-17',
      status: 'RECEIVED',
      createdAt: now,
      updatedAt: now,
      nextCheckAt: now,
    });
    await indexPayment(db, paymentId);
    await db.insert(schema.paymentOutputs).values({
      paymentId,
      position: 0,
      type: 'SCRIPT',
      to: 'x',
      amount: '0.10',
      currency: 'USD',
      satoshis: 1n,
      scripts: [{ script: '6a', satoshis: '1' }],
    });
    await db.insert(schema.paymailDestinations).values(
      ['r1', 'r2'].map((reference) => ({
        reference,
        userId: user.id,
        satoshis: 1n,
        outputs: [{ script: '6a', satoshis: '1', index: 7 }],
        createdAt: now,
      })),
    );
    const receive = (reference: string) =>
      db.insert(schema.receivedTransactions).values({
        id: randomUUID(),
        reference,
        userId: user.id,
        txid: 't',
        paymentId,
        paymentCreatedAt: now,
        senderVerified: true,
        note: 'n',
        createdAt: now,
      });
    await receive('r1');
    await receive('r2');
    await db.delete(schema.receivedTransactions).where(eq(schema.receivedTransactions.reference, 'r2'));
    // Inserts more than one batch of rows of different sizes.
    await db
      .insert(schema.rateLimits)
      .values(
        Array.from({ length: 1234 }, (_, i) => ({ key: `limit ${'x'.repeat(i % 97)} ${i}`, left: i, updatedAt: now })),
      );
    await embedded.close();
    await own.stop();
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true });
    await target.drop();
  });

  async function move(url: string) {
    const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, url], {
      env: { PATH: process.env.PATH, DATA_DIR: directory },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const [code] = await once(child, 'exit');
    return { code, output };
  }

  async function withTarget<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
    const database = await openPostgres(target.url);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  it('does nothing while the service runs on the directory', async () => {
    const own = await startOwn();
    expect(await move(target.url)).toMatchObject({ code: 1, output: expect.stringContaining(`pid ${process.pid}`) });
    await own.stop();
  });

  it('copies every row exactly, and the state of every sequence', async () => {
    const moved = await move(target.url);
    expect(moved.output).toContain('Everything was copied and compared.');
    expect(moved).toMatchObject({ code: 0, output: expect.stringMatching(/ 1 {2}users\n[^]* 1234 {2}rate_limits\n/) });
    await withTarget(async ({ db }) => {
      const [payment] = await db.select().from(schema.payments);
      expect(payment).toMatchObject({ id: paymentId, satoshis: 9_007_199_254_740_993n, createdAt: now });
      expect(
        Buffer.from(payment?.rawtx ?? []).equals(
          Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_, i) => i & 0xff)),
        ),
      ).toBe(true);
      const range = { from: now, until: new Date(now.getTime() + 1) };
      const found = await listSales(
        db,
        String(payment?.clientIdentifier),
        { ...range, search: '記事-1 neil' },
        { limit: 1 },
      );
      expect(found.map(({ id }) => id)).toEqual([paymentId]);
      expect((await db.select().from(schema.paymentOutputs))[0]?.scripts).toEqual([{ script: '6a', satoshis: '1' }]);
      expect((await db.select().from(schema.authorizations))[0]?.scopes).toEqual([
        'payments:read',
        'users.balance:read',
      ]);
      const [application] = await db.select().from(schema.applications);
      expect(application).toMatchObject(details);
      expect((await readToken(db, token, new Date()))?.application?.id).toBe(application?.id);
      expect(new Set((await db.select().from(schema.rateLimits)).map(({ left }) => left)).size).toBe(1234);
      expect(
        await db
          .select({ reference: schema.receivedTransactions.reference, sequence: schema.receivedTransactions.sequence })
          .from(schema.receivedTransactions),
      ).toEqual([{ reference: 'r1', sequence: 1 }]);
      expect((await db.select().from(schema.paymailDestinations))[0]?.outputs).toEqual([
        { script: '6a', satoshis: '1', index: 7 },
      ]);
      const [next] = await db
        .insert(schema.receivedTransactions)
        .values({
          id: randomUUID(),
          reference: 'r2',
          userId: 1001,
          txid: 't',
          paymentId,
          paymentCreatedAt: now,
          senderVerified: true,
          createdAt: now,
        })
        .returning();
      expect(next?.sequence).toBe(3);
      // The payment and both destinations have the first three numbers.
      expect(await db.execute(sql`select nextval('payment_order')::int as next`)).toMatchObject({
        rows: [{ next: 4 }],
      });
      // 1001 was copied and 1002 deleted before the copy, so neither ID may be reused.
      expect((await createUser(db, 'key-3', registration('third'), now)).id).toBe(1003);
    });
  });

  it('rejects a target that isn’t empty, and changes nothing there', async () => {
    expect(await move(target.url)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^cannot move: The target is not empty \(users, .*create a new database for it\n$/),
    });
    await withTarget(async ({ db }) => expect(await db.select().from(schema.users)).toHaveLength(2));
  });

  it('reports a missing argument or server, without printing the password', async () => {
    expect(await move('')).toMatchObject({ code: 1, output: expect.stringContaining('Specify the target') });
    const refused = await move('postgresql://user:hunter2@127.0.0.1:1/nothing');
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('ECONNREFUSED');
    expect(refused.output).not.toContain('hunter2');
  });
});
