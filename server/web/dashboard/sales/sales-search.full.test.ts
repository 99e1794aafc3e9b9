import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import { payments, paymentSearch } from '../../../database/schema.ts';
import { listSales } from '../../../payments/sales/sales.ts';
import { indexOlderPayments } from '../../../payments/search/search-index.ts';
import { seedSales } from '../../../payments/sales/testing-sales.ts';
import { finishPayment } from '../../../settlement/payment-status.ts';
import { registerApplication } from '../../../testing.ts';
import { useSalesSearch } from './testing-sales-search.ts';

describe('searching an application’s payments', () => {
  const { app, database, people, pathOf, show, address, rows, csvOf, pay, found } = useSalesSearch();
  const total = (body: string) =>
    /class="amount amount-large">([^<]+)<[^]*?class="muted">([^·]+) ·/.exec(body)?.slice(1);

  it('returns each payment once in pages and in the CSV, including payments stored before the index', async () => {
    const shop = await registerApplication(app, people.owner);
    const { clientIdentifier } = shop;
    const from = new Date('2027-04-30T12:00:00Z');
    // Payments span the end of a month, share timestamps, and outnumber the rows that the export reads per query.
    await seedSales(database.db, clientIdentifier, { count: 1800, stepMs: 0, from });
    await database.db.execute(
      sql`update payments set created_at = created_at + (satoshis % 7) * interval '4 hours' where client_identifier = ${clientIdentifier}`,
    );
    const query = { from: '2027-04-29', to: '2027-05-03' };
    expect(await found(shop, { ...query, search: 'label' })).toEqual([]);
    // Two instances index concurrently.
    await Promise.all([1, 2].map(() => indexOlderPayments(database.db, () => false)));
    expect(await indexOlderPayments(database.db, () => false)).toBe(0);
    const stored = await database.db
      .select()
      .from(payments)
      .where(eq(payments.clientIdentifier, clientIdentifier))
      .orderBy(sql`created_at desc, id desc`);
    const has = (text: string) => stored.filter(({ label, buttonId }) => `${label} ${buttonId}`.includes(text));
    const paid = has('').filter(({ senderPaymail }) => senderPaymail === 'payer7@example.com');
    for (const [search, all] of [
      // Frequent, less frequent, and rare terms.
      ['label', has('Label')],
      ['order-16 label', has('order-16').filter(({ label }) => label !== null)],
      ['payer7@example.com', paid],
      ['order-17', has('order-17')],
    ] as const) {
      const ids = all.map(({ id }) => id);
      const pages: string[] = [];
      let next: string | undefined = address(pathOf(shop), { ...query, search });
      // At most 12 pages, because later pages of frequent matches are similar.
      for (let n = 0; next !== undefined && n < 12; n += 1) {
        const { body } = await show(next);
        pages.push(...rows(body));
        next = /href="([^"]+)" rel="next"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
      }
      expect(pages, search).toEqual(ids.slice(0, 240));
      expect(csvOf((await show(address(`${pathOf(shop)}.csv`, { ...query, search }))).body), search).toEqual(ids);
    }
    // Totals depend only on the days and the button, not on the search.
    const counted = has('Label 2').filter(
      ({ label, buttonId, status, currency, clientIdentifier: client }) =>
        [label, buttonId].includes('Label 2') && status !== 'FAILED' && currency === 'USD' && client !== null,
    );
    const sum = (query_: Record<string, string>) => show(address(pathOf(shop), { ...query, ...query_ }));
    const plain = (await sum({ button: 'Label 2', currency: 'USD' })).body;
    expect(total(plain)?.[1]).toBe(`${counted.length} payments`);
    expect(plain).toContain(
      `${counted.reduce((all, { satoshis }) => all + satoshis, 0n).toLocaleString('en')} satoshis`,
    );
    expect(total((await sum({ button: 'Label 2', currency: 'USD', search: 'order-17' })).body)).toEqual(total(plain));
  });

  it('reflects changes to payments, and reports a timeout', async () => {
    const shop = await registerApplication(app, people.owner);
    const { clientIdentifier } = shop;
    const { id } = await pay({ clientIdentifier, label: 'kept' });
    await pay({ buttonId: 'of no application' });
    const kept = () => database.db.select().from(paymentSearch).where(eq(paymentSearch.paymentId, id));
    const [before] = await kept();
    await finishPayment(database.db, id, { status: 'COMPLETED', description: null }, new Date(app.clock.ms));
    expect(await kept()).toEqual([before]);
    expect(await found(shop, { search: 'kept', status: 'COMPLETED' })).toEqual([id]);
    const without = await database.db.execute(sql`
      select from payments p left join payment_search s on s.payment_id = p.id where (p.client_identifier is null) = (s.payment_id is not null)`);
    expect((without as unknown as { rows: unknown[] }).rows).toEqual([]);

    // Locks the index for longer than a search's timeout.
    await database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table payment_search in access exclusive mode`);
      expect((await show(`${pathOf(shop)}?search=kept`)).body).toContain('The search took too long.');
      expect((await show(`${pathOf(shop)}.csv?search=kept`)).status).toBe(429);
    });
    // Slow searches must leave connections for other work, because each search uses a connection for seconds.
    const other = await registerApplication(app, people.owner);
    const filter = { from: new Date(0), until: new Date(app.clock.ms + 1), search: 'kept', button: 'x' };
    let answers: Promise<unknown[]> = Promise.resolve([]);
    let ended = 0;
    await database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table payment_search in access exclusive mode`);
      answers = Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          listSales(database.db, (i % 2 === 0 ? shop : other).clientIdentifier, filter, { limit: 5 }).finally(
            () => (ended += 1),
          ),
        ),
      );
      await database.db.execute(sql`select 1`);
      expect(ended).toBe(0);
    });
    expect((await answers).flat()).toEqual([]);
    // The connection's timeout setting has been reset.
    expect(await found(shop, { search: randomUUID() })).toEqual([]);
    expect(await found(shop, { search: 'kept' })).toEqual([id]);
  });
});
