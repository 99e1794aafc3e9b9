/** Combines the declarations of many source files into a few package files, without the source's folder structure. */
import { basename, posix } from 'node:path';

/** The input of {@link flattenDeclarations}. Paths are relative to the sources, with `/`. */
export interface Declarations {
  read(path: string): Promise<string>;
  /** The published entries, with their paths in the package. */
  entries: ReadonlyMap<string, string>;
  packages: readonly string[];
}

/** A module specifier in `from '…'`, `import '…'` or `import('…')`. */
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"]+)\2/g;

/**
 * Follows the imports from the entries. Imported files are placed in `types/`, without their folders.
 * @returns text by path in the package
 * @throws Error if a file imports another package, or two files have the same name
 */
export async function flattenDeclarations({ read, entries, packages }: Declarations): Promise<Map<string, string>> {
  const placed = new Map(entries);
  const written = new Map<string, string>();
  // The map grows during the loop.
  for (const [source, place] of placed) {
    const text = await read(source);
    written.set(
      place,
      text.replaceAll(SPECIFIER, (whole, keyword: string, quote: string, name: string) => {
        if (!name.startsWith('.')) {
          if (packages.includes(name)) return whole;
          throw new Error(`${source} imports ${name}, which users of the package do not have`);
        }
        const target = posix.join(posix.dirname(source), name).replace(/\.ts$/, '.d.ts');
        const targetPlace = placed.get(target) ?? `types/${basename(target)}`;
        const there = [...placed].find(([, taken]) => taken === targetPlace);
        if (there && there[0] !== target) throw new Error(`${there[0]} and ${target} have the same name`);
        placed.set(target, targetPlace);
        const path = posix.relative(posix.dirname(place), targetPlace).replace(/\.d\.ts$/, '.js');
        return `${keyword}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
      }),
    );
  }
  return written;
}
