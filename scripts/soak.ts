/**
 * `npm run soak`: 200 payments through killed workers and failing networks, in a real browser, and 200 more in which
 * the worker is killed between any two writes; deliveries to recipients' hosts and incoming payments with a kill at
 * each crash point. Short runs of both are part of `npm test`. SOAK_RUNS changes the number, SOAK_SEED the random seed.
 */
import { spawnSync } from 'node:child_process';
import { buildAll } from './build.ts';
import { needBrowser } from './system.ts';

process.env.CHROME_PATH = needBrowser();
console.log('Building the extension and the button …');
await buildAll('http://localhost:3000');
const rounds: [project: string, file: string][] = [
  ['unit', 'extension/background/payment/crash.test.ts'],
  ['unit', 'extension/background/payment/deliver.test.ts'],
  ['unit', 'extension/background/received/receive.test.ts'],
  ['e2e', 'e2e/soak.test.ts'],
];
let failed = false;
for (const [project, file] of rounds) {
  const vitest = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', project, file], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', SOAK_RUNS: process.env.SOAK_RUNS ?? '200' },
  });
  if (vitest.status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
