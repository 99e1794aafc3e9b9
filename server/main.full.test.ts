import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestWallet } from './testing.ts';
import { MAIN, newDirectory, start, shopAddressOf } from './testing-main.ts';

describe('a shutdown', () => {
  it('finishes the request in progress, accepts no further requests, and then stops the database', async () => {
    const directory = newDirectory();
    const server = await start({ DATA_DIR: directory });
    const shop = await shopAddressOf(server.url);
    const sent = request(`${server.url}/api/v2/sign-in/challenges`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Expect: '100-continue' },
    });
    sent.flushHeaders();
    await once(sent, 'continue');
    const closed = server.close();
    expect(server.close()).toBe(closed);
    await expect
      .poll(() =>
        fetch(`${server.url}/healthz`).then(
          () => 'answered',
          () => 'refused',
        ),
      )
      .toBe('refused');
    expect(existsSync(join(directory, 'postgres', 'postmaster.pid'))).toBe(true);
    sent.end(JSON.stringify({ publicKey: createTestWallet().publicKey }));
    const [response] = await once(sent, 'response');
    expect(response.statusCode).toBe(201);
    response.resume();
    await closed;
    expect(existsSync(join(directory, 'postgres', 'postmaster.pid'))).toBe(false);
    const again = await start({ DATA_DIR: directory });
    expect(await shopAddressOf(again.url)).toBe(shop);
    await again.close();
  });
});

describe('data of another network', () => {
  it('stops the start, both in the directory and in the database', async () => {
    const directory = newDirectory();
    await (await start({ DATA_DIR: directory })).close();
    await expect(start({ DATA_DIR: directory, NETWORK: 'testnet' })).rejects.toThrow(
      'DATA_DIR holds the data of devnet',
    );
    rmSync(join(directory, 'network'));
    rmSync(join(directory, 'devnet'), { recursive: true });
    await expect(start({ DATA_DIR: directory, NETWORK: 'testnet' })).rejects.toThrow(
      'The database holds the data of devnet',
    );
    expect(existsSync(join(directory, 'postgres', 'postmaster.pid'))).toBe(false);
  });
});

describe('the process', () => {
  const children: ChildProcess[] = [];
  afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

  const run = (env: Record<string, string>) => {
    const child = spawn(process.execPath, ['--import', 'tsx', MAIN], {
      env: { PATH: process.env.PATH, PORT: '0', ...env },
    });
    children.push(child);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (output.stdout += chunk));
    child.stderr.on('data', (chunk) => (output.stderr += chunk));
    return { child, output };
  };

  it('prints each reason why it can’t start on its own line', async () => {
    const { child, output } = run({ NETWORK: 'moon', PORT: 'x' });
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(output.stdout).toBe('');
    expect(output.stderr.trim().split('\n')).toEqual([
      'cannot start: NETWORK must be one of devnet, testnet, mainnet',
      'cannot start: PORT must be a whole number from 0 to 65535',
    ]);
  });
});
