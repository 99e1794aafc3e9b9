/**
 * That the same seed is the same run, in another process too, that a wallet broken on purpose is found, and that what broke a
 * rule is cut down to what matters; that a seed may end its process. Seeds are run by seeds.test.ts and seeds.full.test.ts, and any number of them by
 * `npm run simulate`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundleBackground } from './build.ts';
import { runSeeds } from './processes.ts';
import { programOf } from './program.ts';
import { SABOTAGES } from './sabotage.ts';
import { shortened } from './shrink.ts';
import { openSimulator, scenarioOf } from './simulate.ts';

test('the same seed goes the same way, after others and in other processes', async () => {
  const simulator = await openSimulator(programOf(await bundleBackground()));
  const digests = new Map<number, string>();
  for (const seed of [1, 2, 3, 4, 5]) digests.set(seed, (await simulator.run(seed)).digest);
  for (const seed of [5, 2]) expect((await simulator.run(seed)).digest).toBe(digests.get(seed));
  const heard: [number, string][] = [];
  await runSeeds(1, 5, ({ seed, digest }) => heard.push([seed, digest]) > 0);
  expect(heard).toStrictEqual([...digests]);
  expect(new Set(digests.values()).size).toBe(5);
});

test('each sabotage finds the text that it changes', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = readdirSync(join(root, 'extension/background'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `extension/background/${file.replaceAll('\\', '/')}`);
  const sources = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
  for (const [name, sabotage] of Object.entries(SABOTAGES))
    expect(sources.filter(([file, code]) => sabotage(file, code) !== null).length, name).toBeGreaterThan(0);
});

test('a wallet that reserves no coins is found, and what shows it is short', async () => {
  const simulator = await openSimulator(programOf(await bundleBackground(SABOTAGES['reserves no coins'])));
  const { violation, seed } = await simulator.run(1);
  expect(violation).not.toBeNull();
  const commands = await shortened(simulator, seed, scenarioOf(seed), violation?.rule ?? '');
  expect(commands.length).toBeLessThan(scenarioOf(seed).length);
  expect((await simulator.run(seed, commands)).violation?.rule).toBe(violation?.rule);
});
