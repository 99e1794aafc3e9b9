/** Renders the documentation for the service, which shows it at `/docs` in the order of docs/README.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DOCS_FILE, type Docs } from '../../server/web/docs/docs-build.ts';
import { renderMarkdown, type LinkTarget } from './markdown.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A section of docs/README.md, for one kind of reader. */
export interface Contents {
  title: string;
  lead: string;
  pages: {
    /** Path relative to the project's root. */
    path: string;
    name: string;
    /** The questions that the document answers, in Markdown. */
    answers: string;
  }[];
}

const INDEX = 'docs/README.md';
const ROW = /^\| \[([^\]]+)\]\(([^)]+\.md)\) \| (.+) \|$/gm;

/** Returns the path of a document's page below `/docs/`. */
const slugOf = (path: string) =>
  path
    .replace(/^docs\/|\.md$/g, '')
    .replace(/\/README$/, '')
    .toLowerCase();

export async function readContents(): Promise<Contents[]> {
  const [, ...sections] = (await readFile(join(ROOT, INDEX), 'utf8')).split(/^## /m);
  return sections.map((section) => {
    const [title = '', lead = ''] = section.split('\n').filter((line) => line !== '');
    const pages = [...section.matchAll(ROW)].map(([, name = '', target = '', answers = '']) => ({
      path: join('docs', target),
      name,
      answers,
    }));
    return { title, lead, pages };
  });
}

export async function renderDocs(): Promise<Docs> {
  const contents = await readContents();
  const all = contents.flatMap(({ pages }) => pages);
  const texts = new Map(
    await Promise.all(all.map(async ({ path }) => [path, await readFile(join(ROOT, path), 'utf8')] as const)),
  );
  const targets = new Map<string, LinkTarget>([
    ...all.map(({ path, name }) => [path, { address: `/docs/${slugOf(path)}`, title: name }] as const),
    ['README.md', { address: '/docs' }],
    [INDEX, { address: '/docs' }],
  ]);
  const targetOf = (path: string): LinkTarget | null =>
    path.startsWith('docs/pictures/') ? { address: path.slice('docs'.length) } : (targets.get(path) ?? null);
  const lead = (await readFile(join(ROOT, INDEX), 'utf8')).replace(/\n## [^]*/, '');
  return {
    lead: renderMarkdown(INDEX, lead, targetOf).html,
    sections: contents.map(({ pages, ...section }) => ({
      ...section,
      pages: pages.map(({ path, name, answers }) => ({
        slug: slugOf(path),
        name,
        answers: renderMarkdown(INDEX, answers, targetOf).html.replaceAll(/<\/?p>|\n/g, ''),
        ...renderMarkdown(path, texts.get(path) ?? '', targetOf),
      })),
    })),
  };
}

export async function buildDocs(directory: string): Promise<void> {
  await writeFile(join(directory, DOCS_FILE), JSON.stringify(await renderDocs()));
}
