/** PostgreSQL's data directory: `DATA_DIR/postgres`. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Programs } from './programs.ts';
import { StartError, failedProgram } from './start-error.ts';
import { grantFolder, type SystemUser } from './system-user.ts';

const run = promisify(execFile);

export const ROLE = 'service';
export const DATABASE = 'postgres';

export const folderOf = (dataDirectory: string) => join(dataDirectory, 'postgres');

/** The directory name in preview versions of this service, which used a different database format. */
const PREVIEW = 'database';

/**
 * Returns the directory's path as passed to PostgreSQL's programs. On Linux, returns the current directory, because the
 * programs' user might lack access to the parent directories.
 */
export const pathFor = (folder: string, user: SystemUser | null) =>
  user && process.platform === 'linux' ? '/proc/self/cwd' : folder;

const contentOf = (path: string) => readFile(path, 'utf8').catch(() => null);

/**
 * Creates the directory atomically if it is missing, and otherwise checks it.
 * @param password the database role's password if other users can reach the server; null to trust all local connections
 * @throws StartError
 */
export async function prepareFolder(
  dataDirectory: string,
  programs: Programs,
  user: SystemUser | null,
  password: string | null,
): Promise<string> {
  const folder = folderOf(dataDirectory);
  if ((await contentOf(join(dataDirectory, PREVIEW, 'PG_VERSION'))) !== null) {
    throw new StartError(
      'preview-data',
      `${dataDirectory} was created by a preview of this service, which used another data format. Set DATA_DIR to an empty folder, or move this one away.`,
    );
  }
  try {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    if (files.length === 0) await makeFolder(folder, programs, user, password);
    await grantFolder(folder, user);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw unusable(folder, error);
  }
  const version = (await contentOf(join(folder, 'PG_VERSION')))?.trim();
  if (version === undefined) {
    throw new StartError(
      'data-folder-unusable',
      `${folder} isn’t a complete PostgreSQL database. Restore it from a backup, or move it away to start with an empty one.`,
    );
  }
  if (version !== programs.major) {
    throw new StartError(
      'other-postgresql-version',
      `${folder} belongs to PostgreSQL ${version}, and this version of the service includes PostgreSQL ${programs.major}. With your earlier version, copy everything to a PostgreSQL server (npm run move-database -- postgresql://…). Then start this version with DATABASE_URL.`,
    );
  }
  await removeDrafts(folder);
  return folder;
}

function unusable(folder: string, cause: unknown): StartError {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return failedProgram('initdb', 'No space left on device', folder);
  return new StartError(
    'data-folder-unusable',
    `${folder} cannot be used (${code ?? message}). Start the service as the folder’s owner, or set DATA_DIR to your own folder.`,
    { cause },
  );
}

const draftsOf = (folder: string) => `${basename(folder)}.new-`;

async function makeFolder(
  folder: string,
  programs: Programs,
  user: SystemUser | null,
  password: string | null,
): Promise<void> {
  const draft = await mkdtemp(join(dirname(folder), draftsOf(folder)));
  const passwordFile = `${draft}.password`;
  try {
    await grantFolder(draft, user);
    // prettier-ignore
    const args = ['-D', pathFor(draft, user), '-U', ROLE, '-E', 'UTF8', '--locale=C', '-A', password === null ? 'trust' : 'scram-sha-256'];
    if (password !== null) {
      const file = await open(passwordFile, 'wx', 0o600);
      await file.writeFile(password);
      await file.close();
      args.push('--pwfile', passwordFile);
    }
    try {
      await run(join(programs.folder, 'initdb'), args, { ...user, cwd: draft });
    } catch (error) {
      throw failedProgram('initdb', (error as { stderr?: string }).stderr || String(error), folder);
    }
    await rename(draft, folder);
  } catch (error) {
    await removeDraft(draft);
    if ((await contentOf(join(folder, 'PG_VERSION'))) === null) throw error;
  } finally {
    await rm(passwordFile, { force: true });
  }
  await syncFolder(dirname(folder));
}

/** Makes the rename survive a power failure. Windows can't sync directories, and doesn't need to. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path).catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(dirname(folder))) {
    if (name.startsWith(draftsOf(folder))) await removeDraft(join(dirname(folder), name));
  }
}

/** Removes a draft. Ignores errors, because another process might still be writing to the draft. */
async function removeDraft(draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true }).catch(() => undefined);
}
