import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SABOTAGES } from './sabotage.ts';

test('each sabotage matches the source code that it changes', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = readdirSync(join(root, 'wallet'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `wallet/${file.replaceAll('\\', '/')}`);
  const sources = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
  for (const [name, sabotage] of Object.entries(SABOTAGES))
    expect(sources.filter(([file, code]) => sabotage(file, code) !== null).length, name).toBeGreaterThan(0);
});
