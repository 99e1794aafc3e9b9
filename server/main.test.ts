import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addressScript } from '../protocol/bitcoin/address.ts';
import type { Session } from '../protocol/http/api.ts';
import { toHex } from '../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../protocol/bitcoin/transaction.ts';
import { createPostgresDatabase } from './database/testing.ts';
import { build, testKey } from './devnet/test-ledger.ts';
import { type RunningServer } from './main.ts';
import { createTestReport, proveReport } from './payment-reports/testing-report.ts';
import { createTestWallet } from './testing.ts';
import { MAIN, newDirectory, log, start, shopAddressOf } from './testing-main.ts';

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as any };
}

async function registerAt(url: string, handle: string, wallet = createTestWallet()): Promise<Session> {
  const { nonce, message } = (
    await post(`${url}/api/v2/sign-in/challenges`, {
      publicKey: wallet.publicKey,
      register: wallet.registration(handle),
    })
  ).body;
  return (await post(`${url}/api/v2/users`, { publicKey: wallet.publicKey, nonce, signature: wallet.sign(message) }))
    .body;
}

describe('a whole service on devnet', () => {
  const directory = newDirectory();
  let server: RunningServer;
  beforeAll(async () => {
    server = await start({ DATA_DIR: directory });
  });
  afterAll(() => server.close());

  it('follows a payment of real coins until a block contains it, and rejects one never broadcast', async () => {
    const wallet = createTestWallet();
    const session = await registerAt(server.url, 'payer', wallet);
    const headers = { Authorization: `Bearer ${session.accessToken}` };
    const address = await shopAddressOf(server.url);
    const lockingScript = addressScript(address, 'devnet');
    const owner = testKey();
    const funded = (await post(`${server.url}/devnet/faucet`, { address: owner.address, satoshis: 300_000 })).body;
    const bytes = serializeTransaction(
      build({
        coins: [{ txid: funded.txid, vout: 0, satoshis: 300_000n, lockingScript: owner.script }],
        owner,
        outputs: [
          { satoshis: 200_000n, lockingScript },
          { satoshis: 99_000n, lockingScript: owner.script },
        ],
      }),
    );
    const [txid, rawtx] = [txidOf(bytes), toHex(bytes)];
    const { report, ...never } = createTestReport([200_000n], wallet.publicKey);
    const scripts = [{ script: toHex(lockingScript), satoshis: '200000' }];
    const outputs = report.outputs.map((output) => ({ ...output, to: address, address, scripts }));
    const real = proveReport({ ...report, rawtx, outputs }, wallet.publicKey, owner.key);

    const forged = await post(`${server.url}/api/v2/payments`, report, headers);
    expect([forged.status, forged.body.error.code, never.txid === txid]).toEqual([422, 'not-accepted', false]);

    const early = await post(`${server.url}/api/v2/payments`, real, headers);
    expect([early.status, early.body.error.code]).toEqual([422, 'not-accepted']);

    const sent = await post(`${server.url}/devnet/arc/v1/tx`, { rawTx: rawtx });
    expect([sent.status, sent.body.txid]).toEqual([200, txid]);
    const reported = await post(`${server.url}/api/v2/payments`, real, headers);
    expect([reported.status, reported.body.payment.txid, reported.body.payment.status]).toEqual([
      201,
      txid,
      'RECEIVED',
    ]);
    await post(`${server.url}/devnet/mine`, { blocks: 1 });
    await expect
      .poll(async () => {
        const response = await fetch(`${server.url}/api/v2/payments/${report.id}`, { headers });
        return ((await response.json()) as any).payment.status;
      })
      .toBe('COMPLETED');
    expect(log.text).toContain('payment settled');
    for (const secret of [
      session.accessToken,
      rawtx,
      real.inputProof,
      readFileSync(join(directory, 'shop-key'), 'utf8').trim(),
    ])
      expect(log.text).not.toContain(secret);
  });

  it('rejects a second start on its directory', async () => {
    await expect(start({ DATA_DIR: directory })).rejects.toMatchObject({
      name: 'StartError',
      code: 'data-folder-in-use',
    });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it('stores the shop’s key in a file that only the owner can read', () => {
    expect(statSync(join(directory, 'shop-key')).mode & 0o777).toBe(0o600);
  });
});

describe('a start that fails', () => {
  it('releases all resources and prints no password', async () => {
    const directory = newDirectory();
    const failed = await start({ DATA_DIR: directory, DATABASE_URL: 'postgresql://user:hunter2@127.0.0.1:1/db' }).catch(
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(Error);
    expect(existsSync(join(directory, 'postgres', 'postmaster.pid'))).toBe(false);
    expect(log.text).toContain('PostgreSQL (DATABASE_URL)');
    expect(log.text).not.toContain('hunter2');
  });
});

describe('devnet on a PostgreSQL server', () => {
  it('rejects a second start on its directory', async () => {
    const [DATA_DIR, { url: DATABASE_URL, drop }] = [newDirectory(), await createPostgresDatabase()];
    const server = await start({ DATA_DIR, DATABASE_URL });
    await expect(start({ DATA_DIR, DATABASE_URL })).rejects.toMatchObject({ code: 'data-folder-in-use' });
    await server.close();
    await (await start({ DATA_DIR, DATABASE_URL })).close();
    await drop();
  });
});

describe('a start behind a proxy', () => {
  it.each([
    ['warns', 'https://pay.example.com', '', true],
    ['doesn’t warn', 'https://pay.example.com', 'loopback', false],
    ['doesn’t warn', '', '', false],
  ])(
    '%s with BASE_URL=%s and TRUSTED_PROXIES=%s, because all clients have one address without a trusted proxy',
    async (_says, BASE_URL, TRUSTED_PROXIES, warns) => {
      log.text = '';
      const { url: DATABASE_URL, drop } = await createPostgresDatabase();
      await (await start({ DATA_DIR: newDirectory(), DATABASE_URL, BASE_URL, TRUSTED_PROXIES })).close();
      await drop();
      expect(log.text.includes('TRUSTED_PROXIES is empty')).toBe(warns);
    },
  );

  it('returns its network’s public URLs, not its internal ones', async () => {
    const { url: DATABASE_URL, drop } = await createPostgresDatabase();
    const server = await start({ DATA_DIR: newDirectory(), DATABASE_URL, BASE_URL: 'https://pay.example.com' });
    try {
      const port = [...log.text.matchAll(/"port":(\d+)/g)].at(-1)?.[1] ?? '';
      const response = await fetch(`http://127.0.0.1:${port}/api/v2/network`);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({
        network: 'devnet',
        arcUrl: 'https://pay.example.com/devnet/arc',
        wocUrl: 'https://pay.example.com/devnet/woc/v1/bsv/test',
      });
      expect(text).not.toContain('127.0.0.1');
      expect(text).not.toContain(port);
    } finally {
      await server.close();
      await drop();
    }
  });
});

describe('two instances on one PostgreSQL', () => {
  it('start concurrently and share accounts, tokens and challenges', async () => {
    const fresh = await createPostgresDatabase();
    const servers = await Promise.all(
      [1, 2].map(() =>
        start({ DATA_DIR: newDirectory(), DATABASE_URL: fresh.url, BASE_URL: 'https://pay.example.com' }),
      ),
    );
    const ports = [...log.text.matchAll(/"port":(\d+)/g)].slice(-2).map((match) => `http://127.0.0.1:${match[1]}`);
    const [one = '', two = ''] = ports;
    try {
      const session = await registerAt(one, 'shared');
      expect(((await fetch(`${two}/api/v2/handles/shared`).then((r) => r.json())) as any).available).toBe(false);
      const seen = await fetch(`${two}/api/v2/payments/nothing`, {
        headers: { Authorization: `Bearer ${session.accessToken}` },
      });
      expect(seen.status).toBe(404);
    } finally {
      await Promise.all(servers.map((server) => server.close()));
      await fresh.drop();
    }
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
  const ready = async (env: Record<string, string>) => {
    const running = run(env);
    await expect.poll(() => running.output.stdout).toMatch(/^ready: http:\/\/localhost:\d+\n$/);
    return { ...running, url: running.output.stdout.slice('ready: '.length).trim() };
  };

  it('prints one line when ready, survives kill -9 with its accounts, and ends cleanly on SIGTERM', async () => {
    const directory = newDirectory();
    const first = await ready({ DATA_DIR: directory });
    await registerAt(first.url, 'survivor');
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await ready({ DATA_DIR: directory });
    expect(((await fetch(`${second.url}/api/v2/handles/survivor`).then((r) => r.json())) as any).available).toBe(false);
    expect(second.output.stderr).toContain('an earlier process left running');
    second.child.kill('SIGTERM');
    expect(await once(second.child, 'exit')).toEqual([0, null]);
    expect(existsSync(join(directory, 'postgres', 'postmaster.pid'))).toBe(false);
  });
});
