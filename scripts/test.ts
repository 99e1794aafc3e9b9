/** `npm test`: everything, browser and PostgreSQL included. Arguments go to vitest. */
import { spawnSync } from 'node:child_process';
import { buildAll } from './build.ts';
import { needBrowser, needPostgres } from './system.ts';

process.env.CHROME_PATH = needBrowser();
needPostgres();
console.log('Building the extension and the button …');
await buildAll('http://localhost:3000');
console.log('Running the tests …');
const vitest = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(vitest.status ?? 1);
