/**
 * Tests that functions that are sent to a page don't contain named functions. tsx, which runs the demo and the bench,
 * wraps these in a helper that a page lacks (esbuild's keepNames). Vitest doesn't wrap them, so the browser tests
 * wouldn't fail.
 */
import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vite';

/** Puppeteer's methods that run a function in the page. */
const SENDS = new Set(['evaluate', 'evaluateHandle', 'evaluateOnNewDocument', '$eval', '$$eval', 'waitForFunction']);

type Tree = { [key: string]: unknown } & { type: string };
const isTree = (value: unknown): value is Tree => typeof (value as Tree | null)?.type === 'string';
const isFunction = (value: unknown) =>
  isTree(value) && /^(?:Arrow)?Function(?:Expression|Declaration)$|^Class/.test(value.type);

function* all(node: Tree): Generator<Tree> {
  yield node;
  for (const value of Object.values(node).flat()) if (isTree(value)) yield* all(value);
}

const parse = (code: string) => [...all(parseAst(code, { lang: 'ts' }) as unknown as Tree)];

/** Returns the names of functions inside functions that are sent to a page. */
function namedInPages(tree: Tree[]): string[] {
  const sent = tree
    .filter(
      ({ type, callee }) =>
        type === 'CallExpression' &&
        isTree(callee) &&
        isTree(callee.property) &&
        SENDS.has(callee.property.name as string),
    )
    .flatMap((call) => (call.arguments as Tree[]).filter(isFunction));
  return sent
    .flatMap((one) => [...all(one)])
    .filter(
      ({ type, init }) =>
        (type === 'VariableDeclarator' && isFunction(init)) ||
        type === 'FunctionDeclaration' ||
        type === 'ClassDeclaration',
    )
    .map(({ id }) => String((id as Tree).name));
}

test('code sent to a page contains no named functions, which tsx would break', () => {
  expect(
    namedInPages(parse('page.evaluate(() => { const again = () => 1; function once() {} return again(); })')),
  ).toEqual(['again', 'once']);
  const files = new Set(['scripts/demo.ts']);
  const named: string[] = [];
  for (const file of files) {
    const tree = parse(readFileSync(file, 'utf8'));
    named.push(...namedInPages(tree).map((name) => `${file}: ${name}`));
    for (const { source } of tree.filter(({ type }) => type === 'ImportDeclaration' || type === 'ImportExpression')) {
      const from = String((source as Tree).value);
      if (/^\..*\.ts$/.test(from)) files.add(normalize(join(file, '..', from)));
    }
  }
  expect([...files]).toContain('tooling/drive/wallet.ts');
  expect(named).toEqual([]);
});
