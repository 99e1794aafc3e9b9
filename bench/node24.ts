/** Finds a Node 24 for the service: the running Node if it is new enough, otherwise the binary in the npm package. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../node_modules/.cache/node-24/', import.meta.url));

/** Returns the program's path and version. Falls back to the running Node if no Node 24 is available. */
export function findNode24(): { path: string; version: string } {
  if (Number(process.versions.node.split('.')[0]) >= 24) return { path: process.execPath, version: process.version };
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const path = join(CACHE, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(path)) {
    console.log('Fetching Node 24 from npm …');
    mkdirSync(CACHE, { recursive: true });
    spawnSync(
      'npm',
      ['install', '--prefix', CACHE, '--no-save', '--no-audit', '--no-fund', '--loglevel=error', `${name}@24`],
      { stdio: 'inherit', shell: process.platform === 'win32' },
    );
  }
  const version = existsSync(path) ? spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim() : '';
  if (version?.startsWith('v24.')) return { path, version };
  console.log(`There is no Node 24 for ${name}: measuring on ${process.version}.`);
  return { path: process.execPath, version: process.version };
}
