/** The private directory of a running server: its Unix socket, and a copy of its programs if needed. */
import { access, chown, constants, lstat, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { StartError } from './start-error.ts';
import type { SystemUser } from './system-user.ts';

const PREFIX = 'service-button-run-';
/** Maximum length of a socket path without the terminating NUL: 108 bytes on Linux (unix(7)), 104 elsewhere. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;
const LONGEST_SOCKET_NAME = `/${PREFIX}XXXXXX/.s.PGSQL.5432`;

/** True if the user can access the directory and all its parents. */
async function isOpenTo(user: SystemUser | null, path: string): Promise<boolean> {
  try {
    if (user === null) {
      await access(path, constants.W_OK | constants.X_OK);
      return true;
    }
    for (let folder = path; ; folder = dirname(folder)) {
      const found = await stat(folder);
      if ((found.mode & 0o001) === 0 && !(found.uid === user.uid && (found.mode & 0o100) !== 0)) return false;
      if (folder === dirname(folder)) return true;
    }
  } catch {
    return false;
  }
}

/**
 * Creates a directory in the temporary directory, or in `spare` if a socket path would be too long there. Only `user`
 * (null for this process's user) has access to it.
 */
export async function makeRunFolder(user: SystemUser | null, spare: string): Promise<string> {
  const places = process.platform === 'win32' ? [tmpdir()] : [tmpdir(), '/tmp', spare];
  let place = places[0] as string;
  for (const one of places.toReversed()) {
    if (Buffer.byteLength(one) + LONGEST_SOCKET_NAME.length <= MAX_SOCKET_PATH_BYTES && (await isOpenTo(user, one)))
      place = one;
  }
  const folder = await mkdtemp(join(place, PREFIX)).catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(
      'data-folder-unusable',
      `The folder for PostgreSQL's socket can't be created in ${place} (${cause.code}). Set TMPDIR to a folder with a short path that the service may write to.`,
      { cause },
    );
  });
  if (user) await chown(folder, user.uid, user.gid);
  return folder;
}

/**
 * Recreates a run directory that a cleanup of temporary files removed.
 * @throws StartError if its path is taken
 */
export async function restoreRunFolder(folder: string, user: SystemUser | null): Promise<void> {
  const made = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  if (made) {
    if (user) await chown(folder, user.uid, user.gid);
    return;
  }
  // In a shared location, anyone can create a directory with the run directory's name.
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid === (user?.uid ?? process.getuid?.()) && (found.mode & 0o077) === 0) return;
  throw new StartError(
    'data-folder-unusable',
    `${folder}, the folder of PostgreSQL's socket, now belongs to another user.`,
  );
}

/** Removes the run directory of a killed server, but only if its name shows that it was created here. */
export async function removeRunFolder(folder: string | null): Promise<void> {
  if (folder !== null && basename(folder).startsWith(PREFIX)) await rm(folder, { recursive: true, force: true });
}
