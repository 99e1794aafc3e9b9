import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Programs } from './programs.ts';

const run = promisify(execFile);

export interface Postmaster {
  pid: number;
  port: number;
  /** The directory of its Unix socket; null if it listens on the loopback interface. */
  socketFolder: string | null;
  /** False while the server starts, recovers or stops, when its port and socket directory might be unknown. */
  ready: boolean;
}

const FILE = 'postmaster.pid';

/**
 * Returns the server running on `folder`, or null. Deletes a killed server's PID file if its PID now belongs to
 * another process, because the file would keep PostgreSQL from starting.
 */
export async function findPostmaster(folder: string): Promise<Postmaster | null> {
  const path = join(folder, FILE);
  // Line numbers: LOCK_FILE_LINE_* in PostgreSQL's miscadmin.h.
  const content = () => readFile(path, 'utf8').catch(() => '');
  const found = await content();
  const lines = found.split('\n');
  const [pid, port, socketFolder] = [Number(lines[0]), Number(lines[3]), lines[4] ?? ''];
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isAlive(pid)) return null;
  if (!(await serves(pid, folder))) {
    // The file is kept if another server has just written its own PID to it.
    if ((await content()) === found) await rm(path, { force: true });
    return null;
  }
  return { pid, port, socketFolder: socketFolder === '' ? null : socketFolder, ready: lines[7]?.trim() === 'ready' };
}

/** Returns the socket directory of the server that runs on `folder` or was killed there, or null. */
export async function lastSocketFolder(folder: string): Promise<string | null> {
  return (await readFile(join(folder, FILE), 'utf8').catch(() => '')).split('\n')[4] || null;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True if the process is a PostgreSQL server on `folder`, or if that can't be determined. */
async function serves(pid: number, folder: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(folder));
    if (process.platform === 'win32') return true;
    return /\bpostgres\b/.test((await run('ps', ['-p', String(pid), '-o', 'command='])).stdout);
  } catch (error) {
    // The process has exited, or belongs to another user, who couldn't have opened this directory.
    return !['ENOENT', 'EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code));
  }
}

/**
 * Stops a server with a fast shutdown, which rolls back open transactions. If the server is still running after
 * `patienceMs`, stops it immediately, and the next start recovers from the WAL.
 */
export async function stopPostmaster(
  pid: number,
  folder: string,
  programs: Programs,
  patienceMs = 8_000,
): Promise<void> {
  await signal(pid, folder, programs, 'fast');
  if (await ends(pid, patienceMs)) return;
  await signal(pid, folder, programs, 'immediate');
  await ends(pid, patienceMs);
}

/** Sends SIGINT (fast) or SIGQUIT (immediate shutdown), see postgres(1). On Windows, pg_ctl works without signals. */
async function signal(pid: number, folder: string, programs: Programs, mode: 'fast' | 'immediate'): Promise<void> {
  try {
    if (process.platform === 'win32') {
      await run(join(programs.folder, 'pg_ctl'), ['stop', '-D', folder, '-m', mode, '-W']);
    } else {
      process.kill(pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    }
  } catch {}
}

async function ends(pid: number, patienceMs: number): Promise<boolean> {
  for (const deadline = Date.now() + patienceMs; isAlive(pid);) {
    if (Date.now() > deadline) return false;
    await new Promise((wake) => setTimeout(wake, 10));
  }
  return true;
}
