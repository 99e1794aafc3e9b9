/**
 * `npm run mutate [area or path …]`: changes the code in small ways, one at a time, and runs the tests that cover the place.
 * A mutant that no test notices survives, and is listed. Without names, every area of areas.ts. A path of an area narrows it, and lines of
 * a file do: `npm run mutate -- protocol/asm.ts:20-60`. `MUTATION_TESTS` with folders and test files, separated by commas, takes the place
 * of the area's tests, and `MUTATION_PATIENCE` gives a test so many milliseconds instead of a minute. `MUTATION_CONSTANTS=1` also changes what
 * is evaluated once, when a module is loaded, at the cost of a run of all these tests in a new thread for each such mutant.
 *
 * The first run of an area takes long; later ones repeat only what has changed. Reports are in mutation-output/.
 */
import { availableParallelism } from 'node:os';
import { Stryker } from '@stryker-mutator/core';
import { AREAS, LEFT_OUT, testFilesOf } from './areas.ts';

/** Below it an area's tests are too weak, in per cent of the mutants. */
const GOAL = 85;

const names = process.argv.slice(2);
const givenTests = process.env.MUTATION_TESTS?.split(',');
for (const name of names.length > 0 ? names : Object.keys(AREAS)) await mutate(name);

async function mutate(name: string): Promise<void> {
  const area = AREAS[name] ?? Object.values(AREAS).find(({ code }) => code.some((path) => name.startsWith(path)));
  if (!area) {
    console.error(`No area or path of one: ${name}. Areas: ${Object.keys(AREAS).join(', ')}.`);
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
    // TypeScript has no such interface any more as Stryker reads it with.
    tsconfigFile: 'none',
    coverageAnalysis: 'perTest',
    ignoreStatic: process.env.MUTATION_CONSTANTS === undefined,
    // Of constants it does not know which tests are about them, and would take an earlier run's word.
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
  // Constants without which a module cannot be loaded: then no test is run, which Stryker lists among the survivors.
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
