/** Names of the screenshots that show a failed browser test. */
import { existsSync, readdirSync } from 'node:fs';

/** Folder of the screenshots. */
export const PICTURES = 'test-output';

/** Beginning of the file names of a test, given by path and title. Each continues with `-0.png` and so on. */
export const pictureName = (test: string): string => test.replaceAll(/\W+/g, '-').slice(0, 100);

/** Paths of a test's screenshots; empty if it opened no page. */
export function picturesOf(test: string, folder: string = PICTURES): string[] {
  const start = `${pictureName(test)}-`;
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files
    .filter((file) => file.startsWith(start) && /^\d+\.png$/.test(file.slice(start.length)))
    .sort()
    .map((file) => `${folder}/${file}`);
}
