/**
 * `npm run soak:service`: sends five minutes of mixed traffic to two instances with one PostgreSQL server, while the
 * instances and the database are killed (-9) and restarted in turn. Then checks that all acknowledged data exists, that
 * all reads and writes of a name are linearizable, that no code was redeemed twice and no limit exceeded, and that all
 * webhooks arrived in order. SOAK_SECONDS sets the duration.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { and, eq, gt } from 'drizzle-orm';
import { MAX_APPLICATIONS } from '../protocol/http/applications.ts';
import { startTestArc } from '../server/chain/testing-arc.ts';
import { openPostgres, type Database } from '../server/database/connect.ts';
import { accessTokens, applications, payments, users, webhookEvents } from '../server/database/schema.ts';
import { createDatabase, startPostgres } from '../server/database/testing-postgres.ts';
import { hashSecret } from '../server/secrets.ts';
import { startTestReceiver, type Received } from '../server/webhooks/testing-receiver.ts';
import { newNotes, type Acknowledged } from './soak-service/acknowledged.ts';
import { createInstance } from './soak-service/instances.ts';
import { whyNotLinearizable, type Operation } from './soak-service/linearizable.ts';
import { FIRST_NAME } from './soak-service/person.ts';
import { hoard, work } from './soak-service/traffic.ts';

const BASE_URL = 'https://pay.example.com';
/** After every nth kill of an instance, the database is killed as well. */
const CRASH_EVERY = 2;
/** Minimum number of responses before the next kill. */
const MIN_RESPONSES_PER_LIFE = 25;
/**
 * Time within which all webhooks must be delivered (milliseconds). A killed instance's deliveries wait until its lease
 * expires.
 */
const SETTLE_MS = 240_000;

export interface Soak {
  notes: Acknowledged;
  kills: number;
  crashes: number;
  /** Descriptions of missing acknowledged data, and of responses that should never have been sent. */
  losses: string[];
  delivered: number;
}

/** Parameters of a run. A run lasts until its time is up and there have been enough kills and acknowledged writes. */
interface Run {
  seconds: number;
  /** Number of users, each with an application. */
  workers: number;
  /** Minimum lifetime of an instance before it is killed (milliseconds). */
  lifeMs: number;
  kills: number;
  acknowledged: number;
  /**
   * True to make the deliveries of killed instances due at the end of the traffic, without waiting for their leases to
   * expire.
   */
  endsLeases?: boolean;
}

/** Returns the smallest number of acknowledgments of any kind. */
export function fewestOf({ users: accounts, payments: paid, names, tokens, revoked, redeemed }: Acknowledged): number {
  const writes = Math.min(...[...names.values()].map((history) => history.length), Infinity);
  return Math.min(accounts.size, paid.size, names.size, writes, tokens.size, revoked.size, redeemed);
}

/** The initially empty database of a run. */
export interface SoakedDatabase {
  url: string;
  /** Kills the server with SIGKILL, and restarts it on the same files. If omitted, the server is never killed. */
  crash?(): Promise<void>;
  /** Starts a proxy in front of the instances. If omitted, clients use the instances in turn. */
  front?(instances: readonly string[]): Promise<{ url: string; close(): Promise<void> }>;
}

export async function soakService(
  { url: databaseUrl, crash, front }: SoakedDatabase,
  { seconds, workers, lifeMs, endsLeases = false, ...least }: Run,
): Promise<Soak> {
  const [arc, receiver] = [await startTestArc(), await startTestReceiver()];
  const directories = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'soak-service-'))));
  const instances = await Promise.all(
    directories.map((directory) =>
      createInstance({
        DATA_DIR: directory,
        DATABASE_URL: databaseUrl,
        NETWORK: 'testnet',
        BASE_URL,
        ARC_URL: arc.url,
        WOC_URL: 'http://127.0.0.1:1',
        RATES_URL: 'http://127.0.0.1:1',
        WEBHOOKS_ALLOW_PRIVATE: 'on',
        RATE_LIMITS: '1000',
      }),
    ),
  );
  const notes = newNotes();
  let kills = 0;
  let crashes = 0;
  let proxy: Awaited<ReturnType<NonNullable<typeof front>>> | undefined;
  try {
    await Promise.all(instances.map((instance) => instance.start()));
    proxy = await front?.(instances.map(({ url }) => url));
    const end = Date.now() + seconds * 1000;
    const goesOn = () => Date.now() < end || kills < least.kills || fewestOf(notes) < least.acknowledged;
    const world = {
      notes,
      urls: proxy ? [proxy.url] : instances.map(({ url }) => url),
      baseUrl: BASE_URL,
      mine: (txid: string) => void arc.statuses.set(txid, 'MINED'),
      webhookUrl: `${receiver.url}/hook`,
      goesOn,
    };
    const traffic = [hoard(world), ...Array.from({ length: workers }, (_, number) => work(world, number))];
    while (goesOn()) {
      const killed = instances[kills % instances.length];
      // On a busy machine, a fixed lifetime could be too short for any response.
      for (const before = notes.answered; goesOn() && notes.answered < before + MIN_RESPONSES_PER_LIFE;)
        await new Promise((wake) => setTimeout(wake, lifeMs));
      await killed?.kill();
      kills += 1;
      await killed?.start();
      if (!crash || kills % CRASH_EVERY !== 0) continue;
      await crash();
      crashes += 1;
    }
    await Promise.all(traffic);
    const database = await openPostgres(databaseUrl);
    try {
      if (endsLeases)
        await database.db
          .update(webhookEvents)
          .set({ nextAttemptAt: new Date() })
          .where(and(eq(webhookEvents.state, 'pending'), gt(webhookEvents.nextAttemptAt, new Date())));
      const wanted = [...notes.payments.keys()].flatMap((id) => [`${id} payment.received`, `${id} payment.completed`]);
      const delivered = () => new Set(receiver.received.map(({ paymentId, type }) => `${paymentId} ${type}`));
      for (
        const patience = Date.now() + SETTLE_MS;
        Date.now() < patience && !wanted.every((event) => delivered().has(event));
      ) {
        await new Promise((wake) => setTimeout(wake, 500));
      }
      const came = delivered();
      const losses = [
        ...notes.faults,
        ...(await lostRows(database.db, notes)),
        ...wanted.filter((event) => !came.has(event)).map((event) => `webhook ${event}`),
        ...outOfOrder(receiver.received),
      ];
      return { notes, kills, crashes, losses, delivered: came.size };
    } finally {
      await database.close();
    }
  } finally {
    await proxy?.close();
    await Promise.all(instances.map((instance) => instance.kill()));
    await Promise.all([arc.close(), receiver.close()]);
    await Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true })));
  }
}

