import { afterEach, describe, expect, it, vi } from 'vitest';
import { eq, ne, sql } from 'drizzle-orm';
import { pino } from 'pino';
import type { ArcClient } from '../chain/arc-client.ts';
import { useTestDatabase } from '../database/testing.ts';
import { payments } from '../database/schema.ts';
import { startDueWork } from '../due-work.ts';
import type { Periodic } from '../periodic.ts';
import { paymentWork } from './follow.ts';

describe('payments due for a check', () => {
  const database = useTestDatabase();
  let started: Periodic[] = [];
  let answerSlow = () => {};
  afterEach(async () => {
    answerSlow();
    await Promise.all(started.map((one) => one.stop()));
    started = [];
  });

  const txidOf = (i: number) => i.toString(16).padStart(64, '0');
  /** Starts an instance that waits an hour whenever no more payments are due. */
  function startInstance(transaction: ArcClient['transaction']): void {
    const log = pino({ level: 'silent' });
    const arc = { transaction } as ArcClient;
    // A stopped clock, so the other instance doesn't check the slow payment again.
    const at = new Date();
    const work = paymentWork({ db: database.db, arc, now: () => at, log, callback: null, maxDelayMs: 60_000 });
    started.push(
      startDueWork(work, 3600_000, (error) => {
        throw error;
      }),
    );
  }

  it('each due payment is checked once, without waiting for slow checks or the next round, even by two instances', async () => {
    const count = 100;
    await database.db.execute(sql`
      insert into payments (id, reported, txid, normalized_txid, rawtx, amount, currency, satoshis, status, created_at, updated_at, next_check_at)
      select gen_random_uuid(), true, lpad(to_hex(i), 64, '0'), lpad(to_hex(i), 64, '0'), '\\x00', '1', 'BSV', 1, 'RECEIVED', now(), now(), now() - interval '1 second'
      from generate_series(1, ${count}::int) i`);
    const asked: string[] = [];
    const transaction: ArcClient['transaction'] = async (txid) => {
      asked.push(txid);
      if (txid === txidOf(1)) await new Promise<void>((resolve) => (answerSlow = resolve));
      return { txid, txStatus: 'MINED' };
    };
    startInstance(transaction);
    startInstance(transaction);
    const openTxids = async () =>
      (await database.db.select({ txid: payments.txid }).from(payments).where(ne(payments.status, 'COMPLETED'))).map(
        ({ txid }) => txid,
      );
    await vi.waitFor(async () => expect(await openTxids()).toEqual([txidOf(1)]));
    expect(asked.toSorted()).toEqual(Array.from({ length: count }, (_, i) => txidOf(i + 1)));
    answerSlow();
    await vi.waitFor(async () => expect(await openTxids()).toEqual([]));
  });

  it('a payment whose check is in progress isn’t claimed again', async () => {
    const { db } = database;
    await db
      .update(payments)
      .set({ status: 'RECEIVED', nextCheckAt: new Date(0) })
      .where(eq(payments.txid, txidOf(1)));
    const context = { db, arc: {} as ArcClient, log: pino({ level: 'silent' }), callback: null, maxDelayMs: 60_000 };
    const { claim } = paymentWork({ ...context, now: () => new Date() });
    const [{ id } = { id: '' }] = await db
      .select({ id: payments.id })
      .from(payments)
      .where(eq(payments.txid, txidOf(1)));
    expect(await claim(20, [id])).toEqual([]);
    expect((await claim(20, [])).map((one) => one.id)).toEqual([id]);
  });
});
