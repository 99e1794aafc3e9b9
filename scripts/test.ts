/**
 * `npm test` runs the tests that find most defects. `npm run test:full` (`--full`) runs all tests. Other arguments are
 * passed to Vitest: `npm test -- protocol` runs the files with this word in their path, and prepares only what these
 * files need.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseCLI } from 'vitest/node';
import { PROJECTS, QUICK_RUN, type ProjectName } from '../testing/projects.ts';
import { DURATIONS, FAILURES, REPORT_FOLDER, slowestFiles } from '../testing/run-reporter.ts';
import { buildWhereStale } from './build/fresh-build.ts';
import { needBrowser, needCurl, needFirefox, offerServers } from '../tooling/system.ts';
import { fastTemporaryFolder } from './checks/temporary-folder.ts';
import { planTests } from './checks/test-plan.ts';

/** Number of slowest files listed at the end of a run. */
const SLOWEST = 12;

/** Minimum memory (bytes) for running the browser tests concurrently with the other tests. */
const MEMORY_FOR_BOTH = 8 * 2 ** 30;

const full = process.argv.includes('--full');
const args = process.argv.slice(2).filter((arg) => arg !== '--full');
const { filter, options } = parseCLI(['vitest', 'run', ...args]);
const { needs, rounds } = planTests(testFiles(), {
  filters: filter,
  projects: [options.project ?? []].flat(),
  full,
});
const isQuick = !full && filter.length === 0;
if (rounds.length === 0) {
  console.error(`No test file has ${filter.map((word) => `"${word}"`).join(' or ') || 'this project'} in its path.`);
  process.exit(1);
}

if (rounds.some((round) => round.includes('unit'))) needCurl();
if (needs.has('servers')) offerServers();
if (needs.has('browsers')) {
  process.env.CHROME_PATH = needBrowser();
  const firefox = needFirefox();
  if (firefox) process.env.FIREFOX_PATH = firefox;
}
if (needs.has('build')) {
  const built = await buildWhereStale('http://localhost:3000', async (serviceUrl) => {
    console.log('Building the extension and the button …');
    const { buildAll } = await import('./build.ts');
    await buildAll(serviceUrl);
  });
  if (!built) console.log('dist/ is up to date: nothing to build.');
}

/** The run's temporary files. PostgreSQL's files in it belong to another user, who must be able to open the folder. */
const reports = mkdtempSync(join(fastTemporaryFolder(), 'tests-'));
chmodSync(reports, 0o1777);
process.once('exit', () => rmSync(reports, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
for (const file of [FAILURES, DURATIONS]) writeFileSync(join(reports, file), '');
const started = performance.now();
const ends: string[] = [];
const areConcurrent = totalmem() >= MEMORY_FOR_BOTH;
let earlier = Promise.resolve();
for (const round of rounds) {
  const run = runRound(round, earlier);
  earlier = run;
  // oxlint-disable-next-line no-await-in-loop -- too little memory for both rounds
  if (!areConcurrent) await run;
}
await earlier;
const report = (file: string) => readFileSync(join(reports, file), 'utf8');
console.log(`\nThe slowest files:\n${slowestFiles(report(DURATIONS), SLOWEST)}`);
console.log(`All tests took ${((performance.now() - started) / 60_000).toFixed(1)} minutes.`);
if (ends.length > 0) console.error(`\nFailures in all runs:\n${report(FAILURES)}${ends.join('\n')}`);
process.exitCode = ends.length > 0 ? 1 : 0;

/** Runs the projects of a round. Prints the round's output after the earlier round's output. */
async function runRound(round: readonly ProjectName[], earlier: Promise<void>): Promise<void> {
  const named = options.project === undefined ? round.flatMap((name) => ['--project', name]) : [];
  const workers = round.includes('e2e') && options.maxWorkers === undefined ? [`--maxWorkers=${browserWorkers()}`] : [];
  const isPrintedLater = areConcurrent && round !== rounds[0];
  const output = join(reports, 'output');
  const to = isPrintedLater ? openSync(output, 'a') : 'inherit';
  console.log(`Running the tests (${round.join(', ')}) …`);
  const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...named, ...workers, ...args], {
    stdio: ['inherit', to, to],
    // The build has set NODE_ENV to production. In this mode, React lacks functions for tests.
    env: {
      ...process.env,
      NODE_ENV: 'test',
      TMPDIR: reports,
      [REPORT_FOLDER]: reports,
      ...(isQuick && { [QUICK_RUN]: '1' }),
    },
  });
  const [status, signal] = (await once(vitest, 'exit')) as [number | null, NodeJS.Signals | null];
  if (status !== 0) ends.push(`${round.join(', ')}: vitest exited with ${signal ?? status}.`);
  await earlier;
  if (isPrintedLater) process.stdout.write(readFileSync(output));
}

/**
 * Returns the number of concurrent browser test files: one per core if there is enough memory. With more
 * files, the wallet's windows would become slow, and tests would time out.
 */
function browserWorkers(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / (1.5 * 2 ** 30))));
}

/** Lists all files below the test folders, with slashes. */
function testFiles(): string[] {
  const folders = Object.values(PROJECTS).flatMap(({ folders }) => [...folders]);
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  );
}
