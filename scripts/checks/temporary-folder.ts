import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A folder in memory, on Linux. */
const IN_MEMORY = '/dev/shm';
/** Minimum free space of {@link IN_MEMORY} (bytes). */
const MIN_FREE = 6 * 2 ** 30;

/**
 * Returns the parent folder for temporary files of a test run: the one in `TMPDIR` if set, otherwise one in memory if
 * there is enough space and programs can run in it. Tests create hundreds of databases and browser profiles, which takes
 * much longer on a slow disk.
 */
export function fastTemporaryFolder(): string {
  if (process.env.TMPDIR) return tmpdir();
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const mount = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .find((line) => line.includes(` ${IN_MEMORY} `));
    if (bavail * bsize >= MIN_FREE && mount !== undefined && !mount.includes('noexec')) return IN_MEMORY;
  } catch {
    // The folder exists only on Linux.
  }
  return tmpdir();
}
