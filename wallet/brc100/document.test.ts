import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isSupported } from '../../protocol/brc100/methods.ts';
import { BRC100_METHODS } from '../../protocol/messages/wire.ts';

test('docs/brc100.md has a row for every method of the interface, and shows which are not supported', () => {
  const document = readFileSync(new URL('../../docs/brc100.md', import.meta.url), 'utf8');
  const rows = [...document.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name = '', needs = '']) => [name, needs]);
  expect(rows.map(([name]) => name).toSorted()).toEqual([...BRC100_METHODS].toSorted());
  for (const [name = '', needs] of rows) expect([name, needs === 'not supported']).toEqual([name, !isSupported(name)]);
});
