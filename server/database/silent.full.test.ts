import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceProgram } from '../testing-program.ts';
import { createPostgresDatabase } from './testing.ts';
import { startDatabaseProxy, type DatabaseProxy } from './testing-proxy.ts';
import type { TestDatabase } from './testing-postgres.ts';

let database: TestDatabase;
let proxy: DatabaseProxy;
let directory: string;
let service: ChildProcess;
let url: string;

beforeEach(async () => {
  database = await createPostgresDatabase();
  proxy = await startDatabaseProxy(database.url);
  directory = mkdtempSync(join(tmpdir(), 'silent-'));
  service = spawn(process.execPath, serviceProgram(), {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: directory, DATABASE_URL: proxy.url, BLOCK_INTERVAL_MS: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  service.stdout?.on('data', (chunk) => (output += chunk));
  await expect.poll(() => output).toMatch(/ready: http/);
  url = output.slice(output.indexOf('ready: ') + 7).trim();
});
afterEach(async () => {
  service.kill('SIGKILL');
  await proxy.close();
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

const read = () => fetch(`${url}/api/v2/me`, { headers: { Authorization: `Bearer ${'a'.repeat(43)}` } });
const ready = async () => (await fetch(`${url}/readyz`)).status;
const fillPool = () => Promise.all(Array.from({ length: 40 }, read));

describe('a database with open connections that stop responding', () => {
  it('makes requests fail with 503 and Retry-After, and recovers without a restart', async () => {
    await fillPool();
    expect([(await read()).status, await ready()]).toEqual([401, 200]);
    proxy.silence();
    const hung = await Promise.all(Array.from({ length: 40 }, read));
    // Some requests succeed, because after the first timeouts the pool opens new connections.
    expect(new Set(hung.map(({ status }) => status)).has(503)).toBe(true);
    for (const { status, headers } of hung) if (status === 503) expect(headers.get('retry-after')).toBe('5');
    await expect.poll(async () => (await read()).status).toBe(401);
    await expect.poll(ready).toBe(200);
    expect(new Set((await fillPool()).map(({ status }) => status))).toEqual(new Set([401]));
  });

  it('makes /readyz fail while it doesn’t respond, and lets SIGTERM end the process with exit code 0', async () => {
    await fillPool();
    proxy.silence();
    proxy.swallow(true);
    const waiting = read();
    await expect.poll(ready).toBe(503);
    expect((await waiting).status).toBe(503);
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
  });
});
