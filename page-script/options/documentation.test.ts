// @vitest-environment node
/** Compares docs/button.md with the code. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  MAX_CRYPTO_OPERATIONS,
  MAX_CRYPTO_TEXT,
  MAX_OP_RETURN_BYTES,
  MAX_OUTPUTS,
  MAX_REQUEST_DATA,
} from '../../protocol/payments/limits.ts';
import { attributeOf, OPTION_NAMES, RULES } from './rules.ts';

const docs = readFileSync('docs/button.md', 'utf8');
const source = (file: string) => readFileSync(`page-script/${file}`, 'utf8');
function table(heading: string, nth = 0): string[][] {
  const section = docs.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
  const rows = section
    .split(/\n\n/)
    .filter((block) => block.startsWith('|'))
    [nth]!.split('\n')
    .slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
const union = (file: string, type: string) =>
  [...new RegExp(`type ${type} =([^;]+);`).exec(source(file))![1]!.matchAll(/'([^']+)'/g)].map(([, text]) => text!);

test('the table of attributes matches the code', () => {
  const written = (name: (typeof OPTION_NAMES)[number]) => {
    const value = RULES[name].default;
    if (name === 'successMessage') return 'by type';
    return value === null ? 'none' : value === '' ? 'empty' : `\`${Array.isArray(value) ? '[]' : String(value)}\``;
  };
  expect(table('Attributes').map(([attribute, type, byDefault]) => [attribute, type, byDefault])).toEqual(
    OPTION_NAMES.map((name) => [`\`${attributeOf(name)}\``, RULES[name].type, written(name)]),
  );
});

test('the documented limits match the code', () => {
  const rows = new Map(table('Attributes').map(([attribute, , , text]) => [names(attribute!)[0], text!]));
  for (const name of OPTION_NAMES) {
    const { most, mostBytes } = RULES[name];
    const limit = most
      ? `${most.toLocaleString('en')} characters`
      : mostBytes
        ? `${mostBytes.toLocaleString('en')} bytes`
        : null;
    const row = rows.get(attributeOf(name));
    expect(row, `docs/button.md has no row for ${attributeOf(name)}`).toBeDefined();
    const written = row!.match(/[\d,]+ (?:characters|bytes)/)?.[0] ?? null;
    expect(written, name).toBe(limit);
  }
  expect(rows.get('data-outputs')).toContain(`At most ${MAX_OUTPUTS}.`);
  expect(rows.get('data-crypto-operations')).toContain(`At most ${MAX_CRYPTO_OPERATIONS}.`);
  for (const limit of [
    `${MAX_CRYPTO_TEXT.toLocaleString('en')} characters`,
    `${MAX_REQUEST_DATA.toLocaleString('en')} characters`,
    `${MAX_OP_RETURN_BYTES.toLocaleString('en')} bytes`,
  ])
    expect(docs.split('### Crypto operations')[1]).toContain(limit);
});

test('the documented states and reasons match the code', () => {
  expect(table('States').map(([state]) => names(state!)[0])).toEqual(union('button/face.ts', 'ButtonState'));
  expect(table('Reasons').map(([reason]) => names(reason!)[0])).toEqual(
    union('configuration-error.ts', 'ConfigurationReason'),
  );
});

test('the documented custom properties and parts match the code', () => {
  const css = source('button/button.css');
  expect(
    table('Appearance')
      .flatMap(([property]) => names(property!))
      .toSorted(),
  ).toEqual([...new Set([...css.matchAll(/--sb-[a-z-]+/g)].map(([name]) => name))].toSorted());
  const code = [
    'button/view.ts',
    'help/help-part.ts',
    'form/payment-form.ts',
    'form/amount-field.ts',
    'form/choice-form.ts',
    'help/second-step.ts',
    'phone/panel.ts',
  ]
    .map(source)
    .join('\n');
  expect(
    table('Appearance', 1)
      .flatMap(([part]) => names(part!))
      .toSorted(),
    'the table of parts in docs/button.md, under Appearance',
  ).toEqual([...new Set([...code.matchAll(/['"]?part['"]?: '([a-z-]+)'/g)].map(([, name]) => name))].toSorted());
});

test('[C-09] documents that describe callbacks warn that they prove nothing, and show how a server verifies', () => {
  for (const file of ['README.md', 'docs/button.md', 'docs/javascript.md'])
    expect(readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ')).toMatch(
      /callback (?:in the browser )?isn't a proof of payment/,
    );
  const script = readFileSync('docs/javascript.md', 'utf8');
  expect(script).toContain('examples/shop/server.ts');
  expect(readFileSync('examples/shop/server.ts', 'utf8')).toContain('verifyPayment({');
});
