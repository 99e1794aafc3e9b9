import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MISSING_FUNCTION, NO_WALLET, RELAY_ERRORS } from './page-side-errors.ts';
import { ERRORS, fromWireError, isErrorCode, ServiceError, toPageError, type ErrorCode } from './service-error.ts';

function codeRows(document: string): Record<string, string>[] {
  const tables = readFileSync(document, 'utf8')
    .split(/\n\n/)
    .filter((block) => /^\| (?:code|error) \|/.test(block));
  return tables.flatMap((table) => {
    const [headings, , ...rows] = table.split('\n').map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    return rows.map((cells) => Object.fromEntries(headings!.map((heading, i) => [heading, cells[i]!])));
  });
}
const codesOf = (row: Record<string, string>) =>
  [...(row.code ?? row.error)!.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

test('docs/errors.md and the table have the same codes, each once', () => {
  expect(codeRows('docs/errors.md').flatMap(codesOf).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

test.each(codeRows('docs/errors.md'))('docs/errors.md describes $code as the table does', (row) => {
  expect(codesOf(row)).toHaveLength(1);
  const { moved, final, blame, http } = ERRORS[codesOf(row)[0] as ErrorCode];
  expect(row).toMatchObject({ moved, final: final ? 'yes' : 'no', who: blame, HTTP: http?.toString() ?? '' });
  expect(row.meaning).not.toBe('');
});

/** Documents that list the SDK's error codes and the startup errors, which other tests compare with the code. */
const OWN_CODES = ['guides/verify-payments.md', 'operate/deploy.md'];

test('error codes in other documents exist', () => {
  const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !OWN_CODES.includes(name))
    .map((name) => `docs/${name}`);
  const codes = documents.flatMap(codeRows).flatMap(codesOf);
  expect(codes.filter((code) => !isErrorCode(code))).toEqual([]);
  expect(codeRows('docs/paymail.md').length).toBeGreaterThan(0);
});

test.each(Object.entries(ERRORS))(
  'the properties of %s are consistent',
  (_, { message, moved, final, blame, saysMoved, about, ...row }) => {
    // This sentence must be true, and `saysMoved` must be set so that windows don't repeat it.
    if (message.includes('No money has moved')) expect([moved, saysMoved]).toEqual(['no', true]);
    // If money will still move, the error isn't final.
    if (moved === 'yes') expect(final).toBe(false);
    if (about) expect([blame, final, moved]).toEqual(['page', true, 'no']);
    // A wallet must keep resending a message after temporary errors and after the receiver's own faults.
    if (row.declines) expect([final, (row.http ?? 500) < 500]).toEqual([true, true]);
  },
);

test('docs/errors.md lists exactly the responses that end the retries of a report or a delivery', () => {
  const [, section = ''] = readFileSync('docs/errors.md', 'utf8').split(/^## Errors that end.*$|^## Errors of other/m);
  const listed = [...section.matchAll(/^\| `([^`]+)` \| *(yes)? *\| *(yes)? *\|/gm)].map(
    ([, code, report, delivery]) => [code, [...(report ? ['report'] : []), ...(delivery ? ['delivery'] : [])]],
  );
  const declining = Object.entries(ERRORS).flatMap(([code, { declines }]) => (declines ? [[code, declines]] : []));
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(declining));
});

test('a page gets the error’s code, message and meaning, and nothing else', () => {
  expect(toPageError(new ServiceError('invalid-recipient', { message: 'Why.', detail: 'private' }))).toEqual({
    code: 'invalid-recipient',
    message: 'Why.',
    moved: 'no',
    final: true,
    blame: 'page',
    about: 'output',
  });
  expect(toPageError(new TypeError('private'))).toEqual({
    code: 'internal',
    message: ERRORS.internal.message,
    moved: 'unknown',
    final: false,
    blame: 'service',
  });
});

test('the errors that the button and the relay report match the table', () => {
  expect(ERRORS).toMatchObject({ 'no-wallet': NO_WALLET, 'missing-function': MISSING_FUNCTION, ...RELAY_ERRORS });
});

test('a value is accepted as an error code only if it is a string in the table', () => {
  expect(fromWireError({ code: 'invalid-amount', message: 'Why.' })).toMatchObject({
    name: 'ServiceError',
    code: 'invalid-amount',
    message: 'Why.',
  });
  for (const code of [
    '',
    'nonsense',
    'constructor',
    '__proto__',
    ['invalid-amount'],
    { toString: () => 'internal' },
    1,
  ]) {
    expect(isErrorCode(code), String(code)).toBe(false);
    expect(fromWireError({ code }).code).toBe('internal');
  }
});

test('an error keeps its cause, and has no cause by default', () => {
  const cause = new TypeError('private');
  expect(new ServiceError('internal', { cause }).cause).toBe(cause);
  expect(Object.hasOwn(new ServiceError('internal'), 'cause')).toBe(false);
});
