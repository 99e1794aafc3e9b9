/** Totals from a real PostgreSQL, compared with integer totals computed in memory. */
import { describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../database/testing.ts';
import { paymentSums } from '../../database/schema.ts';
import { countSale, currenciesOf, sumsBetween } from './sales-sums.ts';
import { seededSale } from './testing-sales.ts';
import { worthOf } from '../worth.ts';

const units = (text: string | null) => {
  const [whole = '0', part = ''] = (text ?? '0').split('.');
  return BigInt(whole + part.padEnd(8, '0').slice(0, 8));
};

describe('the sums of an application’s payments', () => {
  const database = useTestDatabase();
  const from = new Date('2026-03-20T00:00:00Z');
  const after = (minutes: number) => new Date(from.getTime() + minutes * 60_000);
  type Sale = Parameters<typeof countSale>[1];
  const sale = (change: Partial<Sale> = {}): Sale => ({
    clientIdentifier: 'shop',
    currency: 'USD',
    currencyRate: '50',
    satoshis: 200_000n,
    refundSatoshis: null,
    createdAt: from,
    label: null,
    buttonId: null,
    ...change,
  });
  const count = async (change: 1 | -1, ...sales: Sale[]) => {
    for (const one of sales) await countSale(database.db, one, change);
  };
  const NOTHING = { payments: 0, satoshis: 0n, worth: '0', unrated: 0 };

  it('counts each payment once while many arrive and fail concurrently', async () => {
    const sales = Array.from({ length: 60 }, (_, n) => ({
      ...seededSale(n, 1000, from),
      clientIdentifier: n === 7 ? null : 'busy',
      refundSatoshis: n === 9 ? 1n : null,
    }));
    const count = (sale: (typeof sales)[number], change: 1 | -1) =>
      database.db.transaction((tx) => countSale(tx, sale, change));
    await Promise.all(sales.map((sale) => count(sale, 1)));
    const failed = sales.filter((_, n) => n % 4 === 0);
    await Promise.all(failed.map((sale) => count(sale, -1)));
    const kept = sales.filter(
      (sale, n) => n % 4 > 0 && n !== 9 && sale.clientIdentifier !== null && sale.currency === 'USD',
    );
    const [sum] = await sumsBetween(database.db, { client: 'busy' }, 'USD', [from, new Date(from.getTime() + 900_000)]);
    expect({ ...sum, worth: units(sum!.worth) }).toEqual({
      payments: kept.length,
      unrated: kept.filter(({ currencyRate }) => currencyRate === null).length,
      satoshis: kept.reduce((all, { satoshis }) => all + satoshis, 0n),
      worth: kept.reduce((all, sale) => all + units(worthOf(sale.satoshis, sale)), 0n),
    });
  });

  it('omits refunds, asset payments, and payments without an application', async () => {
    const before = await database.db.$count(paymentSums);
    await count(
      1,
      sale({ refundSatoshis: 0n }),
      sale({ clientIdentifier: null }),
      sale({ currency: 'gold@pay.example' }),
      sale({ currency: `${'ab'.repeat(32)}_0` }),
    );
    expect(await database.db.$count(paymentSums)).toBe(before);
  });

  it('sums up spans of whole quarter-hours, with each payment in its own span', async () => {
    const client = 'spans';
    const at = (minutes: number, ms: number) =>
      sale({ clientIdentifier: client, createdAt: new Date(after(minutes).getTime() + ms) });
    await count(1, at(0, -1), at(0, 0), at(15, -1), at(15, 0), at(44, 0), at(60, 0));
    const bounds = [0, 15, 30, 45, 60].map(after);
    const payments = async (...of: Date[]) =>
      (await sumsBetween(database.db, { client }, 'USD', of)).map((sum) => sum.payments);
    expect(await payments(...bounds)).toEqual([2, 1, 1, 0]);
    expect(await payments(after(-15), after(60))).toEqual([5]);
    expect(await payments(after(60))).toEqual([]);
    expect(await payments()).toEqual([]);
  });

  it('sums up all payments and each button’s, by label or ID, including those without a rate but not failed ones', async () => {
    const client = 'buttons';
    const of = (change: Partial<Sale>) => sale({ clientIdentifier: client, ...change });
    const failed = of({ label: 'Read', buttonId: 'order-3', satoshis: 7n, currencyRate: null });
    await count(
      1,
      of({ label: 'Read', buttonId: 'order-1' }),
      // A payment whose label equals its button ID counts once.
      of({ label: 'Read', buttonId: 'Read' }),
      of({ buttonId: 'order-2', satoshis: 5n, currencyRate: null }),
      failed,
    );
    await count(-1, failed, of({ label: 'Read', buttonId: 'order-1' }));
    const bounds = [from, after(15)];
    const sums = async (button?: string) => {
      const [sum] = await sumsBetween(database.db, { client, button }, 'USD', bounds);
      return sum && { ...sum, worth: units(sum.worth) };
    };
    expect(await sums()).toEqual({ payments: 2, satoshis: 200_005n, worth: units('0.10'), unrated: 1 });
    expect(await sums('Read')).toEqual({ payments: 1, satoshis: 200_000n, worth: units('0.10'), unrated: 0 });
    expect(await sums('order-1')).toEqual({ payments: 0, satoshis: 0n, worth: 0n, unrated: 0 });
    expect(await sums('order-2')).toEqual({ payments: 1, satoshis: 5n, worth: 0n, unrated: 1 });
    // An empty string selects the button with an empty label, not all buttons.
    expect(await sums('')).toEqual({ payments: 0, satoshis: 0n, worth: 0n, unrated: 0 });
    expect(await sumsBetween(database.db, { client }, 'EUR', bounds)).toEqual([NOTHING]);
    expect(await sumsBetween(database.db, { client: 'nobody' }, 'USD', bounds)).toEqual([NOTHING]);
  });

  it('offers the currencies of a span, most used first, 12 at most', async () => {
    const client = 'currencies';
    const of = (currency: string, change: Partial<Sale> = {}) =>
      sale({ clientIdentifier: client, currency, ...change });
    await count(1, of('USD'), of('EUR'), of('EUR'), of('CHF'), of('XTS'), of('GBP', { createdAt: after(15) }));
    await count(1, of('SEK', { createdAt: after(-1) }), sale({ clientIdentifier: 'elsewhere', currency: 'NOK' }));
    await count(-1, of('XTS'));
    await count(1, of('JPY', { label: 'Read' }));
    const currencies = (button?: string) => currenciesOf(database.db, { client, button }, from, after(15));
    expect(await currencies()).toEqual(['EUR', 'CHF', 'JPY', 'USD']);
    expect(await currencies('Read')).toEqual(['JPY']);
    for (const letter of 'ABCDEFGHIJKLM') await count(1, of(`X${letter}X`));
    expect(await currencies()).toHaveLength(12);
  });
});
