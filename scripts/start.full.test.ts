import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SOURCES } from './build/fresh-build.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
/** Copied, because the build must not replace the repository's build, which other tests use. */
const COPIED = [...SOURCES, 'server', 'testing'];

/** Returns a process's resident memory in megabytes, as reported by Linux. */
const megabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

it.skipIf(process.platform !== 'linux')(
  'npm start keeps no bundler in memory, and SIGTERM to npm ends the service',
  async () => {
    const copy = mkdtempSync(join(tmpdir(), 'npm-start-'));
    try {
      for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
      symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
      const npm = spawn('npm', ['start'], {
        cwd: copy,
        env: { PATH: process.env.PATH, HOME: copy, PORT: '0', DATA_DIR: join(copy, 'data'), CHROME_PATH: '/none' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += chunk));
      await expect.poll(() => output, { timeout: 240_000 }).toMatch(/^ready: http/m);
      const url = /^ready: (\S+)/m.exec(output)?.[1] ?? '';
      const postmaster = readFileSync(join(copy, 'data/postgres/postmaster.pid'), 'utf8').split('\n')[0];
      const service = Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${postmaster}/status`, 'utf8'))?.[1]);
      expect(readFileSync(`/proc/${service}/cmdline`, 'utf8')).toContain('start.ts');
      expect(megabytes(service)).toBeLessThan(400);
      npm.kill('SIGTERM');
      await expect
        .poll(() =>
          fetch(`${url}/healthz`).then(
            () => 'answers',
            () => 'gone',
          ),
        )
        .toBe('gone');
      await expect.poll(() => isAlive(service)).toBe(false);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  },
);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
