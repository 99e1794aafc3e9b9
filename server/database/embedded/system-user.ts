/** The system user that runs PostgreSQL, which refuses to run as root. */
import { execFile } from 'node:child_process';
import { chmod, lchown, lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SystemUser {
  uid: number;
  gid: number;
}

/** The UID of `nobody` on nearly every system, used if `id` doesn't find that user. */
const NOBODY = 65_534;

async function idOf(flag: '-u' | '-g', user: string): Promise<number | null> {
  try {
    return Number((await run('id', [flag, user])).stdout);
  } catch {
    return null;
  }
}

/**
 * Returns the user to run PostgreSQL as, or null for this process's user. If this process runs as root, returns the
 * owner of the first of `folders` that another user owns, otherwise `nobody`.
 */
export async function databaseUser(folders: readonly string[]): Promise<SystemUser | null> {
  if (process.getuid?.() !== 0) return null;
  for (const folder of folders) {
    const found = await stat(folder).catch(() => null);
    if (found && found.uid !== 0) {
      return { uid: found.uid, gid: (await idOf('-g', String(found.uid))) ?? found.gid };
    }
  }
  return { uid: (await idOf('-u', 'nobody')) ?? NOBODY, gid: (await idOf('-g', 'nobody')) ?? NOBODY };
}

/** Makes `user` the owner of a directory and its contents, and sets mode 0700, which PostgreSQL requires. */
export async function grantFolder(folder: string, user: SystemUser | null): Promise<void> {
  if (user && (await stat(folder)).uid !== user.uid) await chownAll(folder, user);
  await chmod(folder, 0o700);
}

async function chownAll(path: string, user: SystemUser): Promise<void> {
  // Changes the directory's own owner last so that an interrupted run starts over.
  if ((await lstat(path)).isDirectory()) for (const name of await readdir(path)) await chownAll(join(path, name), user);
  // Changes the owner of a link itself, never of its target, even if the link has just replaced a file.
  await lchown(path, user.uid, user.gid);
}
