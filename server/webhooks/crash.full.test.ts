/** Webhook deliveries by real service processes that are killed repeatedly, with a real database. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { createApplication } from '../applications/store.ts';
import { startTestArc } from '../chain/testing-arc.ts';
import { openPostgres } from '../database/connect.ts';
import { migrate } from '../database/migrate.ts';
import { users } from '../database/schema.ts';
import { createPostgresDatabase } from '../database/testing.ts';
import { issueToken } from '../identity/tokens.ts';
import { createTestReport, proveReport } from '../payment-reports/testing-report.ts';
import { createTestWallet } from '../testing.ts';
import { serviceProgram } from '../testing-program.ts';
import { startTestReceiver } from './testing-receiver.ts';

const ROUNDS = 4;

const directories: string[] = [];
const children = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true })));
});

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'webhooks-'));
  directories.push(directory);
  return directory;
}

async function start(
  env: Record<string, string>,
): Promise<{ child: ChildProcess; url: string; exit: Promise<unknown> }> {
  const child = spawn(process.execPath, serviceProgram(), {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      NETWORK: 'testnet',
      WEBHOOKS_ALLOW_PRIVATE: 'on',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const exit = once(child, 'exit').finally(() => children.delete(child));
  let output = '';
  const ready = new Promise<string>((found) => {
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      const [, url] = /^ready: (\S+)$/m.exec(output) ?? [];
      if (url) found(url);
    });
  });
  const url = await Promise.race([ready, exit.then(() => Promise.reject(new Error(`the service ended: ${output}`)))]);
  return { child, url: url.replace('localhost', '127.0.0.1'), exit };
}

describe('kill -9', () => {
  it('loses no event of an acknowledged payment, and preserves their order', async () => {
    const [directory, place, arc, receiver, wallet] = [
      await newDirectory(),
      await createPostgresDatabase(),
      await startTestArc(),
      await startTestReceiver(),
      createTestWallet(),
    ];
    const env = { DATA_DIR: directory, DATABASE_URL: place.url, ARC_URL: arc.url };
    const first = await openPostgres(place.url);
    await migrate(first);
    const [user] = await first.db
      .insert(users)
      .values({
        handle: 'payer',
        name: '',
        publicKey: wallet.publicKey,
        receivingXpub: wallet.receivingXpub,
        createdAt: new Date(),
      })
      .returning();
    const userId = user?.id ?? 0;
    const token = await issueToken(first.db, 'wallet', userId, new Date());
    const { application } = await createApplication(
      first.db,
      userId,
      {
        name: 'A Shop',
        url: 'https://shop.example',
        description: '',
        redirectUri: null,
        webhookUrl: receiver.url,
        requirePkce: false,
        requireSecret: false,
      },
      new Date(),
    );
    await first.close();

    const newReport = () => {
      const made = createTestReport([1_000n], wallet.publicKey);
      arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
      return {
        txid: made.txid,
        report: proveReport(
          { ...made.report, clientIdentifier: application.clientIdentifier },
          wallet.publicKey,
          made.key,
        ),
      };
    };
    /** Reports a payment. Returns true if the service acknowledged the report. */
    const post = (url: string, report: object) =>
      fetch(`${url}/api/v2/payments`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
        body: JSON.stringify(report),
      }).then(
        (response) => response.status === 200 || response.status === 201,
        () => false,
      );

    const acknowledged: string[] = [];
    let unanswered: ReturnType<typeof newReport>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      // Simulates an hour of downtime so that the killed process's claims have expired.
      const asleep = await openPostgres(place.url);
      await asleep.db.execute(
        sql`update webhook_events set next_attempt_at = next_attempt_at - interval '1 hour' where next_attempt_at is not null`,
      );
      await asleep.db.execute(
        sql`update payments set next_check_at = next_check_at - interval '1 hour' where next_check_at is not null`,
      );
      await asleep.close();
      const service = await start(env);
      const kill = () => service.child.kill('SIGKILL');
      const dies = new Promise<void>((dead) => {
        let left = 2 + round;
        receiver.answer = ({ paymentId }) => {
          left -= 1;
          // In even rounds, kills the service before its receiver responds; in odd rounds, right after.
          if (left === 0 && round % 2 === 0) kill();
          if (left === 0) setImmediate(kill);
          if (left <= 0) dead();
          return paymentId.startsWith('0') ? 500 : 200;
        };
      });
      const reports = [...unanswered, newReport(), newReport(), newReport(), newReport()];
      const answers = Promise.all(
        reports.map(async (one) => {
          const isAcknowledged = await post(service.url, one.report);
          // The payment is mined immediately so that its two webhooks race.
          if (isAcknowledged) arc.statuses.set(one.txid, 'MINED');
          return isAcknowledged;
        }),
      );
      await dies;
      await service.exit;
      const taken = await answers;
      acknowledged.push(...reports.filter((_report, i) => taken[i]).map(({ report }) => report.id));
      unanswered = reports.filter((_report, i) => !taken[i]);
    }

    receiver.answer = () => 200;
    const asleep = await openPostgres(place.url);
    await asleep.db.execute(
      sql`update webhook_events set next_attempt_at = next_attempt_at - interval '1 hour' where next_attempt_at is not null`,
    );
    await asleep.db.execute(
      sql`update payments set next_check_at = next_check_at - interval '1 hour' where next_check_at is not null`,
    );
    await asleep.close();
    const last = await start(env);
    for (const { report, txid } of unanswered) {
      expect(await post(last.url, report)).toBe(true);
      arc.statuses.set(txid, 'MINED');
      acknowledged.push(report.id);
    }
    const toldOf = (id: string) => receiver.received.filter(({ paymentId }) => paymentId === id);
    await expect
      .poll(() => acknowledged.filter((id) => !toldOf(id).some(({ type }) => type === 'payment.completed')))
      .toEqual([]);
    last.child.kill('SIGTERM');
    await last.exit;

    expect(acknowledged.length).toBeGreaterThan(2 * ROUNDS);
    for (const id of acknowledged) {
      // Each event is delivered at least once, and never after a later event.
      expect(
        toldOf(id)
          .map(({ type }) => type.slice('payment.'.length))
          .join(' '),
        id,
      ).toMatch(/^(?:received )+(?:completed ?)+$/);
      expect(new Set(toldOf(id).map(({ headers }) => headers['webhook-id'])).size).toBe(2);
    }
    expect(new Set(receiver.received.map(({ paymentId }) => paymentId))).toEqual(new Set(acknowledged));
    const after = await openPostgres(place.url);
    const open = (await after.db.execute(sql`select id from webhook_events where state <> 'delivered'`)) as unknown as {
      rows: unknown[];
    };
    expect(open.rows).toEqual([]);
    await after.close();
    await Promise.all([arc.close(), receiver.close()]);
    await place.drop();
  });
});
