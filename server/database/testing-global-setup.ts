/** Vitest's `globalSetup`: one PostgreSQL per test run, started on the first request. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { PostgresForTests } from './testing-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresPort: number;
  }
}

async function start(): Promise<PostgresForTests & { stop(): Promise<void> }> {
  const [{ createDatabase, startPostgres }, { openPostgres }, { migrate }] = await Promise.all([
    import('./testing-postgres.ts'),
    import('./connect.ts'),
    import('./migrate.ts'),
  ]);
  const postgres = await startPostgres();
  const template = await createDatabase(postgres.url);
  const database = await openPostgres(template.url);
  await migrate(database);
  await database.close();
  const stop = async () => {
    await template.drop();
    await postgres.stop();
  };
  return { url: postgres.url, template: template.name, stop };
}

/** Listens for requests during the run, and stops PostgreSQL afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: ReturnType<typeof start> | null = null;
  const desk = createServer((socket) => {
    socket.on('error', () => undefined);
    started ??= start();
    started.then(
      ({ url, template }) => socket.end(JSON.stringify({ url, template })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  }).listen(0, '127.0.0.1');
  await once(desk, 'listening');
  project.provide('postgresPort', (desk.address() as AddressInfo).port);
  return async () => {
    desk.close();
    await started?.then(
      ({ stop }) => stop(),
      () => undefined,
    );
  };
}
