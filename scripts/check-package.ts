/** Checks the npm package with publint and "Are the types wrong?". Part of `npm run check`. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage } from './build-package.ts';

const folder = await mkdtemp(join(tmpdir(), 'npm-package-'));
let failed = false;
try {
  await buildPackage(folder);
  const checks = [
    ['node_modules/publint/src/cli.js', folder, '--strict'],
    // The entries for pages exist only as ES modules, because a CommonJS copy would define the element twice.
    [
      'node_modules/@arethetypeswrong/cli/dist/index.js',
      '--pack',
      folder,
      '--ignore-rules',
      'cjs-resolves-to-esm',
      '--format',
      'ascii',
    ],
  ];
  for (const args of checks) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status === 0) continue;
    failed = true;
    console.error(`${stdout}${stderr}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
if (failed) process.exit(1);
