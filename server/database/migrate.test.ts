import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as migrateFolder } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { describe, expect, it, test } from 'vitest';
import { openPostgres, type OpenDatabase } from './connect.ts';
import { migrate } from './migrate.ts';
import { paymailDestinations, payments, users } from './schema.ts';
import { assertNewer } from '../destinations/claims.ts';
import { startServer } from '../main.ts';
import { storedPayment } from '../payments/testing-payments.ts';
import { createPostgresDatabase, openTestDatabase } from './testing.ts';

const applied = async ({ db }: OpenDatabase) => {
  const result = (await db.execute(sql`select count(*)::int as n from drizzle.__drizzle_migrations`)) as unknown as {
    rows: { n: number }[];
  };
  return result.rows[0]?.n;
};

describe('migrations', () => {
  it('change nothing when they run again', async () => {
    const database = await openTestDatabase();
    const before = await applied(database);
    expect(before).toBeGreaterThan(0);
    await migrate(database);
    expect(await applied(database)).toBe(before);
    expect(await database.db.select().from(users)).toEqual([]);
    await database.close();
  });
});

test('migrations only add, except for the five changes that docs/operate/upgrade.md describes', () => {
  const folder = new URL('./migrations/', import.meta.url);
  const adds =
    /^(?:CREATE (?:TABLE|(?:UNIQUE )?INDEX|TYPE|SEQUENCE)|ALTER TABLE \S+ ADD (?:COLUMN|CONSTRAINT)|INSERT INTO|UPDATE|LOCK TABLE) /;
  const others = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split('--> statement-breakpoint'))
    .map((statement) => statement.trim())
    .filter((statement) => !adds.test(statement));
  expect(others.map((statement) => statement.replaceAll('"', ''))).toEqual([
    'ALTER TABLE webhook_events ALTER COLUMN payment_id DROP NOT NULL;',
    'ALTER TABLE payment_sums DROP CONSTRAINT payment_sums_client_identifier_quarter_currency_pk;',
    'DROP INDEX payments_client_sender;',
    'ALTER TABLE received_transactions DROP CONSTRAINT received_transactions_reference_unique;',
    'ALTER TABLE webhook_events ALTER COLUMN body DROP NOT NULL;',
  ]);
});

/** Migrates a database to the last version before a migration. */
async function migrateUntil(url: string, name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  const client = new pg.Client(url);
  await client.connect();
  try {
    cpSync(new URL('./migrations/', import.meta.url), folder, { recursive: true });
    const path = join(folder, 'meta/_journal.json');
    const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { tag: string }[] };
    const end = journal.entries.findIndex(({ tag }) => tag.endsWith(name));
    writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
    await migrateFolder(drizzle(client), { migrationsFolder: folder });
  } finally {
    await client.end();
    rmSync(folder, { recursive: true });
  }
}

describe('a database from before destinations and payments were numbered', () => {
  it('keeps its rows, which are ordered by their times, and numbers new ones', async () => {
    const fresh = await createPostgresDatabase();
    await migrateUntil(fresh.url, '_payment_order');
    const database = await openPostgres(fresh.url);
    const { db } = database;
    try {
      await db.execute(sql`
        insert into users (public_key, handle, name, receiving_xpub, created_at) values ('key', 'user', 'User', 'xpub', now())`);
      await db.execute(sql`
        insert into paymail_destinations (reference, user_id, satoshis, outputs, created_at)
        select d.name, users.id, 1, '[]', d.at::timestamptz from users, (values ('older', '2026-01-01'), ('newer', '2026-01-03')) as d (name, at)`);
      await db.execute(sql`
        insert into payments (id, reported, txid, normalized_txid, rawtx, amount, currency, satoshis, status, created_at, updated_at)
        values (gen_random_uuid(), true, 'old', 'old', '', '1', 'BSV', 1, 'RECEIVED', '2026-01-02', '2026-01-02')`);
      await migrate(database);
      await assertNewer(db, 'old', 'older');
      await expect(assertNewer(db, 'old', 'newer')).rejects.toMatchObject({ code: 'payment-mismatch' });
      // New rows are compared by sequence number, even if a clock was set back.
      const [old] = await db.select().from(paymailDestinations).where(eq(paymailDestinations.reference, 'newer'));
      const { sequence: _, ...row } = old as typeof paymailDestinations.$inferSelect;
      await db.insert(paymailDestinations).values({ ...row, reference: 'first' });
      const { sequence: _none, ...payment } = storedPayment({ normalizedTxid: 'new', createdAt: new Date(0) });
      await db.insert(payments).values(payment);
      await db.insert(paymailDestinations).values({ ...row, reference: 'last', createdAt: new Date(0) });
      await assertNewer(db, 'new', 'first');
      await expect(assertNewer(db, 'new', 'last')).rejects.toMatchObject({ code: 'payment-mismatch' });
    } finally {
      await database.close();
      await fresh.drop();
    }
  });
});

describe('several instances on PostgreSQL', () => {
  it('can start concurrently on an empty database', async () => {
    const fresh = await createPostgresDatabase();
    const instances = await Promise.all(Array.from({ length: 6 }, () => openPostgres(fresh.url)));
    try {
      await Promise.all(instances.map((instance) => migrate(instance)));
      const one = instances[0] as OpenDatabase;
      const once = await applied(one);
      await migrate(one);
      expect(await applied(one)).toBe(once);
    } finally {
      await Promise.all(instances.map((instance) => instance.close()));
      await fresh.drop();
    }
  });
});

describe('tables from a preview version', () => {
  it('stop the first migration and remain unchanged', async () => {
    const fresh = await createPostgresDatabase();
    const database = await openPostgres(fresh.url);
    try {
      await migrate(database);
      const ours = await applied(database);
      await database.db.execute(sql`update drizzle.__drizzle_migrations set hash = 'of a preview'`);
      await expect(migrate(database)).rejects.toMatchObject({ name: 'StartError', code: 'preview-data' });
      expect(await applied(database)).toBe(ours);
    } finally {
      await database.close();
      await fresh.drop();
    }
  });
});

describe('a database in another encoding', () => {
  it('stops the start with instructions', async () => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'encoding-'));
    const server = await createPostgresDatabase();
    const admin = await openPostgres(server.url);
    const name = `${server.name}_latin1`;
    await admin.db.execute(
      sql.raw(`create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`),
    );
    try {
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      const started = startServer({ DATA_DIR, PORT: '0', DATABASE_URL: url.href, LOG_LEVEL: 'silent' });
      await expect(started).rejects.toMatchObject({
        name: 'StartError',
        code: 'database-encoding',
        message: expect.stringMatching(/^The database's encoding must be UTF8, but is LATIN1\. [^.]*\.$/) as string,
      });
    } finally {
      await admin.db.execute(sql.raw(`drop database ${name} with (force)`));
      await admin.close();
      await server.drop();
      rmSync(DATA_DIR, { recursive: true, force: true });
    }
  });
});
