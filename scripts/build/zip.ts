/** Packs a folder as a reproducible ZIP file. */
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { zipSync } from 'fflate';

/** The format's earliest date, used for all files. The format stores local time, without a time zone. */
const DATE = new Date(1980, 0, 1);

/** Packs all files in a folder and its subfolders, sorted by name. */
export async function zipFolder(folder: string): Promise<Uint8Array> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const names = paths.map((path) => path.slice(folder.length + 1).replaceAll(sep, '/')).toSorted();
  const files = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const));
  return zipSync(Object.fromEntries(files), { level: 9, mtime: DATE });
}
