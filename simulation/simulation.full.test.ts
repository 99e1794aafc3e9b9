import { expect, test } from 'vitest';
import { bundleBackground, type Sabotage } from './program/build.ts';
import type { Command } from './world/commands.ts';
import { runSeeds } from './program/processes.ts';
import { programOf } from './program/program.ts';
import { SABOTAGES } from './sabotage.ts';
import { openSimulator, scenarioOf } from './simulate.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shortened } from './shrink.ts';

test('a wallet that hands a payment to its recipient’s host only once is found', async () => {
  const simulator = await openSimulator(programOf(await bundleBackground(SABOTAGES['delivers only once'])));
  let found: string | undefined;
  // These are the worlds with paymail hosts.
  for (let seed = 5; seed <= 200 && found === undefined; seed += 5) found = (await simulator.run(seed)).violation?.rule;
  expect(found).toBe('what is paid is delivered');
});

test('finds a wallet that does not log what applications keep', async () => {
  const sabotage = SABOTAGES['forgets what applications keep'];
  const simulator = await openSimulator(programOf(await bundleBackground(sabotage)));
  const rules = new Set<string | undefined>();
  // These are worlds with applications.
  for (let seed = 1; seed <= 201 && !rules.has('an application keeps its data'); seed += 5)
    rules.add((await simulator.run(seed)).violation?.rule);
  expect(rules).toContain('an application keeps its data');
});

test('finds a wallet that pays again without replacing what was refused, and without a warning', async () => {
  const sabotage = SABOTAGES['replaces nothing, and says nothing'];
  const simulator = await openSimulator(programOf(await bundleBackground(sabotage)));
  const rules = new Set<string | undefined>();
  // In these worlds payments are refused in a row.
  for (let seed = 2; seed <= 202 && !rules.has('nothing is paid twice'); seed += 4)
    rules.add((await simulator.run(seed)).violation?.rule);
  expect(rules).toContain('nothing is paid twice');
});

test('only Arcade finds a wallet that submits no Extended Format', async () => {
  const simulator = await openSimulator(programOf(await bundleBackground(SABOTAGES['submits no Extended Format'])));
  const paid: Command[] = [
    { do: 'ask', site: 0, satoshis: 5_000, automatic: false, hand: true, ms: 500 },
    { do: 'say', what: 'yes', ms: 20_000 },
  ];
  const violationAt = async (dialect: 'arc' | 'arcade') =>
    (await simulator.run(1, [{ do: 'operators', dialects: [dialect, dialect] }, ...paid])).violation;
  expect(await violationAt('arc')).toBeNull();
  expect(await violationAt('arcade')).not.toBeNull();
});

test('a seed that ends its process costs that seed alone', async () => {
  const ends: Sabotage = (path, code) =>
    path === 'wallet/payments/sources/sweep/cancel.ts'
      ? code.replace('  if ((await vaultStatus()).locked)', '  process.exit(7);\n$&')
      : null;
  const heard = new Map<number, string | undefined>();
  const seeds = 16;
  await runSeeds(1, seeds, ({ seed, failure }) => heard.set(seed, failure?.message).size > 0, { sabotage: ends });
  expect([...heard.keys()]).toStrictEqual(Array.from({ length: seeds }, (_, i) => i + 1));
  expect(new Set(heard.values())).toStrictEqual(new Set([undefined, 'its process ended with 7']));
});

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
  const files = readdirSync(join(root, 'wallet'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `wallet/${file.replaceAll('\\', '/')}`);
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
