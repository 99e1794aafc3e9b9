/** The databases that the server's tests run on: the embedded one always, PostgreSQL where there is one. */
import { afterAll, inject } from 'vitest';
import { openEmbedded, openPostgres, type OpenDatabase } from './connect.ts';
import { migrate } from './migrate.ts';
import { createDatabase, startPostgres, type TestPostgres } from './testing-postgres.ts';
import { migratedFiles } from './testing-template.ts';

/** A kind of database. */
export interface TestDatabase {
  name: string;
  /** A database of its own with all tables, gone when it is closed. */
  open(): Promise<OpenDatabase>;
}

let own: TestPostgres | null = null;
let url = inject('postgresUrl');
if (url === undefined) {
  own = await startPostgres();
  url = own?.url ?? null;
}
afterAll(() => own?.stop());

/** PostgreSQL's URL, null where there is none. */
export const postgresUrl: string | null = url;

/** Makes an empty PostgreSQL database. */
export function createPostgresDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  return createDatabase(postgresUrl ?? '');
}

async function migrated(database: OpenDatabase, after: () => Promise<void>): Promise<OpenDatabase> {
  await migrate(database);
  return {
    ...database,
    async close() {
      await database.close();
      await after();
    },
  };
}

const embedded: TestDatabase = { name: 'embedded', open: async () => openEmbedded(null, await migratedFiles()) };
const postgresql: TestDatabase = {
  name: 'PostgreSQL',
  async open() {
    const { url: fresh, drop } = await createPostgresDatabase();
    return migrated(await openPostgres(fresh), drop);
  },
};

/** For `describe.each`. */
export const testDatabases: readonly TestDatabase[] = postgresUrl === null ? [embedded] : [embedded, postgresql];
