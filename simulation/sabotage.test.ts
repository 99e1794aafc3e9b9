import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SABOTAGES } from './sabotage.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const sources = readdirSync(join(root, 'wallet'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `wallet/${file.replaceAll('\\', '/')}`)
  .map((file) => [file, read(file)] as const);

test.each(Object.entries(SABOTAGES))('the sabotage “%s” matches the source code that it changes', (_, sabotage) => {
  const changed = sources.flatMap(([file, code]) => {
    const after = sabotage(file, code);
    return after === null ? [] : [[file, code, after] as const];
  });
  expect(changed).not.toEqual([]);
  for (const [file, before, after] of changed)
    for (const [line, names = '', from = ''] of after.matchAll(/^import \{ ([\w, ]+) \} from '(\..*)';$/gm)) {
      if (before.includes(line)) continue;
      const code = read(join(dirname(file), from));
      for (const name of names.split(', ')) expect(code, line).toMatch(new RegExp(`^export .*\\b${name}\\b`, 'm'));
    }
});
