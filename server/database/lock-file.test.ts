import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LockedError, takeLock } from './lock-file.ts';

const MODULE = fileURLToPath(new URL('./lock-file.ts', import.meta.url));
let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(directory, 'server.lock');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A process that takes the lock, says so, and holds it until it is killed. */
async function holder() {
  const script = `const { takeLock } = await import(${JSON.stringify(MODULE)}); await takeLock(process.argv[1]); console.log('held'); setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'taken',
    (error: unknown) => (error instanceof LockedError ? error.pid : error),
  );

describe('takeLock', () => {
  it('refuses a second process and names the first, and takes over once that was killed', async () => {
    const child = await holder();
    const refused = await takeLock(path).catch((error: unknown) => error as LockedError);
    expect(refused).toBeInstanceOf(LockedError);
    expect((refused as LockedError).message).toContain(`pid ${child.pid}`);
    expect((refused as LockedError).message).toContain(directory);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(path)).toBe(true);
    const lock = await takeLock(path);
    expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBe(process.pid);
    await lock.release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('refuses a second taker in the same process', async () => {
    await takeLock(path);
    expect(await codeOf(takeLock(path))).toBe(process.pid);
  });

  it('takes over what a process of an earlier boot, or another one with the same number, left behind', async () => {
    await takeLock(path);
    const own = JSON.parse(readFileSync(path, 'utf8')) as { pid: number; boot: string | null; started: string | null };
    for (const stale of [
      { ...own, boot: 'another boot' },
      { ...own, started: '1' },
    ]) {
      // Only where the system tells boot and start times can the two be told apart.
      if (own.boot === null || own.started === null) continue;
      writeFileSync(path, JSON.stringify(stale));
      expect(await codeOf(takeLock(path))).toBe('taken');
    }
    expect(await codeOf(takeLock(path))).toBe(process.pid);
  });

  it.each(['', '{"pid":', 'null', '{"pid":"1"}'])('takes over a file that holds %j', async (text) => {
    writeFileSync(path, text);
    expect(await codeOf(takeLock(path))).toBe('taken');
  });

  it('gives a dead lock to one of many, also where one died while it took over', async () => {
    const dead = JSON.stringify({ pid: 2 ** 22 + 1, boot: null, started: null });
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(path, dead);
      if (round % 2 === 1) writeFileSync(`${path}.takeover`, dead);
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => codeOf(takeLock(path))));
      expect(outcomes.filter((outcome) => outcome === 'taken').length).toBe(1);
      expect(outcomes.filter((outcome) => outcome === process.pid).length).toBe(7);
      expect(readdirSync(directory)).toEqual(['server.lock']);
    }
  });

  it('leaves alone on release what is no longer its own', async () => {
    const lock = await takeLock(path);
    writeFileSync(path, 'another');
    await lock.release();
    expect(readFileSync(path, 'utf8')).toBe('another');
  });
});
