/** `npm test`: everything, both browsers and PostgreSQL included. Arguments go to vitest. */
import { spawnSync } from 'node:child_process';
import { buildAll } from './build.ts';
import { needBrowser, needFirefox, needPostgres } from './system.ts';

process.env.CHROME_PATH = needBrowser();
const firefox = needFirefox();
if (firefox) process.env.FIREFOX_PATH = firefox;
needPostgres();
console.log('Building the extension and the button …');
await buildAll('http://localhost:3000');
const args = process.argv.slice(2);
// The browser tests by themselves: they drive windows and deadlines, and the machine may be small.
const rounds = args.includes('--project')
  ? [[]]
  : [
      ['--project', 'unit', '--project', 'dom'],
      ['--project', 'e2e'],
    ];
let failed = false;
for (const round of rounds) {
  console.log(
    `Running the tests${round.length > 0 ? ` (${round.filter((arg) => arg !== '--project').join(', ')})` : ''} …`,
  );
  const vitest = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests', ...round, ...args],
    {
      // The build has set it to production, where React lacks what its tests use.
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'test' },
    },
  );
  if (vitest.status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
