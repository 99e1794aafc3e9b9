/**
 * Searches comments, documentation, test titles and errors for the wordings listed in `words.json` with their
 * replacements. A wording must not occur more often than recorded there. `node scripts/run.mjs scripts/words.ts`
 * followed by IDs prints all occurrences of these wordings. `--record` lowers the recorded counts to the current
 * counts.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

export type TextKind = 'comments' | 'titles' | 'documents' | 'errors';

/** A row of words.json. */
export interface Wording {
  id: string;
  what: string;
  /** Regular expression, with the `u` flag. */
  pattern: string;
  /** The wording to use instead. */
  write: string;
  in: readonly TextKind[];
  /** Maximum number of occurrences. */
  most: number;
}

export interface Occurrence {
  id: string;
  file: string;
  line: number;
  text: string;
}

interface Text {
  kind: TextKind;
  line: number;
  text: string;
}

const ROOT = join(import.meta.dirname, '..');
const LIST = join(ROOT, 'scripts/words.json');
/** Files with third-party text, translations and history. */
const EXCLUDED = /^(CHANGELOG\.md|LICENSE|fuzz\/corpus\/|.*\/languages\/)/;
const MAX_COLUMNS = 120;

export const readWordings = (): Wording[] => JSON.parse(readFileSync(LIST, 'utf8')) as Wording[];

/** Finds all occurrences of these wordings in the files that git tracks. */
export function findOccurrences(wordings: readonly Wording[]): Occurrence[] {
  const searched = wordings.map((wording) => ({ ...wording, regex: new RegExp(wording.pattern, 'gmu') }));
  return listFiles().flatMap((file) =>
    textsOf(file, readFileSync(join(ROOT, file), 'utf8')).flatMap(({ kind, line, text }) =>
      searched
        .filter((wording) => wording.in.includes(kind))
        .flatMap(({ id, regex }) =>
          Array.from(text.matchAll(regex), ({ index }) => {
            const before = text.slice(0, index).split('\n');
            return {
              id,
              file,
              line: line + before.length - 1,
              text: text.split('\n')[before.length - 1]?.trim() ?? '',
            };
          }),
        ),
    ),
  );
}

/** Compares occurrences with the recorded maximums. @returns a message per exceeded wording, with examples */
export function complaints(wordings: readonly Wording[], occurrences: readonly Occurrence[]): string[] {
  return wordings.flatMap(({ id, what, write, most }) => {
    const found = occurrences.filter((one) => one.id === id);
    if (found.length <= most) return [];
    const places = sortByChange(found)
      .slice(0, found.length - most + 3)
      .map(({ file, line, text }) => `    ${file}:${line}: ${text}`);
    return [`  ${id} "${what}": ${found.length} times, at most ${most}. Write: ${write}\n${places.join('\n')}`];
  });
}

function listFiles(): string[] {
  const all = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return all.split('\0').filter((file) => /\.(tsx?|m?js|css|md)$/.test(file) && !EXCLUDED.test(file) && isThere(file));
}

/** True if a file exists. Git lists a deleted file until the deletion is committed. */
function isThere(file: string): boolean {
  try {
    readFileSync(join(ROOT, file));
    return true;
  } catch {
    return false;
  }
}

/** Puts occurrences in recently changed files first, because new occurrences are probably in those files. */
function sortByChange(occurrences: Occurrence[]): Occurrence[] {
  const changed = new Set(
    execFileSync('git', ['diff', '--name-only', 'HEAD~1'], { cwd: ROOT, encoding: 'utf8' }).split('\n'),
  );
  return occurrences.toSorted((a, b) => Number(changed.has(b.file)) - Number(changed.has(a.file)));
}

/**
 * Returns the passages of a file that are searched for wordings. Code in documents and comments is replaced by spaces.
 */
export function textsOf(file: string, source: string): Text[] {
  if (file.endsWith('.md')) return [{ kind: 'documents', line: 1, text: withoutCode(source) }];
  const { program, comments } = file.endsWith('.css') ? readStyles(source) : parseSync(file, source);
  const ends = Array.from(source.matchAll(/\n/g), ({ index }) => index);
  const lineAt = (offset: number) => 1 + ends.filter((end) => end < offset).length;
  const texts: Text[] = comments.map(({ value, start }) => ({
    kind: 'comments',
    line: lineAt(start),
    text: withoutCode(value.replace(/^[ \t]*\*[ \t]?/gm, '')),
  }));
  if (/\.test\.tsx?$/.test(file))
    for (const [start, text] of titlesIn(program)) texts.push({ kind: 'titles', line: lineAt(start), text });
  for (const [start, text] of errorsIn(program)) texts.push({ kind: 'errors', line: lineAt(start), text });
  return texts;
}

