/** An application's payments from a real PostgreSQL, compared with filtering and sorting in memory. */
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../database/testing.ts';
import { isSearchTooSlow, listSales, recentButtons, type Sale, type SalesFilter } from './sales.ts';
import { indexPayment } from '../search/search-index.ts';
import { insertPayment } from '../testing-payments.ts';

const database = useTestDatabase();
const at = (minute: number) => new Date(Date.UTC(2027, 4, 2, 10, minute));
const whole = { from: at(-60), until: at(600) };

describe('an application’s payments', () => {
  let all: Sale[] = [];

  beforeAll(async () => {
    const made = [];
    for (let n = 0; n < 24; n += 1) {
      const payment = await insertPayment(database.db, {
        clientIdentifier: n % 12 === 11 ? 'other' : 'shop',
        // Three payments per timestamp.
        createdAt: at(Math.floor(n / 3)),
        status: n % 4 === 0 ? 'COMPLETED' : 'RECEIVED',
        label: n % 2 === 0 ? 'Read' : null,
        // Among payments with equal timestamps, some identify the button by label, and others by ID.
        buttonId: n % 3 === 0 ? 'Read' : n % 5 === 0 ? 'rare' : `order ${n}`,
      });
      await indexPayment(database.db, payment.id);
      made.push(payment);
    }
    all = made
      .filter(({ clientIdentifier }) => clientIdentifier === 'shop')
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
  });

  const list = async (filter: Partial<SalesFilter>, limit = 50, after?: Sale) =>
    (await listSales(database.db, 'shop', { ...whole, ...filter }, { limit, after })).map(({ id }) => id);
  const has = (sale: Sale, text: string) => `${sale.label} ${sale.buttonId}`.includes(text);
  const ids = (sales: readonly Sale[]) => sales.map(({ id }) => id);

  it('filters by time, status and button, newest first, without payments of other applications', async () => {
    expect(await list({})).toEqual(ids(all));
    expect(await list({ from: at(2), until: at(5) })).toEqual(
      ids(all.filter(({ createdAt }) => createdAt >= at(2) && createdAt < at(5))),
    );
    expect(await list({ status: 'COMPLETED' })).toEqual(ids(all.filter(({ status }) => status === 'COMPLETED')));
    const read = all.filter(({ label, buttonId }) => label === 'Read' || buttonId === 'Read');
    expect(await list({ button: 'Read' })).toEqual(ids(read));
    expect(await list({ button: 'rare', status: 'RECEIVED' })).toEqual(
      ids(all.filter(({ buttonId, status }) => buttonId === 'rare' && status === 'RECEIVED')),
    );
    expect(await list({ button: 'nothing' })).toEqual([]);
  });

  it('finds frequent and rare search terms, combined with the other filters', async () => {
    for (const search of ['read', 'order', 'rare', '0.10']) {
      const found = all.filter((sale) => search === '0.10' || has(sale, search === 'read' ? 'Read' : search));
      expect(await list({ search }), search).toEqual(ids(found));
      // With a limit of 2, some terms match among the newest payments, and others require the index.
      expect(await list({ search }, 2), search).toEqual(ids(found).slice(0, 2));
      expect(await list({ search, status: 'COMPLETED' }), search).toEqual(
        ids(found.filter(({ status }) => status === 'COMPLETED')),
      );
      expect(await list({ search, button: 'Read' }), search).toEqual(
        ids(found.filter(({ label, buttonId }) => label === 'Read' || buttonId === 'Read')),
      );
      expect(await list({ search, from: at(2), until: at(5) }), search).toEqual(
        ids(found.filter(({ createdAt }) => createdAt >= at(2) && createdAt < at(5))),
      );
    }
    const oldest = all.at(-1) as Sale;
    expect(await list({ search: oldest.txid }, 1)).toEqual([oldest.id]);
    expect(await list({ search: oldest.txid, from: at(1) }, 1)).toEqual([]);
    for (const search of ['', '%', 'nothing']) expect(await list({ search }), search).toEqual([]);
  });

  it('pages without losing or repeating a payment', async () => {
    for (const filter of [
      {},
      { button: 'Read' },
      { search: 'order' },
      { search: 'read', button: 'Read' },
    ] satisfies Partial<SalesFilter>[]) {
      const found = await list(filter);
      const limit = 4;
      for (let n = limit; n <= found.length; n += limit) {
        const after = all.find(({ id }) => id === found[n - 1]);
        expect(await list(filter, limit, after), JSON.stringify([filter, n])).toEqual(found.slice(n, n + limit));
      }
      for (const [n, after] of all.entries())
        if (n % 4 < 2)
          expect(await list(filter, 50, after), JSON.stringify([filter, n])).toEqual(
            found.filter((id) => all.slice(n + 1).some((sale) => sale.id === id)),
          );
      // If the cursor is after the requested period, the list starts at the end of the period.
      const [newest] = all as [Sale];
      const until = at(4);
      const before = found.filter((id) => all.some((sale) => sale.id === id && sale.createdAt < until));
      expect(await list({ ...filter, until }, 50, newest), JSON.stringify(filter)).toEqual(before);
      expect(await list({ ...filter, until: newest.createdAt }, 50, newest), JSON.stringify(filter)).toEqual(
        found.filter((id) => all.some((sale) => sale.id === id && sale.createdAt < newest.createdAt)),
      );
    }
  });

  it('returns the listed columns without transactions', async () => {
    const [sale] = await listSales(database.db, 'shop', whole, { limit: 1 });
    const [{ id, txid, amount, satoshis, createdAt }] = all as [Sale];
    expect(sale).toMatchObject({ id, txid, amount, satoshis, createdAt });
    const [found] = await listSales(database.db, 'shop', { ...whole, search: txid }, { limit: 1 });
    expect(found).toEqual(sale);
    expect(sale).not.toHaveProperty('rawtx');
  });
});

it('offers buttons by label, else ID, the most frequent of the latest payments first, 20 at most', async () => {
  const clientIdentifier = 'buttons';
  const pay = (label: string | null, buttonId: string | null, minute: number, client = clientIdentifier) =>
    insertPayment(database.db, { clientIdentifier: client, label, buttonId, createdAt: at(minute) });
  const buttons = (from: number, until: number) => recentButtons(database.db, clientIdentifier, at(from), at(until));
  for (const [label, buttonId, minute] of [
    ['Tip', 'a', 1],
    ['Read', 'b', 1],
    ['Read', 'c', 2],
    [null, 'order', 2],
    [null, null, 2],
    ['Late', null, 3],
    ['Early', null, 0],
  ] as const)
    await pay(label, buttonId, minute);
  await pay('Elsewhere', null, 1, 'other');
  expect(await buttons(1, 3)).toEqual(['Read', 'Tip', 'order']);
  for (let n = 0; n < 25; n += 1) await pay(`Button ${n}`, null, 4);
  expect(await buttons(4, 5)).toHaveLength(20);
});

it('recognizes only the database’s timeout as a search that took too long', () => {
  const failed = (code: unknown) => new Error('failed', { cause: { code } });
  expect([failed('57014'), failed('23505'), failed(undefined), new Error('57014')].map(isSearchTooSlow)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
