/** Two service processes on the same PostgreSQL. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../testing/patience.ts';
import { createPostgresDatabase } from '../database/testing.ts';
import { createTestWallet, register, type TestApp } from '../testing.ts';
import { serviceProgram } from '../testing-program.ts';
import {
  basic,
  newApplication,
  newCode,
  newUser,
  open,
  redemption,
  token,
  type FormResponse,
  type TestUser,
} from './testing.ts';

const BASE_URL = 'https://pay.example.com';

interface Instance extends Pick<TestApp, 'url' | 'baseUrl' | 'post'> {
  process: ChildProcess;
}

async function startInstance(directory: string, databaseUrl: string): Promise<Instance> {
  const process_ = spawn(process.execPath, serviceProgram(), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NETWORK: 'testnet',
      ARC_URL: 'http://127.0.0.1:1',
      DATABASE_URL: databaseUrl,
      DATA_DIR: directory,
      PORT: '0',
      BASE_URL,
      RATE_LIMITS: 'off',
    },
  });
  const said: string[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => process_.kill('SIGKILL'), PATIENCE_MS);
    // stderr is read to the end, because a full pipe would block the process.
    createInterface({ input: process_.stderr }).on('line', (line) => {
      said.push(line);
      const found = /"port":(\d+)/.exec(line)?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(found);
    });
    process_.once('exit', () => {
      clearTimeout(late);
      reject(new Error(`no instance: ${said.join('\n')}`));
    });
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    process: process_,
    url,
    baseUrl: BASE_URL,
    async post(path, body, headers = {}) {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: await response.json(), headers: response.headers };
    },
  };
}

describe('two instances on one PostgreSQL', () => {
  const directories = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'instance-')));
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let instances: [TestApp, TestApp];
  let processes: ChildProcess[] = [];
  let user: TestUser;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    const started = await Promise.all(directories.map((directory) => startInstance(directory, database.url)));
    processes = started.map((one) => one.process);
    instances = started as unknown as [TestApp, TestApp];
    user = await newUser(instances[0], 'somebody');
  });
  afterAll(async () => {
    await Promise.all(
      processes.map(async (one) => {
        one.kill('SIGTERM');
        if (one.exitCode === null) await once(one, 'exit');
      }),
    );
    await database.drop();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });

  const identityStatus = async (app: TestApp, accessToken: string) =>
    (await open(`${app.url}/api/v1/auth/user_identity`, { Authorization: `Bearer ${accessToken}` })).status;
  const atBoth = <T>(ask: (app: TestApp) => Promise<T>) =>
    Promise.all(Array.from({ length: 32 }, (_, i) => ask(instances[(i % 2) as 0 | 1])));

  it('[O-09] issue tokens for only one of 32 parallel redemptions of a code, and revoke them because of the replays', async () => {
    for (let round = 0; round < 5; round += 1) {
      const application = await newApplication(instances[1], user);
      const code = await newCode(instances[0], application, user);
      const answers = await atBoth((app) => token(app, redemption(application, code)));
      const good = answers.filter(({ status }) => status === 200);
      expect(good).toHaveLength(1);
      expect(answers.filter((answer) => answer.status === 400 && answer.body.error === 'invalid_grant')).toHaveLength(
        31,
      );
      const { access_token: accessToken, refresh_token: refreshToken } = (good[0] as FormResponse).body;
      for (const app of instances) {
        expect(await identityStatus(app, accessToken)).toBe(401);
        const refreshed = await token(app, {
          grant_type: 'refresh_token',
          client_id: application.oauthIdentifier,
          refresh_token: refreshToken,
        });
        expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
      }
    }
  });

  it('accept each other’s codes, tokens and sessions', async () => {
    const [one, two] = instances;
    const application = await newApplication(one, user);
    const { body } = await token(two, redemption(application, await newCode(one, application, user)));
    expect([await identityStatus(one, body.access_token), await identityStatus(two, body.access_token)]).toEqual([
      200, 200,
    ]);
    const refreshed = await atBoth((app) =>
      token(app, {
        grant_type: 'refresh_token',
        client_id: application.oauthIdentifier,
        refresh_token: body.refresh_token,
      }),
    );
    expect(refreshed.map(({ status }) => status)).toEqual(Array(32).fill(200));
    const own = await token(
      one,
      { grant_type: 'client_credentials', scope: 'application_access:write' },
      basic(application.clientIdentifier, application.clientSecret),
    );
    expect(
      (await open(`${two.url}/api/v1/payments`, { Authorization: `Bearer ${own.body.access_token}` })).status,
    ).toBe(200);
  });

  it('accept only one of 32 sign-ins with one challenge', async () => {
    const wallet = createTestWallet();
    await register(instances[0], wallet, 'raced');
    const { nonce, message } = (await instances[1].post('/api/v2/sign-in/challenges', { publicKey: wallet.publicKey }))
      .body;
    const signed = { publicKey: wallet.publicKey, nonce, signature: wallet.sign(message) };
    const answers = await atBoth((app) => app.post('/api/v2/sign-in', signed));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error?.code === 'invalid-challenge')).toHaveLength(31);
  });
});
