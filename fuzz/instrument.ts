/**
 * Instruments our own modules with a counter at every branch, and records their literals for use in inputs. This module
 * is a loader hook (Node's `module.register`) in a separate thread.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { LoadHook } from 'node:module';
import { parseAst, transformWithOxc } from 'vite';
import { SABOTAGES } from './sabotage.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Paths of the instrumented code, which excludes test helpers. */
const OURS = /^(?:protocol|wallet|extension|server|page-script)\/(?!.*testing).*\.ts$/;

interface Syntax {
  type: string;
  start: number;
  end: number;
  [child: string]: unknown;
}
const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && typeof (value as Syntax).type === 'string';

let counters = 0;
let broken: string | null = null;

/** Sets the sabotage to apply, if any (see sabotage.ts). */
export function initialize(data: { sabotage: string | null }): void {
  broken = data.sabotage;
}

export const load: LoadHook = async (url, context, next) => {
  const path = url.startsWith('file:') ? fileURLToPath(url) : '';
  const name = path.startsWith(ROOT) ? path.slice(ROOT.length) : '';
  if (!OURS.test(name)) return next(url, context);
  const { code } = await transformWithOxc(sabotaged(name, await readFile(path, 'utf8')), path, { target: 'esnext' });
  // The compiled code of pages with inline scripts needs a helper that isn't available here. These pages contain no
  // parser.
  if (code.includes('@oxc-project/runtime')) return next(url, context);
  return { format: 'module', source: instrumented(code), shortCircuit: true };
};

function sabotaged(name: string, code: string): string {
  const way = broken === null ? undefined : SABOTAGES[broken];
  if (way?.file !== name) return code;
  if (!code.includes(way.from)) throw new Error(`sabotage.ts no longer matches the code of ${name}`);
  return code.replace(way.from, () => way.to);
}

/** The positions of expressions and statements that can be skipped, by the parent's node type. */
const BRANCHES: Readonly<Record<string, readonly string[]>> = {
  IfStatement: ['consequent', 'alternate'],
  ConditionalExpression: ['consequent', 'alternate'],
  LogicalExpression: ['right'],
  ForStatement: ['body'],
  ForOfStatement: ['body'],
  ForInStatement: ['body'],
  WhileStatement: ['body'],
  DoWhileStatement: ['body'],
  FunctionDeclaration: ['body'],
  FunctionExpression: ['body'],
  ArrowFunctionExpression: ['body'],
  CatchClause: ['body'],
};

function instrumented(code: string): string {
  const inserts: [at: number, text: string][] = [];
  const words = new Set<string>();
  const count = () => `$counts[${(counters += 1)}]++`;
  const mark = (node: Syntax) => {
    if (node.type === 'BlockStatement') inserts.push([node.start + 1, `${count()};`]);
    else if (node.type.endsWith('Statement')) inserts.push([node.start, `{${count()};`], [node.end, '}']);
    else inserts.push([node.start, `(${count()},`], [node.end, ')']);
  };
  const visit = (node: Syntax) => {
    if (node.type === 'Literal') words.add(String(node.value));
    if (node.type === 'SwitchCase') {
      const [first] = node.consequent as Syntax[];
      if (first) inserts.push([first.start, `${count()};`]);
    }
    for (const key of BRANCHES[node.type] ?? []) if (isSyntax(node[key])) mark(node[key]);
    for (const child of Object.values(node).flat()) if (isSyntax(child)) visit(child);
  };
  visit(parseAst(code) as unknown as Syntax);
  const text = [...inserts]
    .map(([at, insert], order) => ({ at, insert, order }))
    // At the same position, closing insertions come before opening ones, and inner branches are closed first.
    .sort((a, b) => a.at - b.at || closes(b.insert) - closes(a.insert) || order(a, b))
    .reduceRight((rest, { at, insert }) => rest.slice(0, at) + insert + rest.slice(at), code);
  return `const $counts = globalThis.fuzzed.note(${counters}, ${JSON.stringify([...words])});${text}`;
}

const closes = (insert: string): number => (insert === ')' || insert === '}' ? 1 : 0);
const order = (a: { insert: string; order: number }, b: { order: number }): number =>
  closes(a.insert) === 1 ? b.order - a.order : a.order - b.order;
