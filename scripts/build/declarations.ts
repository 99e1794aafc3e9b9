/** Turns the declarations of many source files into the few that a package shows, without the folders of the source. */
import { basename, posix } from 'node:path';

/** What {@link flattenDeclarations} works with. Paths are the source's, with `/`. */
export interface Declarations {
  /** The text of an emitted `.d.ts`. */
  read(path: string): Promise<string>;
  /** The type declarations that the package publishes, and their places in it. */
  entries: ReadonlyMap<string, string>;
  packages: readonly string[];
}

/** A module's name in `from '…'`, `import '…'` or `import('…')`. */
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"]+)\2/g;

/**
 * Follows the imports from the entries. Files that are not entries go to `types/`, under their own names.
 * @returns text by path in the package
 * @throws Error for an import of another package, and for two files of one name
 */
export async function flattenDeclarations({ read, entries, packages }: Declarations): Promise<Map<string, string>> {
  const placed = new Map(entries);
  const written = new Map<string, string>();
  // Grows while it is walked.
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
