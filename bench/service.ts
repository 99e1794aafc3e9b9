/**
 * Compares the service's CPU time per request to that of an Express route that does nothing. Both run alternately,
 * with the same Node and client. Server, database and client share this machine's cores, so requests per second are
 * only additional information.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '../server/database/connect.ts';
import { migrate } from '../server/database/migrate.ts';
import { createDatabase, startPostgres } from '../server/database/testing-postgres.ts';
import { showProfile } from './cpu-profile.ts';
import { ask, load, type Ask, type Load } from './load.ts';
import { median, type Row } from './row.ts';
import { findNode24 } from './node24.ts';
import type { Answers } from './report-usage.ts';
import { seed, type Seed } from './service-seed.ts';

const ROUNDS = 5;
const SECONDS = 3;
/** Port 1 on this machine, where no server listens. Keeps the load test from contacting external hosts. */
const NOWHERE = 'http://127.0.0.1:1';

type Node = ReturnType<typeof findNode24>;
const isNode24 = ({ version }: Node) => Number(/^v(\d+)/.exec(version)?.[1]) >= 24;

interface Process {
  port: number;
  ask<Q extends keyof Answers>(question: Q): Promise<Answers[Q]>;
  end(): Promise<void>;
}

/** Starts a server as its container image does, and waits until it prints its address. */
function start(node: Node, file: string, env: Record<string, string>): Promise<Process> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const report = new URL('./report-usage.ts', import.meta.url).href;
  const loader = isNode24(node) ? [] : ['--import', 'tsx'];
  const child = spawn(node.path, [...loader, '--import', report, path], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const askIt = <Q extends keyof Answers>(question: Q) =>
    new Promise<Answers[Q]>((resolve) => {
      child.once('message', (answer) => resolve(answer as Answers[Q]));
      child.send(question);
    });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout!.on('data', (chunk) => {
      output += chunk;
      const port = /ready: http:\/\/localhost:(\d+)\n/.exec(output)?.[1];
      if (port) resolve({ port: Number(port), ask: askIt, end: () => (child.kill('SIGTERM'), ended) });
    });
    child.on('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
}

/** Returns a generator for each kind of request. The generators rotate through all users to avoid repeated rows. */
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
/** Maximum CPU time, relative to the bare route's. */
const GOALS = { identity: 1.7, refresh: 2.8, credentials: 2.8 } as const;
const MEMORY_GOAL = 1.5;

export interface Options {
  /** Number of 12-second rounds. Each loads the service for 9 seconds, so 400 rounds amount to an hour of load. */
  rounds?: number | undefined;
  /** True to record CPU profiles after all measurements. */
  profiles?: boolean;
}

async function onService<T>(work: (server: Process, made: Seed, node: Node) => Promise<T>): Promise<T> {
  const node = findNode24();
  const directory = await mkdtemp(join(tmpdir(), 'bench-service-'));
  // Flushes every commit to disk.
  const postgres = await startPostgres({ durable: true });
  try {
    const { url, drop } = await createDatabase(postgres.url);
    const database = await openPostgres(url);
    await migrate(database);
    const made = await seed(database.db);
    await database.close();
    // Rate limits are counted as usual, but are too high to be exceeded.
    const server = await start(node, '../server/main.ts', {
      PORT: '0',
      DATA_DIR: directory,
      NETWORK: 'testnet',
      ARC_URL: NOWHERE,
      WOC_URL: NOWHERE,
      RATES_URL: NOWHERE,
      RATE_LIMITS: '1000',
      DATABASE_URL: url,
    });
    try {
      return await work(server, made, node);
    } finally {
      await server.end();
      await drop();
    }
  } finally {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure(
  version: string,
  bare: Process,
  server: Process,
  asks: ReturnType<typeof asksOf>,
  { rounds = ROUNDS, profiles }: Options,
): Promise<Row[]> {
  const nothing = ask('GET', '/');
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
  const turns: [string, Process, () => Ask][] = [
    ['bare', bare, () => nothing],
    ...kinds.map((kind): [string, Process, () => Ask] => [kind, server, asks[kind]]),
  ];
  const all = new Map<string, (Load & { cpuMicroseconds: number })[]>(turns.map(([what]) => [what, []]));
  const memory = [(await server.ask('usage')).rssBytes];
  for (let round = -1; round < rounds; round += 1) {
    for (const [what, at, next] of turns) {
      const before = await at.ask('usage');
      const came = await load(at.port, next, { seconds: SECONDS });
      const after = await at.ask('usage');
      const cpuMicroseconds = (after.cpuMicroseconds - before.cpuMicroseconds) / came.requests;
      // Round -1 is the warm-up.
      if (round >= 0) all.get(what)?.push({ ...came, cpuMicroseconds });
    }
    memory.push((await server.ask('usage')).rssBytes);
  }
  if (profiles)
    for (const [what, at, next] of turns) {
      await at.ask('begin-profile');
      await load(at.port, next, { seconds: SECONDS });
      showProfile(`service-${what}`, await at.ask('end-profile'));
    }
  const cpu = (what: string) => median((all.get(what) ?? []).map((one) => one.cpuMicroseconds));
  const rate = (what: string) => median((all.get(what) ?? []).map((one) => one.requestsPerSecond));
  const rows = kinds.map((kind) => {
    const came = all.get(kind) ?? [];
    const errors = came.reduce((sum, one) => sum + one.errors, 0);
    const ratio = cpu(kind) / cpu('bare');
    const first = came.find((one) => one.firstError !== null)?.firstError;
    return {
      what: KINDS[kind],
      measured: `${cpu(kind).toFixed(0)} µs of CPU time, a bare Express route ${cpu('bare').toFixed(0)}; ${rate(kind).toFixed(0)} requests a second, bare ${rate('bare').toFixed(0)}; p99 ${median(came.map((one) => one.p99Ms)).toFixed(1)} ms; ${errors} errors${first ? ` (${first})` : ''}; Node ${version}`,
      ratio,
      goal: `≤ ${GOALS[kind]} times a bare route's CPU time, no errors`,
      holds: errors === 0 && ratio <= GOALS[kind],
    };
  });
  return [...rows, memoryRow(memory, `${rounds * kinds.length * SECONDS} more seconds of load`)];
}

/** @param rssBytes resident memory at the start, after the warm-up, and later @param load the load since the warm-up */
function memoryRow(rssBytes: readonly number[], load: string): Row {
  const megabytes = rssBytes.map((bytes) => bytes / 1e6);
  const [idle, warm, last] = [megabytes[0]!, megabytes[1]!, megabytes.at(-1)!];
  return {
    what: 'resident memory of the service',
    measured: `${idle.toFixed(0)} MB idle, ${warm.toFixed(0)} after warming up, ${last.toFixed(0)} after ${load}, ${Math.max(...megabytes).toFixed(0)} at most`,
    ratio: last / warm,
    goal: `≤ ${MEMORY_GOAL} times that after warming up`,
    holds: last / warm <= MEMORY_GOAL,
  };
}

/** Measures CPU time, and memory under maximum load. */
export function service(options: Options = {}): Promise<Row[]> {
  return onService(async (server, made, node) => {
    const bare = await start(node, './bare-server.ts', {});
    try {
      return await measure(node.version, bare, server, asksOf(made), options);
    } finally {
      await bare.end();
    }
  });
}

/** A moderate load, a small part of a core's capacity. */
const FEW = { connections: 10, pauseMs: 25 };

/** Measures memory under a moderate load with all kinds of requests, for `minutes` after the first minute. */
export function serviceMemory(minutes = 60): Promise<Row[]> {
  return onService(async (server, made) => {
    const { identity, refresh, credentials } = asksOf(made);
    const kinds = [identity, identity, refresh, identity, credentials];
    let sent = 0;
    const next = () => kinds[(sent += 1) % kinds.length]!();
    const memory = [(await server.ask('usage')).rssBytes];
    let [requests, errors, cpu] = [0, 0, 0];
    for (let minute = 0; minute <= minutes; minute += 1) {
      const before = await server.ask('usage');
      const came = await load(server.port, next, { ...FEW, seconds: 60 });
      const after = await server.ask('usage');
      memory.push(after.rssBytes);
      if (minute === 0) continue;
      requests += came.requests;
      errors += came.errors;
      cpu += after.cpuMicroseconds - before.cpuMicroseconds;
    }
    const perSecond = requests / (minutes * 60);
    const share = cpu / (minutes * 60e6);
    const row = memoryRow(
      memory,
      `${minutes} more minutes of ${perSecond.toFixed(0)} requests a second, ${(share * 100).toFixed(0)} % of a core, ${errors} errors`,
    );
    return [{ ...row, holds: row.holds && errors === 0 }];
  });
}
