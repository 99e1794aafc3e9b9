/** Determines the file names of screenshots of failed browser tests. */
import { existsSync, readdirSync } from 'node:fs';

export const PICTURES = 'test-output';

/**
 * Returns the file name prefix for a test. `test` is the test's path and title. Suffixes such as `-0.png` follow it.
 */
export const pictureName = (test: string): string => test.replaceAll(/\W+/g, '-').slice(0, 100);

/** Returns the paths of a test's screenshots; empty if the test opened no page. */
export function picturesOf(test: string, folder: string = PICTURES): string[] {
  const start = `${pictureName(test)}-`;
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files
    .filter((file) => file.startsWith(start) && /^\d+\.png$/.test(file.slice(start.length)))
    .sort()
    .map((file) => `${folder}/${file}`);
}
