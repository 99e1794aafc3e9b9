/** A PostgreSQL for tests: the one at DATABASE_URL, else local binaries on a temporary directory. */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { PATIENCE_MS } from '../../testing/patience.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What testing-global-setup.ts found: null for nothing; undefined where that set-up is not in use. */
    postgresUrl: string | null | undefined;
  }
}

/** A PostgreSQL that tests may make databases in. */
export interface TestPostgres {
  url: string;
  stop(): Promise<void>;
}

/** The folder with `postgres` and `initdb`: on the PATH, else the newest of Debian's. */
function findBinaries(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  return folders.find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb'))) ?? null;
}

/** PostgreSQL refuses to run as root: then it runs as the system's user for it. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => {
    for (const user of ['postgres', 'nobody']) {
      try {
        return Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
      } catch {
        // Not a user of this system.
      }
    }
    throw new Error('no user to run PostgreSQL as');
  };
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

async function untilItAnswers(url: string, deadline: number): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((wake) => setTimeout(wake, 50));
    }
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes an empty database on a server, gone when it is dropped. */
export async function createDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await run(serverUrl, `create database ${name}`);
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  return { url: address.href, drop: () => run(serverUrl, `drop database if exists ${name} with (force)`) };
}

/**
 * Finds or starts one. Null where this machine has none.
 * @param durable one started here writes every commit through to the disk, as in earnest; tests need not wait for that
 */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres | null> {
  const given = process.env.DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const binaries = findBinaries();
  if (!binaries) return null;
  const directory = mkdtempSync(join(tmpdir(), 'service-button-postgres-'));
  const user = unprivileged();
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: directory, stdio: 'ignore' },
  );
  const port = await freePort();
  // The shell holds this process's end of a pipe: when the tests are over, or killed, it stops the server and cleans
  // up.
  const script =
    '"$1/postgres" -D "$2/data" -p "$3" -h 127.0.0.1 -k "$2" -c fsync="$4" -c max_connections=200 >"$2/log" 2>&1 & server=$!; cat >/dev/null; kill -INT $server; wait $server; rm -rf "$2"';
  const shell = spawn('sh', ['-c', script, 'sh', binaries, directory, String(port), durable ? 'on' : 'off'], {
    ...user,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(shell, 'exit');
  const stop = async () => {
    shell.stdin.end();
    await ended;
  };
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  try {
    await untilItAnswers(url, Date.now() + PATIENCE_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}
