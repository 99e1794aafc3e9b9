import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll } from 'vitest';
import { startEmbedded, type EmbeddedServer } from './server.ts';
import { StartError, type StartErrorCode } from './start-error.ts';
import type { SystemUser } from './system-user.ts';

const MODULE = fileURLToPath(new URL('./server.ts', import.meta.url));
const directories: string[] = [];
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const directory of directories) {
    killServer(directory);
    rmSync(directory, { recursive: true, force: true });
  }
});

/** Creates a directory that is removed after the file's tests, along with any server still running on it. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'embedded-'));
  // Like a directory created by an operator, this one is accessible to PostgreSQL's own user.
  chmodSync(directory, 0o755);
  directories.push(directory);
  return directory;
}

let made: string | null = null;

/** Creates a directory that contains an empty database. Copying a database is faster than creating one. */
export async function newDatabaseDirectory(): Promise<string> {
  if (made === null) {
    made = newDirectory();
    await (await start(made)).stop();
  }
  const directory = newDirectory();
  cpSync(join(made, 'postgres'), join(directory, 'postgres'), { recursive: true });
  return directory;
}

export const start = (directory: string, lines: string[] = []): Promise<EmbeddedServer> =>
  startEmbedded(directory, { connections: 5, log: (line) => lines.push(line), onTaken: () => {} });

/** Returns the error code of a failed start, or `started` after starting and stopping successfully. */
export async function codeOfStart(directory: string): Promise<StartErrorCode | 'started'> {
  try {
    await (await start(directory)).stop();
    return 'started';
  } catch (error) {
    if (error instanceof StartError) return error.code;
    throw error;
  }
}

/** Starts a server on the directory in a separate process. */
export async function startElsewhere(
  directory: string,
  user: SystemUser | null = null,
): Promise<{ url: string; kill(): Promise<void> }> {
  const script = `const { startEmbedded } = await import(${JSON.stringify(MODULE)}); const { url } = await startEmbedded(process.argv[1], { connections: 5, log: () => {}, onTaken: () => {} }); console.log(url); setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, directory], {
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const ended = once(child, 'exit');
  const [chunk] = (await Promise.race([once(child.stdout, 'data'), ended])) as [unknown];
  if (!Buffer.isBuffer(chunk)) throw new Error(`the process ended with ${String(chunk)}`);
  return {
    url: chunk.toString().trim(),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export function serverPid(directory: string): number | null {
  try {
    return Number(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return null;
  }
}

export function killServer(directory: string): void {
  const pid = serverPid(directory);
  try {
    if (pid !== null && pid !== process.pid) process.kill(pid, 'SIGKILL');
  } catch {}
}

export async function query<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end().catch(() => undefined);
  }
}
