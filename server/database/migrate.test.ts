import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, it, test } from 'vitest';
import { openPostgres, type OpenDatabase } from './connect.ts';
import { migrate } from './migrate.ts';
import { users } from './schema.ts';
import { startServer } from '../main.ts';
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
    /^(?:CREATE (?:TABLE|(?:UNIQUE )?INDEX|TYPE|SEQUENCE)|ALTER TABLE \S+ ADD (?:COLUMN|CONSTRAINT)|INSERT INTO|UPDATE) /;
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
