/** Totals of many payments from a real PostgreSQL, compared with integer totals computed in memory. */
import { describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../database/testing.ts';
import { currenciesOf, sumsBetween } from './sales-sums.ts';
import { seedSales, seededSale } from './testing-sales.ts';
import { worthOf } from '../worth.ts';

const units = (text: string | null) => {
  const [whole = '0', part = ''] = (text ?? '0').split('.');
  return BigInt(whole + part.padEnd(8, '0').slice(0, 8));
};

describe('the sums of an application’s payments', () => {
  const database = useTestDatabase();
  const from = new Date('2026-03-20T00:00:00Z');

  it('computes exact sums of 100,000 payments for every day and currency, without failed ones', async () => {
    const [count, stepMs] = [100_000, 17_000];
    await database.onOneConnection((db) => seedSales(db, 'many', { count, stepMs, from }), null);
    // Days of 23, 24 and 25 hours, and bounds that aren't midnight in UTC.
    const bounds = [0, 24, 47, 71, 96, 96.25, 300, 480].map((hours) => new Date(from.getTime() + hours * 3_600_000));
    /** Expected totals by button ('' for all) and currency. */
    const expected = new Map<string, { payments: number; unrated: number; satoshis: bigint; worth: bigint }[]>();
    for (let n = 0; n < count; n += 1) {
      const sale = seededSale(n, stepMs, from);
      const span = bounds.findLastIndex((bound) => bound <= sale.createdAt);
      if (sale.status === 'FAILED' || span === bounds.length - 1) continue;
      const worth = worthOf(sale.satoshis, sale);
      // A payment whose label equals its button ID counts once.
      const buttons = ['', ...new Set([sale.label, sale.buttonId])].filter(
        (one) => one !== null && !one.startsWith('order'),
      );
      for (const key of buttons.map((button) => `${button}/${sale.currency}`)) {
        const spans =
          expected.get(key) ?? bounds.slice(1).map(() => ({ payments: 0, unrated: 0, satoshis: 0n, worth: 0n }));
        expected.set(key, spans);
        const sum = spans[span]!;
        sum.payments += 1;
        sum.unrated += worth === null ? 1 : 0;
        sum.satoshis += sale.satoshis;
        sum.worth += units(worth);
      }
    }
    const [begin, end] = [bounds[0]!, bounds.at(-1)!];
    expect(await currenciesOf(database.db, { client: 'many' }, begin, end)).toEqual(['USD', 'EUR', 'BSV']);
    expect(await currenciesOf(database.db, { client: 'many', button: 'order-1' }, begin, end)).toEqual(['USD']);
    expect(expected.size).toBe(18);
    for (const [key, spans] of expected) {
      const [button, currency = ''] = key.split('/');
      const of = { client: 'many', button: button === '' ? undefined : button };
      const sums = await sumsBetween(database.db, of, currency, bounds);
      expect(
        sums.map((sum) => ({ ...sum, worth: units(sum.worth) })),
        key,
      ).toEqual(spans);
    }
    expect(await sumsBetween(database.db, { client: 'nobody' }, 'USD', bounds)).toEqual(
      bounds.slice(1).map(() => ({ payments: 0, satoshis: 0n, worth: '0', unrated: 0 })),
    );
  });
});
