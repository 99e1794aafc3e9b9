/** Renders the documentation for the service, which shows it at `/docs`. docs/contents.json has its order. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DOCS_FILE, type Docs } from '../server/web/docs/docs-build.ts';
import { renderMarkdown, type LinkTarget } from './markdown.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The sections of docs/contents.json, one for each kind of reader. Pages are paths below `docs/`. */
export interface Contents {
  title: string;
  /** One sentence about the reader. */
  lead: string;
  pages: string[];
}

/** Documents outside of `docs/` that a section can list, by the slug of their page. */
const OUTSIDE: Readonly<Record<string, string>> = { changelog: 'CHANGELOG.md', security: 'SECURITY.md' };

const pathOf = (page: string) => OUTSIDE[page] ?? `docs/${page}`;
const slugOf = (page: string) => page.replace(/\.md$/, '');

/** The sections in their order. */
export const readContents = async (): Promise<Contents[]> =>
  JSON.parse(await readFile(join(ROOT, 'docs/contents.json'), 'utf8')) as Contents[];

/** All pages, rendered. */
export async function renderDocs(): Promise<Docs> {
  const contents = await readContents();
  const pages = contents.flatMap((section) => section.pages);
  const texts = new Map(
    await Promise.all(
      pages.map(async (page) => [pathOf(page), await readFile(join(ROOT, pathOf(page)), 'utf8')] as const),
    ),
  );
  const titleOf = (path: string) =>
    renderMarkdown(path, /^# .*$/m.exec(texts.get(path) ?? '')?.[0] ?? '', () => null).title;
  const targets = new Map<string, LinkTarget>([
    ...pages.map((page) => [pathOf(page), { address: `/docs/${slugOf(page)}`, title: titleOf(pathOf(page)) }] as const),
    ['README.md', { address: '/docs' }],
    ['docs/README.md', { address: '/docs' }],
  ]);
  const targetOf = (path: string): LinkTarget | null =>
    path.startsWith('docs/pictures/') ? { address: path.slice('docs'.length) } : (targets.get(path) ?? null);
  const lead = (await readFile(join(ROOT, 'docs/README.md'), 'utf8')).replace(/\n## [^]*/, '');
  return {
    lead: renderMarkdown('docs/README.md', lead, targetOf).html,
    sections: contents.map(({ title, lead: about, pages }) => ({
      title,
      lead: about,
      pages: pages.map((page) => ({
        slug: slugOf(page),
        ...renderMarkdown(pathOf(page), texts.get(pathOf(page)) ?? '', targetOf),
      })),
    })),
  };
}

/** @param directory the build's folder */
export async function buildDocs(directory: string): Promise<void> {
  await writeFile(join(directory, DOCS_FILE), JSON.stringify(await renderDocs()));
}