/** Returns acknowledged rows that are missing, and revoked rows that still exist. */
async function lostRows(db: Database, notes: Acknowledged): Promise<string[]> {
  const accounts = new Map(
    (await db.select({ id: users.id, handle: users.handle, name: users.name }).from(users)).map((user) => [
      String(user.id),
      user,
    ]),
  );
  const paid = new Map(
    (await db.select({ id: payments.id, userId: payments.userId, status: payments.status }).from(payments)).map(
      (payment) => [payment.id, payment],
    ),
  );
  const owned = await db
    .select({ name: applications.clientIdentifier, ownerId: applications.ownerId })
    .from(applications);
  const hashes = new Set(
    (await db.select({ hash: accessTokens.tokenHash }).from(accessTokens)).map(({ hash }) => hash),
  );
  const events = (await db.select({ id: webhookEvents.id }).from(webhookEvents)).length;
  const lost = [
    ...[...notes.users].filter(([id, handle]) => accounts.get(id)?.handle !== handle).map(([id]) => `user ${id}`),
    ...[...notes.names].flatMap(([id, history]) => {
      const now = performance.now();
      const last: Operation = { kind: 'read', value: accounts.get(id)?.name ?? '', sent: now, answered: now };
      const wrong = whyNotLinearizable([...history, last], FIRST_NAME);
      return wrong ? [`the name of user ${id} is not linearizable: ${JSON.stringify(wrong)}`] : [];
    }),
    ...[...notes.hoards].flatMap(([id, made]) => {
      const kept = new Set(owned.filter(({ ownerId }) => String(ownerId) === id).map(({ name }) => name));
      const missing = [...made.values()].filter((name) => !kept.has(name)).map((name) => `application ${name}`);
      // The maximum number of applications must exist, all of them acknowledged.
      const isExact = made.size === MAX_APPLICATIONS && kept.size === MAX_APPLICATIONS;
      return isExact ? missing : [...missing, `${kept.size} applications of user ${id}, ${made.size} acknowledged`];
    }),
    ...[...notes.payments]
      .filter(([id, userId]) => String(paid.get(id)?.userId) !== userId)
      .map(([id]) => `payment ${id}`),
    ...[...notes.payments.keys()]
      .filter((id) => paid.get(id)?.status !== 'COMPLETED')
      .map((id) => `completion of payment ${id}`),
    ...[...notes.tokens].filter((token) => !hashes.has(hashSecret(token))).map(() => 'a token'),
    ...[...notes.revoked].filter((token) => hashes.has(hashSecret(token))).map(() => 'a revocation'),
  ];
  // Each payment must have exactly two events, even if it was reported repeatedly.
  return events === paid.size * 2 ? lost : [...lost, `${events} events for ${paid.size} payments`];
}

/** Lists payments whose `payment.completed` webhook arrived before their `payment.received` webhook. */
function outOfOrder(received: readonly Received[]): string[] {
  const known = new Set<string>();
  return received.flatMap(({ paymentId, type }) => {
    if (type === 'payment.received') known.add(paymentId);
    return type === 'payment.completed' && !known.has(paymentId) ? [`webhook ${paymentId} out of order`] : [];
  });
}

const LIFE_MS = 6_000;

async function main(): Promise<void> {
  const seconds = Number(process.env.SOAK_SECONDS ?? 300);
  const postgres = await startPostgres({ durable: true });
  try {
    const database = await createDatabase(postgres.url);
    try {
      console.log(
        `${seconds} seconds of traffic against two instances, one of them killed every ${LIFE_MS / 1000} seconds …`,
      );
      const { notes, kills, crashes, losses, delivered } = await soakService(
        { url: database.url, crash: () => postgres.crash() },
        {
          seconds,
          workers: 6,
          lifeMs: LIFE_MS,
          kills: 2,
          acknowledged: 3,
        },
      );
      console.log(
        `${kills} kills of an instance, ${crashes} of the database; ${notes.answered} requests answered, ${notes.unanswered} cut off. Acknowledged: ${notes.users.size} accounts, ${notes.payments.size} payments, ${notes.tokens.size} tokens, ${notes.revoked.size} revocations, ${notes.redeemed} codes, ${[...notes.names.values()].flat().length} reads and writes of names; ${delivered} events delivered.`,
      );
      for (const loss of losses.slice(0, 20)) console.log(`LOST  ${loss}`);
      console.log(
        losses.length === 0 ? 'No acknowledged data was lost.' : `${losses.length} losses or inconsistencies.`,
      );
      if (losses.length > 0) process.exitCode = 1;
    } finally {
      await database.drop();
    }
  } finally {
    await postgres.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
