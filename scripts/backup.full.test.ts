/** Runs the commands of docs/operate/backup.md verbatim, with Debian's PostgreSQL. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgres } from '../server/database/connect.ts';
import { startEmbedded } from '../server/database/embedded/server.ts';
import { databaseUser, type SystemUser } from '../server/database/embedded/system-user.ts';
import { createUser } from '../server/identity/accounts.ts';
import { issueToken } from '../server/identity/tokens.ts';
import { startServer } from '../server/main.ts';
import { freePort } from '../tooling/free-port.ts';
import { findPostgres } from '../tooling/system.ts';

const run = promisify(execFile);
const page = readFileSync(fileURLToPath(new URL('../docs/operate/backup.md', import.meta.url)), 'utf8');
const blockWith = (command: string) => {
  const block = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = '']) => code);
  return block.find((code) => code.includes(command)) ?? expect.fail(`docs/operate/backup.md has no ${command}`);
};

describe('backup and restore', () => {
  let folder: string;
  let user: SystemUser | null;
  let servers: Awaited<ReturnType<typeof startServer>>[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'backup-'));
    user = await databaseUser([]);
    servers = [];
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  async function startInstance(env: Record<string, string>) {
    let log = '';
    const server = await startServer(
      { PORT: '0', NETWORK: 'testnet', ARC_URL: 'http://127.0.0.1:1', ...env },
      { logTo: { write: (line) => void (log += line) }, print: () => {} },
    );
    servers.push(server);
    return `http://127.0.0.1:${/"port":(\d+)/.exec(log)?.[1]}`;
  }
  const stopInstances = () => Promise.all(servers.splice(0).map((server) => server.close()));
  const statusOf = async (url: string, token: string) =>
    (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status;

  async function register(url: string, handle: string): Promise<string> {
    const { db, close } = await openPostgres(url);
    try {
      const registration = { handle, name: `Name of ${handle} "é" \\`, receivingXpub: 'xpub' };
      const { id } = await createUser(db, `key of ${handle}`, registration, new Date());
      return await issueToken(db, 'wallet', id, new Date());
    } finally {
      await close();
    }
  }

  describe("Debian's PostgreSQL", () => {
    let postgres: ChildProcess;
    let env: Record<string, string>;

    beforeEach(async () => {
      const programs = findPostgres();
      if (programs === null)
        expect.fail(
          'There is no PostgreSQL below /usr/lib/postgresql: apt-get install postgresql, and run this again.',
        );
      const port = String(await freePort());
      const data = join(folder, 'postgres');
      mkdirSync(data);
      for (const path of [folder, data]) if (user) chownSync(path, user.uid, user.gid);
      const as = user ?? {};
      await run(join(programs, 'initdb'), ['--username=postgres', '--auth=trust', '--encoding=UTF8', data], as);
      const args = ['-D', data, '-p', port, '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
      postgres = spawn(join(programs, 'postgres'), args, { ...as, stdio: 'ignore' });
      // Replaces `sudo`, which the document's commands use, because it isn't installed everywhere.
      writeFileSync(join(folder, 'sudo'), '#!/bin/sh\nshift 2\nexec "$@"\n');
      chmodSync(join(folder, 'sudo'), 0o755);
      env = {
        PATH: `${folder}:${programs}:${process.env.PATH}`,
        PGHOST: '127.0.0.1',
        PGPORT: port,
        PGUSER: 'postgres',
        DATABASE_URL: `postgresql://service_button@127.0.0.1:${port}/service_button`,
      };
      await expect
        .poll(() =>
          sh('pg_isready --quiet').then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      await sh('createuser service_button && createdb service_button --owner service_button');
    });
    afterEach(async () => {
      postgres.kill('SIGINT');
      await once(postgres, 'exit');
    });

    const sh = async (script: string) => (await run('sh', ['-euc', script], { env, cwd: folder })).stdout;

    /** Returns each table's rows, and each sequence's position. */
    async function contents(): Promise<Record<string, unknown>> {
      const client = new pg.Client({ connectionString: env.DATABASE_URL });
      await client.connect();
      const names = async (query: string) => (await client.query<{ name: string }>(query)).rows.map(({ name }) => name);
      const found: Record<string, unknown> = {};
      try {
        const relations = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace
          where nspname in ('public', 'drizzle') and relkind =`;
        for (const table of await names(`${relations} 'r'`))
          found[table] = await names(`select t::text as name from ${table} t order by 1`);
        for (const sequence of await names(`${relations} 'S'`))
          found[sequence] = await names(`select last_value::text as name from ${sequence}`);
        return found;
      } finally {
        await client.end();
      }
    }

    it('restores every row and sequence of a running service, and its tokens are valid', async () => {
      const options = { DATABASE_URL: env.DATABASE_URL as string };
      await startInstance({ ...options, DATA_DIR: join(folder, 'data') });
      const token = await register(options.DATABASE_URL, 'ann');
      // The service writes this row in the background, so the backup must not start before then.
      await expect.poll(async () => String((await contents()).instance_facts)).toContain('unpaid-destinations-deleted');
      await sh(blockWith('pg_dump'));
      await stopInstances();
      const before = await contents();
      expect(before.users).toHaveLength(1);

      await sh('dropdb service_button');
      await sh(blockWith('pg_restore'));

      expect(await contents()).toEqual(before);
      const url = await startInstance({ ...options, DATA_DIR: join(folder, 'other-data') });
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect(await statusOf(`${url}/api/v2/me`, token)).toBe(200);
      await register(options.DATABASE_URL, 'bob');
    });

    it('a restore over a database with content fails, and changes nothing', async () => {
      await startInstance({ DATABASE_URL: env.DATABASE_URL as string, DATA_DIR: join(folder, 'data') });
      await sh(blockWith('pg_dump'));
      await register(env.DATABASE_URL as string, 'ann');
      await stopInstances();
      const before = await contents();
      await expect(sh(blockWith('pg_restore'))).rejects.toThrow(/already exists/);
      expect(await contents()).toEqual(before);
    });
  });

  it("restores a copy of the data directory of the service's own PostgreSQL", async () => {
    const data = join(folder, 'data');
    await startInstance({ DATA_DIR: data });
    await stopInstances();
    const own = await startEmbedded(data, { connections: 2, log: () => {}, onTaken: () => {} });
    const token = await register(own.url, 'ann');
    await own.stop();

    // Tests have no systemd, so this removes its commands. The document's paths are those of the systemd unit.
    const script = blockWith('cp --archive').replaceAll(/^systemctl .*$/gm, '');
    const [unit, copy] = ['/var/lib/service-button', '/var/backups/service-button'];
    await run('sh', ['-euc', script.replaceAll(unit, data).replaceAll(copy, join(folder, 'copy'))]);
    rmSync(data, { recursive: true });

    const url = await startInstance({ DATA_DIR: join(folder, 'copy') });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await statusOf(`${url}/api/v2/me`, token)).toBe(200);
  });
});
