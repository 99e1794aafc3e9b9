/**
 * A lock file, so that no second process opens the embedded database's directory: two opens would lose data.
 *
 * The file names the process that holds it. A process that was killed leaves its file behind, and such a file is taken
 * over: the process is gone, or its number now belongs to another one (told by boot and start time, where Linux shows
 * them). The file appears with its whole content at once (link), so nobody ever reads half of it.
 */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';

const holder = z.object({ pid: z.number(), boot: z.nullable(z.string()), started: z.nullable(z.string()) });
type Holder = z.infer<typeof holder>;

/** A held lock. */
export interface LockFile {
  release(): Promise<void>;
}

/** Another live process holds the lock. The message names it. */
export class LockedError extends Error {
  readonly pid: number;

  constructor(path: string, pid: number) {
    super(
      `Another process (pid ${pid}) already uses ${dirname(path)}. Stop it first, or choose another DATA_DIR. (Lock file: ${path})`,
    );
    this.name = 'LockedError';
    this.pid = pid;
  }
}

/** When a process started, in clock ticks since boot: field 22 of `/proc/<pid>/stat` (proc(5)). Null where unknown. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // Field 2 is the command in parentheses, which may hold blanks and parentheses itself: count from its end.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** Names this boot of this machine; null where the system does not tell. */
async function bootOf(): Promise<string | null> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'latin1')).trim();
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function holds({ pid, boot, started }: Holder): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const [bootNow, startedNow] = await Promise.all([bootOf(), startOf(pid)]);
  if (boot !== null && bootNow !== null && boot !== bootNow) return false;
  return started === null || startedNow === null || started === startedNow;
}

async function readHolder(path: string): Promise<{ text: string; holder: Holder | null } | null> {
  try {
    const text = await readFile(path, 'utf8');
    try {
      const read = holder.safeParse(JSON.parse(text));
      return { text, holder: read.success ? read.data : null };
    } catch {
      return { text, holder: null };
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Takes the lock at `path`.
 * @throws LockedError where another live process has it
 */
export async function takeLock(path: string): Promise<LockFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const own = `${JSON.stringify({ pid: process.pid, boot: await bootOf(), started: await startOf(process.pid), key: randomBytes(8).toString('hex') })}\n`;
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  await writeFile(draft, own, { flag: 'wx', mode: 0o600 });
  try {
    while (!(await tryLink(draft, path))) await removeDead(path);
  } finally {
    await rm(draft, { force: true });
  }
  return {
    async release() {
      if ((await readHolder(path))?.text === own) await rm(path, { force: true });
    },
  };
}

async function tryLink(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a dead process's lock. A guard, which is such a lock itself, is held meanwhile: of several processes that see
 * the same dead one, each looks again under the guard and none removes what another has just taken.
 * @throws LockedError where the lock, or the guard, is held by a live process
 */
async function removeDead(path: string): Promise<void> {
  const found = await readHolder(path);
  if (!found) return;
  if (found.holder && (await holds(found.holder))) throw new LockedError(path, found.holder.pid);
  const guard = await takeLock(`${path}.takeover`);
  try {
    if ((await readHolder(path))?.text === found.text) await rm(path, { force: true });
  } finally {
    await guard.release();
  }
}
