/** For vitest's `globalSetup`: one PostgreSQL for all test files of a run. */
import type { TestProject } from 'vitest/node';
import { startPostgres } from './testing-postgres.ts';

/** Starts it before the first test file and stops it after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  project.provide('postgresUrl', postgres?.url ?? null);
  if (!postgres)
    process.stderr.write(
      'No PostgreSQL found: the tests run on the embedded database alone. Install it, or set DATABASE_URL.\n',
    );
  return async () => postgres?.stop();
}
