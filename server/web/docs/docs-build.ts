/** The documentation as rendered by the build, grouped by reader. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

export const DOCS_FILE = 'docs.json';

const heading = z.strictObject({ id: z.string(), text: z.string() });
const page = z.strictObject({
  /** Path under `/docs/`. */
  slug: z.string().check(z.regex(/^[a-z0-9][a-z0-9/-]*$/)),
  name: z.string(),
  /** A one-line summary, as HTML. */
  answers: z.string(),
  title: z.string(),
  /** The body without its main heading, as HTML. */
  html: z.string(),
  /** Second-level headings, as HTML. */
  headings: z.array(heading),
});
const docs = z.strictObject({
  /** The overview's introduction, as HTML. */
  lead: z.string(),
  sections: z.array(z.strictObject({ title: z.string(), lead: z.string(), pages: z.array(page) })),
});

export type Docs = z.infer<typeof docs>;
export type DocsPage = z.infer<typeof page>;

/**
 * Reads a build's documentation, or returns null if there is none.
 * @param directory the build directory
 * @throws Error if it can't be read
 */
export async function readDocs(directory: string): Promise<Docs | null> {
  try {
    return docs.parse(JSON.parse(await readFile(join(directory, DOCS_FILE), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
