/**
 * How many requests the service answers in a second, compared with an Express route that does nothing: same Node, same
 * client, alternately. Server, database and client share the cores of this machine.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '../server/database/connect.ts';
import { migrate } from '../server/database/migrate.ts';
import { createDatabase, startPostgres } from '../server/database/testing-postgres.ts';
import { ask, load, type Ask, type Load } from './load.ts';
import { median } from './median.ts';
import { findNode24 } from './node24.ts';
import { seed, type Seed } from './service-seed.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const SECONDS = 3;
/** Port 1 of this machine, where nothing answers: the load test sends nothing outside. */
const NOWHERE = 'http://127.0.0.1:1';

interface Process {
  port: number;
  end(): Promise<void>;
}

/** Starts a server as in production, and waits until it prints its address. */
function start(node: string, file: string, env: Record<string, string>): Promise<Process> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(node, ['--import', 'tsx', path], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const port = /ready: http:\/\/localhost:(\d+)\n/.exec(output)?.[1];
      if (port) resolve({ port: Number(port), end: () => (child.kill('SIGTERM'), ended) });
    });
    child.on('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
}

/** A request of each kind, rotating over all users, so that no single row or token is requested repeatedly. */
function asksOf(made: Seed): Record<'identity' | 'refresh' | 'credentials', () => Ask> {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const inTurn = (all: Ask[]) => {
    let i = 0;
    return () => all[(i += 1) % all.length] as Ask;
  };
  return {
    identity: inTurn(
      made.accessTokens.map((token) => ask('GET', '/api/v1/auth/user_identity', { Authorization: `Bearer ${token}` })),
    ),
    refresh: inTurn(
      made.refreshTokens.map((token) =>
        ask(
          'POST',
          '/oauth/v1/token',
          form,
          new URLSearchParams({
            grant_type: 'refresh_token',
            client_id: made.oauthIdentifier,
            refresh_token: token,
          }).toString(),
        ),
      ),
    ),
    credentials: inTurn([
      ask(
        'POST',
        '/oauth/v1/token',
        {
          ...form,
          Authorization: `Basic ${Buffer.from(`${made.clientIdentifier}:${made.clientSecret}`).toString('base64')}`,
        },
        'grant_type=client_credentials&scope=application_access%3Awrite',
      ),
    ]),
  };
}

const KINDS = {
  identity: 'identity requests',
  refresh: 'token requests (refresh)',
  credentials: 'token requests (client credentials)',
} as const;
const GOALS = { identity: 0.6, refresh: 0.35, credentials: 0.35 } as const;

async function onDatabase(node: { path: string; version: string }, databaseUrl: string): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-service-'));
  try {
    const database = await openPostgres(databaseUrl);
    await migrate(database);
    const made = await seed(database.db);
    await database.close();
    const bare = await start(node.path, './bare-server.ts', {});
    // Rate limits are counted as usual, but are too high to be reached.
    const server = await start(node.path, '../server/main.ts', {
      PORT: '0',
      DATA_DIR: directory,
      NETWORK: 'testnet',
      ARC_URL: NOWHERE,
      WOC_URL: NOWHERE,
      RATES_URL: NOWHERE,
      RATE_LIMITS: '1000',
      DATABASE_URL: databaseUrl,
    });
    try {
      return await measure(node.version, bare.port, server.port, asksOf(made));
    } finally {
      await Promise.all([server.end(), bare.end()]);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure(
  version: string,
  barePort: number,
  port: number,
  asks: ReturnType<typeof asksOf>,
): Promise<Row[]> {
  const nothing = ask('GET', '/');
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
  const turns: [string, number, () => Ask][] = [
    ['bare', barePort, () => nothing],
    ...kinds.map((kind): [string, number, () => Ask] => [kind, port, asks[kind]]),
  ];
  const all = new Map<string, Load[]>(turns.map(([what]) => [what, []]));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [what, at, next] of turns) {
      const came = await load(at, next, { seconds: SECONDS });
      // The round before the first warms everything up.
      if (round >= 0) all.get(what)?.push(came);
    }
  }
  const rate = (what: string) => median((all.get(what) ?? []).map((one) => one.requestsPerSecond));
  return kinds.map((kind) => {
    const came = all.get(kind) ?? [];
    const errors = came.reduce((sum, one) => sum + one.errors, 0);
    const ratio = rate(kind) / rate('bare');
    const first = came.find((one) => one.firstError !== null)?.firstError;
    return {
      what: KINDS[kind],
      measured: `${rate(kind).toFixed(0)} a second, a bare Express route ${rate('bare').toFixed(0)}; p99 ${median(came.map((one) => one.p99Ms)).toFixed(1)} ms; ${errors} errors${first ? ` (${first})` : ''}; Node ${version}`,
      ratio,
      goal: `≥ ${GOALS[kind]} of a bare route, no errors`,
      holds: errors === 0 && ratio >= GOALS[kind],
    };
  });
}

/** Measures it on a PostgreSQL that writes every commit through to the disk. */
export async function service(): Promise<Row[]> {
  const postgres = await startPostgres({ durable: true });
  try {
    const made = await createDatabase(postgres.url);
    try {
      return await onDatabase(findNode24(), made.url);
    } finally {
      await made.drop();
    }
  } finally {
    await postgres.stop();
  }
}
