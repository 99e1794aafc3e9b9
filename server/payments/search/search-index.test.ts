/** Tests payments' index rows, and searches that use the index, on a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../database/testing.ts';
import { payments, paymentSearch } from '../../database/schema.ts';
import { readWatermark } from '../../database/watermark.ts';
import { matchesSearch, INDEXED, indexOlderPayments, indexPayment } from './search-index.ts';
import { parseSearch } from './search-text.ts';
import { insertApplication, insertPayment, insertReceived, insertUser } from '../testing-payments.ts';
import { seedSales } from '../sales/testing-sales.ts';

const at = (text: string) => new Date(`${text}Z`);
const MAY = { from: at('2027-05-01T00:00'), until: at('2027-06-01T00:00') };

describe('the search index for payments', () => {
  const database = useTestDatabase();
  let [owner, stranger]: number[] = [];
  beforeAll(async () => {
    [owner, stranger] = [await insertUser(database.db, 'alice'), await insertUser(database.db, 'bob')];
  });

  const found = async (client: string, search: string, span = MAY) => {
    const rows = await database.db
      .select({ id: paymentSearch.paymentId })
      .from(paymentSearch)
      .where(matchesSearch(parseSearch(search), client, span));
    return rows.map(({ id }) => id);
  };
  const indexed = async (change: Parameters<typeof insertPayment>[1]) => {
    const payment = await insertPayment(database.db, change);
    await indexPayment(database.db, payment.id);
    return payment;
  };

  it('finds a client’s payments that contain all search terms, each in one of its meanings', async () => {
    const clientIdentifier = randomUUID();
    const one = await indexed({
      clientIdentifier,
      userId: stranger ?? null,
      label: 'Read the article',
      buttonData: `${'x'.repeat(1_996)} end cut`,
      amount: '12.50',
    });
    await indexed({ clientIdentifier, label: 'Another' });
    for (const search of ['read', 'art read', 'bob', '12,50', '12.5', one.txid.slice(0, 6), 'end'])
      expect(await found(clientIdentifier, search), search).toEqual([one.id]);
    for (const search of ['read another', 'reading', '12', 'ut', 'cut', 'alice'])
      expect(await found(clientIdentifier, search), search).toEqual([]);
    expect(await found(randomUUID(), 'read')).toEqual([]);
  });

  it('keeps the stored form of keys: six characters of the client, the month, the text', async () => {
    const { id } = await indexed({ clientIdentifier: 'shop', label: 'kept', createdAt: at('2027-05-31T23:59') });
    const [row] = await database.db.select().from(paymentSearch).where(eq(paymentSearch.paymentId, id));
    expect(String(row?.keys)).toContain(`'jZAB0y2705wkept'`);
  });

  it('searches only the months of a span', async () => {
    const clientIdentifier = randomUUID();
    const { id } = await indexed({ clientIdentifier, label: 'late', createdAt: at('2027-12-31T23:59') });
    const inMonths = (from: string, until: string) =>
      found(clientIdentifier, 'late', { from: at(from), until: at(until) });
    for (const [from, until] of [
      ['2027-12-31T23:59', '2028-01-01T00:00'],
      ['2027-11-05T12:00', '2028-02-03T00:00'],
      ['2027-12-01T00:00', '2027-12-01T00:01'],
    ] as const)
      expect(await inMonths(from, until), from).toEqual([id]);
    for (const [from, until] of [
      ['2028-01-01T00:00', '2028-12-01T00:00'],
      ['2026-12-01T00:00', '2027-12-01T00:00'],
      ['2027-12-31T00:00', '2027-12-01T00:00'],
    ] as const)
      expect(await inMonths(from, until), from).toEqual([]);
  });

  it('contains the owner’s note, and their sender if the payer has no account, but nothing that others received', async () => {
    const clientIdentifier = randomUUID();
    await insertApplication(database.db, owner as number, clientIdentifier);
    await insertApplication(database.db, owner as number, randomUUID());
    const received = async (userId: number, senderPaymail: string | null = null) => {
      const payment = await insertPayment(database.db, { clientIdentifier, senderPaymail });
      await insertReceived(database.db, userId, payment, { note: 'Für Oma', sender: 'zoe@two.example' });
      await insertReceived(database.db, stranger as number, payment, { note: 'secret', sender: 'eve@two.example' });
      await indexPayment(database.db, payment.id);
      return payment.id;
    };
    const [own, named] = [await received(owner as number), await received(owner as number, 'carl@two.example')];
    await received(stranger as number);
    expect((await found(clientIdentifier, 'oma')).sort()).toEqual([own, named].sort());
    expect(await found(clientIdentifier, 'zoe')).toEqual([own]);
    expect(await found(clientIdentifier, 'carl')).toEqual([named]);
    expect([await found(clientIdentifier, 'secret'), await found(clientIdentifier, 'eve')]).toEqual([[], []]);
  });

  it('contains a payment once, in its current state, and no payment without an application', async () => {
    const clientIdentifier = randomUUID();
    const { id } = await indexed({ clientIdentifier, label: 'before' });
    await database.db.update(payments).set({ label: 'after' }).where(eq(payments.id, id));
    await indexPayment(database.db, id);
    expect([await found(clientIdentifier, 'before'), await found(clientIdentifier, 'after')]).toEqual([[], [id]]);
    const nobodys = await indexed({ label: 'of no application' });
    expect(await database.db.$count(paymentSearch, eq(paymentSearch.paymentId, nobodys.id))).toBe(0);
    await indexPayment(database.db, randomUUID());
  });
});

describe('indexing of payments stored before the index', () => {
  const database = useTestDatabase();
  const now = at('2027-05-10T00:00');
  const count = () => database.db.$count(paymentSearch);

  it('indexes older payments once, in batches, and later only newer ones of existing applications', async () => {
    const owner = await insertUser(database.db, 'alice');
    for (const client of ['first', 'second', 'older', 'newer']) await insertApplication(database.db, owner, client);
    const seed = (client: string, n: number, from: Date) =>
      // All payments have the same timestamp, so batches end between equal timestamps.
      seedSales(database.db, client, { count: n, stepMs: 0, from });
    await seed('first', 450, at('2027-05-01T00:00'));
    await seed('second', 3, at('2027-05-01T00:00'));
    await seed('gone', 2, at('2027-05-02T00:00'));
    await insertPayment(database.db, { createdAt: at('2027-05-02T00:00') });

    // If the run is stopped early, the next one starts over.
    expect(await indexOlderPayments(database.db, () => true, now)).toBe(0);
    expect([await count(), await readWatermark(database.db, INDEXED, now)]).toEqual([0, null]);
    let asked = 0;
    expect(await indexOlderPayments(database.db, () => (asked += 1) > 1, now)).toBe(200);
    expect([await count(), await readWatermark(database.db, INDEXED, now)]).toEqual([200, null]);
    asked = 0;
    const isOver = () => (asked += 1) > 1000;
    expect(await indexOlderPayments(database.db, isOver, now)).toBe(255);
    // `isOver` is called before each of the three batches and once at the end.
    expect(asked).toBe(4);
    expect(await count()).toBe(455);
    expect(await readWatermark(database.db, INDEXED, now)).not.toBeNull();
    asked = 0;
    expect([await indexOlderPayments(database.db, isOver, now), asked]).toEqual([0, 1]);

    await seed('older', 5, at('2027-05-03T00:00'));
    await seed('newer', 230, now);
    await seed('gone as well', 3, now);
    const later = at('2027-05-20T00:00');
    expect(await indexOlderPayments(database.db, () => false, later)).toBe(230);
    expect(await count()).toBe(685);
    await insertPayment(database.db, { clientIdentifier: 'first', createdAt: at('2027-05-12T00:00') });
    await insertPayment(database.db, { clientIdentifier: 'first', createdAt: later });
    expect(await indexOlderPayments(database.db, () => false, later)).toBe(1);
  });

  it('reads all payments again after an instance’s clock was ahead, and then only newer ones', async () => {
    const owner = await insertUser(database.db, 'bob');
    await insertApplication(database.db, owner, 'bobs');
    const run = (time: Date) => indexOlderPayments(database.db, () => false, time);
    const later = at('2027-06-20T00:00');
    await run(at('2028-06-20T00:00'));
    const insert = () =>
      insertPayment(database.db, { clientIdentifier: 'bobs', createdAt: at('2027-06-12T00:00') }).then(({ id }) =>
        eq(paymentSearch.paymentId, id),
      );
    const missed = await insert();
    await run(later);
    expect(await database.db.$count(paymentSearch, missed)).toBe(1);
    await insert();
    expect(await run(later)).toBe(0);
  });
});
