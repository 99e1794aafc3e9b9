/** Runs the real service in a separate process, on a free port, with a separate data folder. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { serviceProgram } from '../../server/testing-program.ts';
import { requestPostgres, createDatabase } from '../../server/database/testing-postgres.ts';

/** A running service. `log` is the service's output so far. */
export interface Service {
  url: string;
  port: number;
  directory: string;
  log(): string;
  /** Kills the process immediately, as a crash would. */
  kill(): Promise<void>;
  /** Restarts the service with the same port and data. */
  start(): Promise<void>;
  /** Stops the service gracefully and removes its data. */
  stop(): Promise<void>;
}

async function copyOfTemplate(port: number) {
  const { url, template } = await requestPostgres(port);
  return createDatabase(url, template);
}

/**
 * Starts the service and waits until it is ready. Blocks are mined only on demand.
 * @param env additional settings
 * @param ownDatabase true to use the built-in PostgreSQL in the data folder, as with `npm start`; otherwise a database
 * in the tests' PostgreSQL
 * @param port by default, a free port
 */
export async function startService(
  env: Record<string, string> = {},
  { ownDatabase = false, port: given }: { ownDatabase?: boolean; port?: number } = {},
): Promise<Service> {
  const port = given ?? (await freePort());
  const postgres = ownDatabase || !process.env.TEST_POSTGRES_PORT ? null : Number(process.env.TEST_POSTGRES_PORT);
  const database = postgres === null ? null : await copyOfTemplate(postgres);
  const directory = await mkdtemp(join(tmpdir(), 'service-button-'));
  const url = `http://localhost:${port}`;
  let child: ChildProcess | null = null;
  let log = '';

  const start = () =>
    new Promise<void>((ready, failed) => {
      const started = spawn(process.execPath, serviceProgram(), {
        env: {
          ...process.env,
          PORT: String(port),
          BASE_URL: url,
          DATA_DIR: directory,
          BLOCK_INTERVAL_MS: '0',
          DATABASE_URL: database?.url ?? '',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      const read = (chunk: Buffer) => {
        log += chunk.toString();
        if (/^ready: /m.test(log)) ready();
      };
      log = '';
      started.stdout?.on('data', read);
      started.stderr?.on('data', read);
      started.on('exit', (code) => failed(new Error(`the service exited with ${code}:\n${log}`)));
    });
  const end = (signal: NodeJS.Signals) =>
    new Promise<void>((ended) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return ended();
      child.once('exit', () => ended());
      child.kill(signal);
    });
  await start();
  return {
    url,
    port,
    directory,
    start,
    log: () => log,
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM');
      await database?.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function postJson<T = Record<string, unknown>>(url: string, body: unknown): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}
