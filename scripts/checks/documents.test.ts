/** Links, headings, source files and commands in the documents exist. See also build-docs.test.ts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const markdown = (folder: string, recursive: boolean) =>
  readdirSync(join(root, folder), { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name).replaceAll('\\', '/'));

const docs = markdown('docs', true);
const documents = [
  ...markdown('.', false),
  ...docs,
  ...markdown('examples', true),
  ...markdown('page-script/npm', false),
];
const withoutCode = (text: string) => text.replaceAll(/^ *```[^]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** The anchors of a document's headings, made as GitHub makes them. */
const anchors = (path: string) =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

function isBroken(document: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? document : normalize(join(dirname(document), path));
  if (!existsSync(join(root, file))) return true;
  return anchor !== undefined && file.endsWith('.md') && !anchors(file).includes(anchor);
}

test.each(documents)('every link of %s leads to a file and a heading that exist', (document) => {
  const targets = [...withoutCode(read(document)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const local = targets.filter((target) => !/^[a-z]+:/.test(target));
  expect(local.filter((target) => isBroken(document, target))).toEqual([]);
});

const SOURCES = [
  'protocol',
  'page-script',
  'extension',
  'wallet',
  'server',
  'scripts',
  'tooling',
  'look',
  'e2e',
  'testing',
  'testkit',
  'bench',
  'simulation',
  'fuzz',
  'mutation',
  'examples',
];
const sources = SOURCES.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (path) => `/${join(folder, path).replaceAll('\\', '/')}`,
  ),
);

test.each(docs)('every source file that %s names exists', (document) => {
  const named = [...read(document).matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, path = '']) => path);
  expect(named.filter((path) => !sources.some((source) => source.endsWith(`/${path}`)))).toEqual([]);
});

test('every npm command in the documents is a script of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  // The changelog also names removed files.
  const current = documents.filter((document) => document !== 'CHANGELOG.md');
  const lost = current.flatMap((document) =>
    [...read(document).matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)]
      .map(([, run, short]) => run ?? short ?? '')
      .filter((name) => !(name in scripts))
      .map((name) => `${document}: npm run ${name}`),
  );
  expect(lost).toEqual([]);
});

test('CONTRIBUTING.md describes every folder of sources', () => {
  const [, table = ''] = read('CONTRIBUTING.md').split('## Where everything is');
  expect(SOURCES.filter((folder) => !table.includes(`\`${folder}/\``))).toEqual([]);
});

test('the path of a payment in docs/architecture.md has at most twelve steps, and names files that exist', () => {
  const [, drawing = ''] = /## The path of one payment\n+```\n([^]*?)```/.exec(read('docs/architecture.md')) ?? [];
  const steps = drawing.split('\n').filter((line) => /^[a-z ]* \d+ /.test(line));
  expect(steps.length).toBeGreaterThan(5);
  expect(steps.length).toBeLessThanOrEqual(12);
  const paths = [...drawing.matchAll(/(?:page-script|extension|wallet|server)\/[\w./-]*/g)].map(([path]) => path);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('docs/scaling.md places every table of the database', () => {
  const tables = readdirSync('server/database/schema')
    .flatMap((file) => [...read(`server/database/schema/${file}`).matchAll(/pgTable\(\s*'(\w+)'/g)])
    .map(([, name = '']) => name);
  expect(tables.length).toBeGreaterThan(20);
  const [, placed = ''] = read('docs/scaling.md').split('## Beyond one PostgreSQL');
  expect(tables.filter((name) => !placed.includes(`\`${name}\``))).toEqual([]);
});

test('every label in bold that the pages for users name is in the English texts of a screen', () => {
  const screens = ['extension/ui', 'server/page', 'page-script'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|tsx|json)$/.test(name) && !/\.test\./.test(name))
      .map((name) => read(join(folder, name))),
  );
  const texts = screens.join('\n').replaceAll('’', "'");
  const labels = docs
    .filter((document) => /^docs\/(?:wallet|start)\//.test(document))
    .flatMap((document) => [...withoutCode(read(document)).matchAll(/\*\*([^*]+)\*\*/g)])
    .flatMap(([, bold = '']) => bold.replaceAll(/\s+/g, ' ').split(' → '))
    // The others begin a paragraph.
    .filter((label) => !label.endsWith('.'));
  expect(labels.length).toBeGreaterThan(20);
  expect(labels.filter((label) => !texts.includes(label.replace('…', '').replaceAll('’', "'")))).toEqual([]);
});
