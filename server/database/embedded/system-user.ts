/** The system user that PostgreSQL runs as, because it refuses to run as root. */
import { execFile } from 'node:child_process';
import { chmod, lchown, lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SystemUser {
  uid: number;
  gid: number;
}

/** The fallback if `id` doesn't know `nobody`: its number on nearly every system. */
const NOBODY = 65_534;

async function idOf(flag: '-u' | '-g', user: string): Promise<number | null> {
  try {
    return Number((await run('id', [flag, user])).stdout);
  } catch {
    return null;
  }
}

/**
 * The user that runs PostgreSQL; null for this process's. Root switches to the owner of the first of `folders` that
 * another user owns, or to `nobody`.
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

/** Gives a folder to the user only (PostgreSQL requires mode 0700), with its content if the owner changes. */
export async function giveFolder(folder: string, user: SystemUser | null): Promise<void> {
  if (user && (await stat(folder)).uid !== user.uid) await chownAll(folder, user);
  await chmod(folder, 0o700);
}

async function chownAll(path: string, user: SystemUser): Promise<void> {
  // The folder comes last, so that an interrupted change starts over.
  if ((await lstat(path)).isDirectory()) for (const name of await readdir(path)) await chownAll(join(path, name), user);
  // Changes a link itself, not its target, even if the link has just replaced a file.
  await lchown(path, user.uid, user.gid);
}
