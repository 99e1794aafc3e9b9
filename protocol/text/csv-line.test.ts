import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { CSV_BOM, csvLine } from './csv-line.ts';

test('a UTF-8 file begins with a byte order mark, and its lines end with CRLF', () => {
  expect([...new TextEncoder().encode(CSV_BOM)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(csvLine(['Café – Zürich 東京', null, 'b'])).toBe('Café – Zürich 東京,,b\r\n');
});

test.each<[string, string]>([
  ['00123', '"=""00123"""'],
  ['123456789012345678', '"=""123456789012345678"""'],
  ['1234567890123456', '"=""1234567890123456"""'],
  ['007.50', '"=""007.50"""'],
  ['007,50', '"=""007,50"""'],
  ['123456789012345678.5', '"=""123456789012345678.5"""'],
  ['12e5', '"=""12e5"""'],
  ['3/4', '"=""3/4"""'],
  ['2026-11-28', '"=""2026-11-28"""'],
])('%s stays text, although a spreadsheet would make it a number or a date', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`);
});

test.each(['0', '0.10', '0.00000005', '123456789012345', '100', '2026-11-21T04:05:06.007Z', 'a00123', '1.5'])(
  '%s is written unchanged',
  (text) => expect(csvLine([text])).toBe(`${text}\r\n`),
);

const READ = `
import csv, io, json, sys
cells = lambda line, separator: sum(csv.reader(io.StringIO(line, newline=""), delimiter=separator), [])
print(json.dumps([cells(line, ",") + cells(line, ";") for line in json.load(sys.stdin)]))`;

const FORMULAS = ['=1+1', '+1', '-1', '@x', '\t=1', ' =1', '＝1', 'a;=1', 'a\r\n=1', "'=1", '="00123"'];
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Returns the cells of each formula's line, as parsed by Python with commas and with semicolons as separators. */
function cellsByPython(): string[][] {
  const input = JSON.stringify(FORMULAS.map((text) => csvLine([text])));
  return JSON.parse(spawnSync('python3', ['-c', READ], { input, encoding: 'utf8' }).stdout) as string[][];
}

describe.skipIf(!hasPython)('a reader with commas or semicolons', () => {
  const cells = hasPython ? cellsByPython() : [];

  test.each(FORMULAS.map((text, at) => [text, at] as const))('reads %j as text', (_, at) => {
    expect(cells[at]).not.toEqual([]);
    for (const cell of cells[at] as string[]) expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
  });
});
