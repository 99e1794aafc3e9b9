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