/** Returns a style sheet's comments in the parser's format. */
const readStyles = (source: string) => ({
  program: null,
  comments: Array.from(source.matchAll(/\/\*([^]*?)\*\//g), ({ 1: value = '', index: start }) => ({ value, start })),
});

const withoutCode = (text: string): string =>
  text
    .replace(/^```[^]*?^```/gm, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, 'x')
    .replace(/\]\([^)\n]*\)/g, ']');

type Node = { type: string; start: number } & Record<string, unknown>;

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item);
  else if (typeof value === 'object' && value !== null) {
    if (typeof (value as Node).type === 'string') yield value as Node;
    for (const child of Object.values(value)) if (typeof child === 'object') yield* nodesIn(child);
  }
}

function textOf(node: unknown): string | null {
  const { type, value, quasis } = (node ?? {}) as { type?: string; value?: unknown; quasis?: unknown };
  if (type === 'Literal' && typeof value === 'string') return value;
  if (type !== 'TemplateLiteral') return null;
  return (quasis as { value: { cooked: string } }[]).map((part) => part.value.cooked).join('x');
}

/** Yields the first arguments of `test`, `it` and `describe`, including after `.each(…)` and similar calls. */
function* titlesIn(program: unknown): Generator<[number, string]> {
  for (const node of nodesIn(program)) {
    if (node.type !== 'CallExpression') continue;
    let callee = node.callee as Node;
    while (callee.type !== 'Identifier') {
      const inner = (callee.object ?? callee.callee) as Node | undefined;
      if (!inner) break;
      callee = inner;
    }
    if (callee.type !== 'Identifier' || !['test', 'it', 'describe'].includes(callee.name as string)) continue;
    const title = textOf((node.arguments as unknown[])[0]);
    if (title !== null) yield [node.start, title];
  }
}

function* errorsIn(program: unknown): Generator<[number, string]> {
  for (const node of nodesIn(program)) {
    if (node.type !== 'NewExpression' || !String((node.callee as Node).name ?? '').endsWith('Error')) continue;
    for (const argument of node.arguments as unknown[]) {
      const text = textOf(argument);
      if (text !== null) yield [node.start, text];
    }
  }
}

/** Returns lines of comments and documents over 120 columns, except tables, links and code. */
export function longLines(): Occurrence[] {
  return listFiles().flatMap((file) =>
    textsOf(file, readFileSync(join(ROOT, file), 'utf8'))
      .filter(({ kind }) => kind === 'comments' || kind === 'documents')
      .flatMap(({ line, text }) =>
        text
          .split('\n')
          .flatMap((content, i) =>
            content.length > MAX_COLUMNS && !/^\s*\||https?:|^\s*<|^\[/.test(content)
              ? [{ id: LONG_LINES, file, line: line + i, text: `${content.slice(0, MAX_COLUMNS)}…` }]
              : [],
          ),
      ),
  );
}

/** The ID in words.json for {@link longLines}. The pattern of this row matches nothing. */
export const LONG_LINES = 'long-lines';

if (import.meta.filename === process.argv[1]) {
  const wordings = readWordings();
  const occurrences = [...findOccurrences(wordings), ...longLines()];
  const count = (id: string) => occurrences.filter((one) => one.id === id).length;
  if (process.argv.includes('--record')) {
    const recorded = wordings.map((wording) => ({ ...wording, most: Math.min(wording.most, count(wording.id)) }));
    writeFileSync(LIST, `${JSON.stringify(recorded, null, 1)}\n`);
  }
  for (const { id, what, most } of wordings) console.log(`${id.padEnd(6)} ${count(id)} of ${most}  ${what}`);
  for (const { file, line, text } of occurrences.filter(({ id }) => process.argv.slice(2).includes(id)))
    console.log(`${file}:${line}: ${text}`);
}
