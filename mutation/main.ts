/**
 * `npm run mutate [area or path …]` makes one small change to the code at a time, and runs the tests that cover the
 * change. A mutant that no test detects survives and is listed. Without arguments, all areas in areas.ts are mutated.
 * - A path or line range restricts an area: `npm run mutate -- protocol/bitcoin/asm.ts:20-60`.
 * - `MUTATION_TESTS` (comma-separated folders and test files) replaces the area's tests.
 * - `MUTATION_PATIENCE` sets the time limit per test in milliseconds. The default is two minutes.
 * - `MUTATION_CONSTANTS=1` also mutates values that are evaluated once when a module is loaded. For each of these
 * mutants, all tests run in a new thread. Later runs of an area test only the changes. Reports are written to
 * mutation-output/.
 */
import { availableParallelism } from 'node:os';
import { Stryker } from '@stryker-mutator/core';
import { AREAS, LEFT_OUT, testFilesOf } from './areas.ts';

/** The minimum share of detected mutants per area (percent). */
const GOAL = 85;

const names = process.argv.slice(2);
const givenTests = process.env.MUTATION_TESTS?.split(',');
for (const name of names.length > 0 ? names : Object.keys(AREAS)) await mutate(name);

async function mutate(name: string): Promise<void> {
  const area = AREAS[name] ?? Object.values(AREAS).find(({ code }) => code.some((path) => name.startsWith(path)));
  if (!area) {
    console.error(`${name} is neither an area nor a path in one. Areas: ${Object.keys(AREAS).join(', ')}.`);
    process.exit(1);
  }
  const code = AREAS[name] ? area.code : [name];
  const report = `mutation-output/${name.replaceAll(/[/:]/g, '-')}`;
  process.env.MUTATION_TESTS = testFilesOf(givenTests ?? area.tests).join();
  const results = await new Stryker({
    mutate: [
      ...code.map((path) => (/\.ts(?::\d+-\d+)?$/.test(path) ? path : `${path}/**/*.ts`)),
      '!**/*.test.ts',
      '!**/testing*',
      ...LEFT_OUT.code.map((path) => `!${path}`),
    ],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'mutation/vitest.config.ts', related: false },
    // Stryker would read tsconfig.json through an API that TypeScript no longer has.
    tsconfigFile: 'none',
    coverageAnalysis: 'perTest',
    ignoreStatic: process.env.MUTATION_CONSTANTS === undefined,
    // Stryker can't determine which tests cover constants, so it would reuse outdated results.
    incremental: process.env.MUTATION_CONSTANTS === undefined,
    incrementalFile: `${report}.incremental.json`,
    ignorePatterns: ['dist', 'data', 'demo-output', 'bench-output', 'test-output', 'mutation-output'],
    tempDirName: 'mutation-output/sandbox',
    concurrency: Number(process.env.MUTATION_WORKERS ?? availableParallelism()),
    dryRunTimeoutMinutes: 60,
    timeoutMS: 30_000,
    reporters: ['clear-text', 'json', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: `${report}.json` },
    thresholds: { high: 95, low: GOAL },
    allowEmpty: false,
    disableTypeChecks: false,
    fileLogLevel: 'off' as never,
    logLevel: 'warn' as never,
  }).runMutationTest();
  const count = (status: string) => results.filter((result) => result.status === status).length;
  // Mutated constants that prevent a module from loading. Because no tests run in that case, Stryker reports these
  // mutants as survived.
  const unloadable = results.filter(
    (result) => result.status === 'Survived' && result.static === true && result.testsCompleted === 0,
  ).length;
  const noticed = count('Killed') + count('Timeout') + unloadable;
  const all = noticed + count('Survived') - unloadable + count('NoCoverage');
  if (noticed / all < GOAL / 100) process.exitCode = 1;
  console.log(
    `${name}: ${noticed} of ${all} mutants noticed (${((noticed / all) * 100).toFixed(1)} %), ${count('Survived') - unloadable} survived, ${count('NoCoverage')} in code that no test runs${unloadable > 0 ? `; ${unloadable} listed as survivors keep a module from being loaded` : ''}`,
  );
}
