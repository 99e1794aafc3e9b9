/** Kills the whole service, its own PostgreSQL or both. Acknowledged data must survive. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestWallet } from '../../testing.ts';
import { serviceProgram } from '../../testing-program.ts';
import { killServer, newDirectory } from './testing.ts';

const children = new Set<ChildProcess>();
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

async function startService(directory: string) {
  const child = spawn(process.execPath, serviceProgram(), {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: directory,
      NETWORK: 'testnet',
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      ARC_URL: 'http://127.0.0.1:1',
      WOC_URL: 'http://127.0.0.1:1',
      RATES_URL: 'http://127.0.0.1:1',
    },
  });
  children.add(child);
  const ended = once(child, 'exit').finally(() => children.delete(child));
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (output.out += chunk));
  child.stderr.on('data', (chunk) => (output.err += chunk));
  const ready = () => /^ready: (\S+)$/m.exec(output.out)?.[1] ?? null;
  await expect.poll(() => ready() !== null || child.exitCode !== null).toBe(true);
  const url = ready();
  if (url === null) throw new Error(output.err);
  return {
    url: url.replace('localhost', '127.0.0.1'),
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      return ended;
    },
  };
}

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

async function register(url: string, handle: string): Promise<boolean> {
  const wallet = createTestWallet();
  const { publicKey } = wallet;
  try {
    const asked = await post(`${url}/api/v2/sign-in/challenges`, { publicKey, register: wallet.registration(handle) });
    if (!asked.ok) return false;
    const { nonce, message } = (await asked.json()) as { nonce: string; message: string };
    return (await post(`${url}/api/v2/users`, { publicKey, nonce, signature: wallet.sign(message) })).ok;
  } catch {
    return false;
  }
}

const newHandle = () => `u${randomBytes(6).toString('hex')}`;

async function missing(url: string, handles: ReadonlySet<string>): Promise<string[]> {
  const gone: string[] = [];
  for (const handle of handles) {
    const { available } = (await (await fetch(`${url}/api/v2/handles/${handle}`)).json()) as { available: boolean };
    if (available) gone.push(handle);
  }
  return gone;
}

const isReady = (url: string) => fetch(`${url}/readyz`).then(({ status }) => status === 200);

test('all acknowledged data survives when any process is killed', async () => {
  const directory = newDirectory();
  const acknowledged = new Set<string>();
  let service = await startService(directory);
  for (const what of ['service', 'database', 'both']) {
    const before = acknowledged.size;
    let over = false;
    const traffic = [1, 2, 3].map(async () => {
      while (!over) {
        const handle = newHandle();
        if (await register(service.url, handle)) acknowledged.add(handle);
        else await new Promise((turn) => setTimeout(turn, 5));
      }
    });
    await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 10);
    if (what !== 'service') killServer(directory);
    if (what !== 'database') {
      await service.end('SIGKILL');
      service = await startService(directory);
    }
    await expect.poll(() => isReady(service.url)).toBe(true);
    const after = acknowledged.size;
    await expect.poll(() => acknowledged.size).toBeGreaterThan(after + 5);
    over = true;
    await Promise.all(traffic);
    expect(await missing(service.url, acknowledged), what).toEqual([]);
  }
  expect(await service.end('SIGTERM')).toEqual([0, null]);
});

/** Mounts a separate disk of this many megabytes, or returns null if that isn't possible. */
function smallDisk(megabytes: number): string | null {
  const place = join(newDirectory(), 'disk');
  mkdirSync(place);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', place], { stdio: 'ignore' });
    return place;
  } catch {
    return null;
  }
}

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a full disk', () => {
  test('aborts a first start with a message, and leaves no process that uses the disk', async ({ skip }) => {
    const disk = smallDisk(10);
    if (disk === null) return skip('this system lets nobody mount');
    try {
      await expect(startService(join(disk, 'data'))).rejects.toThrow(
        /cannot start: No space is left on the disk .*\(disk-full\)/,
      );
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  test('rejects writes until there is space, and loses nothing acknowledged', async ({ skip }) => {
    const disk = smallDisk(100);
    if (disk === null) return skip('this system lets nobody mount');
    let service: Awaited<ReturnType<typeof startService>> | null = null;
    try {
      const directory = join(disk, 'data');
      service = await startService(directory);
      const { url } = service;
      const acknowledged = new Set<string>();
      const handle = newHandle();
      expect(await register(url, handle)).toBe(true);
      acknowledged.add(handle);
      try {
        for (let i = 0; ; i += 1) writeFileSync(join(disk, `ballast-${i}`), Buffer.alloc(i < 200 ? 1_000_000 : 4_096));
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
      }
      let refused = false;
      while (!refused) {
        const next = newHandle();
        refused = !(await register(url, next));
        if (!refused) acknowledged.add(next);
      }
      for (let i = 0; i < 20; i += 1) rmSync(join(disk, `ballast-${i}`), { force: true });
      await expect.poll(() => register(url, newHandle())).toBe(true);
      expect(await missing(url, acknowledged)).toEqual([]);
      expect(await service.end('SIGTERM')).toEqual([0, null]);
    } finally {
      await service?.end('SIGKILL');
      killServer(join(disk, 'data'));
      execFileSync('umount', ['--lazy', disk]);
    }
  });
});
