import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { afterAll, beforeAll, inject } from 'vitest';
import { openPostgres, type OpenDatabase } from './connect.ts';
import { requestPostgres, createDatabase, type PostgresForTests, type TestDatabase } from './testing-postgres.ts';

let asked: Promise<PostgresForTests> | null = null;

const postgres = () => (asked ??= requestPostgres(inject('postgresPort')));

export async function createPostgresDatabase(): Promise<TestDatabase> {
  return createDatabase((await postgres()).url);
}

/** Opens an empty database with all tables. Closing the database deletes it. */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const { url, template } = await postgres();
  const made = await createDatabase(url, template);
  const database = await openPostgres(made.url);
  return {
    ...database,
    async close() {
      await database.close();
      await made.drop();
    },
  };
}

export function useTestDatabase(): OpenDatabase {
  const database = {} as OpenDatabase;
  beforeAll(async () => void Object.assign(database, await openTestDatabase()));
  afterAll(() => database.close());
  return database;
}

/** Opens a database with the tables before the migration `tag`, for tests of that migration. */
export async function openDatabaseBefore(tag: string): Promise<OpenDatabase> {
  const made = await createPostgresDatabase();
  const database = await openPostgres(made.url);
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  try {
    cpSync(new URL('./migrations/', import.meta.url), folder, { recursive: true });
    const path = join(folder, 'meta/_journal.json');
    const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { tag: string }[] };
    const end = journal.entries.findIndex((entry) => entry.tag === tag);
    writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
    await migrate(database.db as unknown as NodePgDatabase, { migrationsFolder: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    ...database,
    async close() {
      await database.close();
      await made.drop();
    },
  };
}
