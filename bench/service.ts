/**
 * How much CPU time of the service's process a request takes, compared with an Express route that does nothing: same Node, same
 * client, alternately. Server, database and client share the cores of this machine, so how many requests are answered in a second
 * says as much of them: it is told beside.
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
  /** CPU time of the process until now, all of its threads, in microseconds. */
  cpuTime(): Promise<number>;
  end(): Promise<void>;
}

/** Starts a server as in production, and waits until it prints its address. */
function start(node: string, file: string, env: Record<string, string>): Promise<Process> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const report = new URL('./report-cpu.ts', import.meta.url).href;
  const child = spawn(node, ['--import', 'tsx', '--import', report, path], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const cpuTime = () =>
    new Promise<number>((resolve) => {
      child.once('message', (usage) => {
        const { user, system } = usage as NodeJS.CpuUsage;
        resolve(user + system);
      });
      child.send('cpu');
    });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout!.on('data', (chunk) => {
      output += chunk;
      const port = /ready: http:\/\/localhost:(\d+)\n/.exec(output)?.[1];
      if (port) resolve({ port: Number(port), cpuTime, end: () => (child.kill('SIGTERM'), ended) });
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
/** Most CPU time, of a bare route's. */
const GOALS = { identity: 1.7, refresh: 2.8, credentials: 2.8 } as const;

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
      return await measure(node.version, bare, server, asksOf(made));
    } finally {
      await Promise.all([server.end(), bare.end()]);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure(
  version: string,
  bare: Process,
  server: Process,
  asks: ReturnType<typeof asksOf>,
): Promise<Row[]> {
  const nothing = ask('GET', '/');
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
  const turns: [string, Process, () => Ask][] = [
    ['bare', bare, () => nothing],
    ...kinds.map((kind): [string, Process, () => Ask] => [kind, server, asks[kind]]),
  ];
  const all = new Map<string, (Load & { cpuMicroseconds: number })[]>(turns.map(([what]) => [what, []]));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [what, at, next] of turns) {
      const before = await at.cpuTime();
      const came = await load(at.port, next, { seconds: SECONDS });
      const cpuMicroseconds = ((await at.cpuTime()) - before) / came.requests;
      // The round before the first warms everything up.
      if (round >= 0) all.get(what)?.push({ ...came, cpuMicroseconds });
    }
  }
  const cpu = (what: string) => median((all.get(what) ?? []).map((one) => one.cpuMicroseconds));
  const rate = (what: string) => median((all.get(what) ?? []).map((one) => one.requestsPerSecond));
  return kinds.map((kind) => {
    const came = all.get(kind) ?? [];
    const errors = came.reduce((sum, one) => sum + one.errors, 0);
    const ratio = cpu(kind) / cpu('bare');
    const first = came.find((one) => one.firstError !== null)?.firstError;
    return {
      what: KINDS[kind],
      measured: `${cpu(kind).toFixed(0)} µs of CPU time, a bare Express route ${cpu('bare').toFixed(0)}; ${rate(kind).toFixed(0)} a second, that ${rate('bare').toFixed(0)}; p99 ${median(came.map((one) => one.p99Ms)).toFixed(1)} ms; ${errors} errors${first ? ` (${first})` : ''}; Node ${version}`,
      ratio,
      goal: `≤ ${GOALS[kind]} times a bare route's CPU time, no errors`,
      holds: errors === 0 && ratio <= GOALS[kind],
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
