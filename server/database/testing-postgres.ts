/** A PostgreSQL for tests and benchmarks: the server at DATABASE_URL, or one in a temporary directory. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { PATIENCE_MS } from '../../testing/patience.ts';
import { DATABASE, ROLE, pathFor, prepareFolder } from './embedded/folder.ts';
import { findPrograms } from './embedded/programs.ts';
import { makeRunFolder } from './embedded/run-folder.ts';
import { settings } from './embedded/settings.ts';
import { databaseUser, grantFolder } from './embedded/system-user.ts';

/** Time limit for a restart after a kill (ms). A restart that takes longer is attempted again. */
const RESTART_MS = 5000;

export interface TestPostgres {
  url: string;
  /**
   * Kills the main process with SIGKILL and restarts it on the same files. Rejects if this process didn't start the
   * server.
   */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

async function untilItAnswers(url: string, deadline: number): Promise<void> {
  for (;;) {
    try {
      await run(url, 'select 1');
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((wake) => setTimeout(wake, 20));
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

/** A test run's server, and the name of its template database, which is empty and has all tables. */
export interface PostgresForTests {
  url: string;
  template: string;
}

/**
 * Requests the run's server from the global setup, which starts it on the first request.
 * @param port the global setup's port
 */
export async function requestPostgres(port: number): Promise<PostgresForTests> {
  const answer = JSON.parse(await text(connect(port, '127.0.0.1'))) as PostgresForTests & { error?: string };
  if (answer.error !== undefined) throw new Error(`no PostgreSQL for tests: ${answer.error}`);
  return answer;
}

export interface TestDatabase {
  url: string;
  name: string;
  drop(): Promise<void>;
}

/** Creates a database as a copy of `template`, which must have no connections. The default is an empty database. */
export async function createDatabase(serverUrl: string, template = 'template0'): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Takes half as long as the default strategy if the files are in memory.
  await run(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  return { url: address.href, name, drop: () => run(serverUrl, `drop database if exists ${name} with (force)`) };
}

/** Returns the server at DATABASE_URL, or starts one. @param durable flushes every commit to disk, as in production */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres> {
  const given = process.env.DATABASE_URL;
  if (given)
    return {
      url: given,
      crash: () => Promise.reject(new Error('DATABASE_URL is not ours to kill')),
      stop: async () => {},
    };
  const user = await databaseUser([]);
  const directory = await makeRunFolder(user, tmpdir());
  const programs = await findPrograms(user, directory);
  const data = join(directory, 'data');
  await mkdir(data);
  await grantFolder(data, user);
  const folder = await prepareFolder(data, programs, user, null);
  const values = {
    ...settings({ connections: 200, socketFolder: directory, port: 5432 }),
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  // The shell reads from a pipe to this process. Once the pipe closes, the shell stops the server and cleans up.
  const script =
    'directory=$1; shift; "$@" & server=$!; end=$(cat); kill -INT $server; wait $server; cd /; [ "$end" = again ] || rm -rf "$directory"';
  const command = [join(programs.folder, 'postgres'), '-D', pathFor(folder, user)];
  const args = Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const launch = () => {
    const shell = spawn('sh', ['-c', script, 'sh', directory, ...command, ...args], {
      ...user,
      cwd: folder,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    return { shell, ended: once(shell, 'exit') };
  };
  let running = launch();
  const crash = async () => {
    const [pid] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    for (const end = Date.now() + PATIENCE_MS; ;) {
      running.shell.stdin.end('again');
      await running.ended;
      running = launch();
      // PostgreSQL refuses to start until all processes of the old server have exited.
      const answers = untilItAnswers(url, Math.min(end, Date.now() + RESTART_MS));
      if (
        await answers.then(
          () => true,
          (error: unknown) => Date.now() > end && Promise.reject(error),
        )
      )
        return;
    }
  };
  const stop = async () => {
    running.shell.stdin.end();
    await running.ended;
    await rm(directory, { recursive: true, force: true });
  };
  const url = `postgresql://${ROLE}@localhost/${DATABASE}?host=${encodeURIComponent(directory)}`;
  try {
    await untilItAnswers(url, Date.now() + PATIENCE_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, crash, stop };
}
