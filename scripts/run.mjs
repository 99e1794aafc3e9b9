// Runs one of the project's TypeScript scripts, after installing missing or stale dependencies. This script is plain
// JavaScript without imports from node_modules, so it works in fresh clones.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Node ${process.versions.node} is too old: this project needs Node 20.19 or newer (24 is recommended).`,
  );
  process.exit(1);
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
const stamp = join(root, 'node_modules', '.installed-lock');

/**
 * True if the packages were installed with npm directly and match the lock file, according to npm's record in
 * node_modules.
 */
function isInstalledByHand() {
  const kept = join(root, 'node_modules', '.package-lock.json');
  if (existsSync(stamp) || !existsSync(kept)) return false;
  const [wanted, present] = [join(root, 'package-lock.json'), kept].map((path) =>
    JSON.parse(readFileSync(path, 'utf8')),
  );
  return Object.entries(wanted.packages).every(([path, { integrity, optional }]) => {
    const found = present.packages[path];
    return path === '' || (found ? found.integrity === integrity : optional === true);
  });
}

if (isInstalledByHand()) writeFileSync(stamp, lock);
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.log('Installing dependencies (about half a minute the first time) …');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    console.error('npm ci failed: see its output above. Nothing else was done.');
    process.exit(npm.status ?? 1);
  }
  writeFileSync(stamp, lock);
}

const [script, ...rest] = process.argv.slice(2);
const child = spawn(process.execPath, ['--import', 'tsx', join(root, script), ...rest], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    // In a terminal, Ctrl-C reaches both processes. A second signal would abort the graceful shutdown.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
// npm and its shell don't forward SIGTERM, so the child is stopped when the parent of this process has exited.
const parent = process.ppid;
if (process.platform !== 'win32') {
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 500).unref();
}
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
