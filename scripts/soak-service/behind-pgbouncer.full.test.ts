import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPostgresDatabase } from '../../server/database/testing.ts';
import { openPostgres } from '../../server/database/connect.ts';
import { migrate } from '../../server/database/migrate.ts';
import type { TestDatabase } from '../../server/database/testing-postgres.ts';
import { startServer, type RunningServer } from '../../server/main.ts';
import { startPgbouncer } from './pgbouncer.ts';
import { findServer } from '../../tooling/system.ts';

const program = findServer('pgbouncer');

describe.skipIf(program === null)('PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pgbouncer: Awaited<ReturnType<typeof startPgbouncer>>;
  let directories: string[];
  let log: string;
  const servers: RunningServer[] = [];

  beforeEach(async () => {
    [directories, log] = [[], ''];
    database = await createPostgresDatabase();
    pgbouncer = await startPgbouncer(program as string, database.url);
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await pgbouncer.close();
    await database.drop();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });

  const newDirectory = () => {
    const directory = mkdtempSync(join(tmpdir(), 'behind-pgbouncer-'));
    directories.push(directory);
    return directory;
  };
  const start = async (env: Record<string, string>) => {
    const server = await startServer(
      { PORT: '0', DATABASE_URL: pgbouncer.url, ...env },
      { logTo: { write: (line) => void (log += line) }, print: () => {} },
    );
    servers.push(server);
    return server;
  };
  const listening = () => [...log.matchAll(/"port":(\d+)/g)].map(([, port]) => `http://127.0.0.1:${port}`);

  it('lets instances start concurrently and restart', async () => {
    const env = () => ({ NETWORK: 'testnet', ARC_URL: 'http://127.0.0.1:1', DATA_DIR: newDirectory() });
    await Promise.all([start(env()), start(env())]);
    await start(env());
    expect(listening()).toHaveLength(3);
  });

  it('lets devnet restart on its data directory, but not start twice concurrently', async () => {
    const DATA_DIR = newDirectory();
    const first = await start({ DATA_DIR, BLOCK_INTERVAL_MS: '0' });
    await expect(start({ DATA_DIR, BLOCK_INTERVAL_MS: '0' })).rejects.toMatchObject({ code: 'data-folder-in-use' });
    await first.close();
    await start({ DATA_DIR, BLOCK_INTERVAL_MS: '0' });
  });

  it('serves concurrent requests, which use prepared statements with the same name on several server connections', async () => {
    await start({ DATA_DIR: newDirectory(), BLOCK_INTERVAL_MS: '0' });
    const [url = ''] = listening();
    const read = async () =>
      (await fetch(`${url}/api/v2/me`, { headers: { Authorization: `Bearer ${crypto.randomUUID()}0123456` } })).status;
    for (let round = 0; round < 10; round += 1)
      expect(new Set(await Promise.all(Array.from({ length: 30 }, read)))).toEqual(new Set([401]));
  });

  it('logs that it waits while another instance migrates', async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('select pg_advisory_lock(108183949307758)');
    const waiting: number[] = [];
    const open = await openPostgres(pgbouncer.url);
    try {
      let isDone = false;
      const migrating = migrate(open, (seconds) => void waiting.push(seconds)).then(() => (isDone = true));
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      expect(isDone).toBe(false);
      await holder.query('select pg_advisory_unlock(108183949307758)');
      await migrating;
    } finally {
      await open.close();
      await holder.end();
    }
  });
});
