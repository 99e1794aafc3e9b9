/**
 * `npm run soak`: every test file that uses testing/soak.ts, with every crash point and 200 runs by luck: payments
 * through killed workers and failing networks, in a real browser and without, deliveries to recipients' hosts, incoming
 * payments, prompts, reorganisations, the removal of a wallet, allowances under hostile sites. `npm test` makes few of these runs. SOAK_RUNS changes the number, SOAK_SEED
 * the luck.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTS } from '../testing/projects.ts';
import { buildAll } from './build.ts';
import { needBrowser } from './system.ts';

process.env.CHROME_PATH = needBrowser();
console.log('Building the extension and the button …');
await buildAll('http://localhost:3000');
const rounds = Object.values(PROJECTS)
  .flatMap(({ folders }) => [...folders])
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)))
  .filter((path) => /\.test\.tsx?$/.test(path) && readFileSync(path, 'utf8').includes('/testing/soak.ts'));
let failed = false;
for (const file of rounds) {
  const vitest = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', file], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', SOAK_RUNS: process.env.SOAK_RUNS ?? '200' },
  });
  if (vitest.status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
