/** Tests debits from an allowance, and refunds to it, in the transaction that commits a payment. */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import type { Allowance, AllowanceKey, Debit } from './allowance.ts';
import type * as Spend from './spend.ts';
import type * as Database from '../store/database.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const SITE = 'https://shop.example';
const KEY: AllowanceKey = [SITE, '', 'automatic'];
/** Noon on a Wednesday, in any time zone. */
const NOW = new Date(2026, 6, 15, 12).getTime();
/** At this price, a satoshi is one unit. */
const RATE = { currency: 'USD', price: '1', dollar: '1' } as never;
const TERMS = {
  currency: 'USD',
  limit: 100n,
  perPayment: 60n,
  period: 'day',
  ceiling: { limit: 150n, perPayment: null, price: '1', dollar: '1' },
} as const;

let database: typeof Database;
let spend: typeof Spend;

const inStore = async (key = KEY) => (await (await database.database(wallet)).get('allowances', key)) as Allowance;
const change = async (more: Partial<Allowance>, key = KEY) => {
  const stored = await inStore(key);
  await (await database.database(wallet)).put('allowances', { ...stored, ...more });
};
const give = (key = KEY, id = 'token', terms: Parameters<typeof Spend.grant>[3] = TERMS) =>
  database.inTransaction(wallet, (tx) => spend.grant(wallet, tx, key, terms, id));
const FROM = { key: KEY, id: 'token', currency: 'USD' };
const debit = (satoshis: bigint, rivals?: readonly Debit[], from = FROM, rate = RATE, site = SITE) =>
  database.inTransaction(wallet, (tx) => spend.debit(wallet, tx, from, { site, satoshis, rate }, rivals));
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'paid',
    (error: { code: string; message: string }) => error.code,
  );
const spent = async () => {
  const { spent, spentSatoshis, totalSpent, payments } = await inStore();
  return [spent, spentSatoshis, totalSpent, payments];
};

beforeEach(async () => {
  setTime(NOW);
  database = await import('../store/database.ts');
  spend = await import('./spend.ts');
  const db = await database.database(wallet);
  await db.clear('allowances');
  await db.clear('sites');
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a payment', () => {
  test('a payment is debited, and records its debit', async () => {
    expect(await give()).toBe('token');
    const { periodStart } = await inStore();
    expect(await debit(30n)).toEqual({ ...FROM, debit: 30n, debitSatoshis: 30n, periodStart });
    expect(await debit(20n, [], FROM, { price: '1.01', dollar: '1.01' } as never)).toMatchObject({
      debit: 21n,
      debitSatoshis: 20n,
    });
    expect(await spent()).toEqual([51n, 50n, 51n, 2]);
    expect((await inStore()).usedAt).toBe(NOW);
  });

  test('a payment is debited in the current period', async () => {
    await give();
    await debit(60n);
    const { resetsAt } = await inStore();
    setTime(resetsAt);
    expect(await debit(50n)).toMatchObject({ periodStart: resetsAt });
    expect(await spent()).toEqual([50n, 50n, 110n, 2]);
  });

  test('a payment isn’t made from an allowance that is missing, replaced, or in another currency', async () => {
    expect(await refusal(debit(1n))).toBe('not-paid');
    await give();
    expect(await refusal(debit(1n, [], { ...FROM, id: 'older' }))).toBe('not-paid');
    expect(await refusal(debit(1n, [], { ...FROM, currency: 'EUR' }))).toBe('not-paid');
    expect(await spent()).toEqual([0n, 0n, 0n, 0]);
  });

  test('a payment isn’t made if it doesn’t fit, or its price is unknown', async () => {
    await give();
    expect(await refusal(debit(61n))).toBe('not-paid');
    expect(await refusal(debit(1n, [], FROM, null as never))).toBe('not-paid');
    await change({ spent: 90n });
    expect(await refusal(debit(11n))).toBe('not-paid');
    expect(await refusal(debit(10n))).toBe('paid');
  });

  test('a payment isn’t made if the site that requests it is blocked', async () => {
    await give();
    const block = (origin: string) =>
      database.inTransaction(
        wallet,
        (tx) =>
          void tx.objectStore('sites').put({ origin, refusedAt: [], dismissals: 0, endedAt: 0, blockedUntil: NOW + 1 }),
      );
    await block('https://other.example');
    expect(await codeOf(debit(1n))).toBe('none');
    expect(await codeOf(debit(1n, [], FROM, RATE, 'https://other.example'))).toBe('site-blocked');
    await block(SITE);
    expect(await codeOf(debit(1n))).toBe('site-blocked');
    expect(await spent()).toEqual([1n, 1n, 1n, 1]);
  });

  test('only a payment from the allowance for all sites is recorded for its site', async () => {
    const key: AllowanceKey = ['*', '', 'any-site'];
    await give(key);
    await give();
    const any = { ...FROM, key };
    for (let n = 0; n < 3; n += 1) expect(await refusal(debit(1n, [], any))).toBe('paid');
    expect(await refusal(debit(1n, [], any))).toBe('not-paid');
    expect(await refusal(debit(1n, [], any, RATE, 'https://other.example'))).toBe('paid');
    expect((await inStore(key)).latest).toHaveLength(4);
    for (let n = 0; n < 4; n += 1) await debit(1n);
    expect(await inStore()).not.toHaveProperty('latest');
  });
});

describe('payments that exclude each other', () => {
  test('only the largest of them counts', async () => {
    await give();
    const first = await debit(60n);
    // The second payment replaces the first and can use the amount that it holds, so 50 fits although 60 of 100 are
    // spent.
    const second = await debit(50n, [first]);
    expect(second).toMatchObject({ debit: 50n, debitSatoshis: 50n });
    expect(await spent()).toEqual([60n, 60n, 60n, 2]);
    await debit(55n, [second, { ...first, debit: 40n, debitSatoshis: 40n }]);
    expect(await spent()).toEqual([65n, 65n, 65n, 3]);
  });

  test('payments from another grant or period reserve nothing', async () => {
    await give();
    const first = await debit(60n);
    for (const rival of [
      { ...first, id: 'older' },
      { ...first, periodStart: first.periodStart - 1 },
    ])
      expect(await refusal(debit(41n, [rival]))).toBe('not-paid');
    expect(await refusal(debit(40n, [{ ...first, id: 'older' }]))).toBe('paid');
    expect((await spent())[0]).toBe(100n);
  });

  test('each counts in satoshis or in units, whichever is larger', async () => {
    await give();
    const first = await debit(10n);
    const rivals = [
      { ...first, debit: 3n, debitSatoshis: 9n },
      { ...first, debit: 8n, debitSatoshis: 2n },
    ];
    await debit(10n, rivals);
    expect(await spent()).toEqual([12n, 11n, 12n, 2]);
  });

  test('the amount spent without them is that of the current period, and never negative', async () => {
    await give();
    const first = await debit(30n);
    const stored = await inStore();
    expect(spend.withoutRivals(stored, [first], NOW)).toEqual({ ...stored, spent: 0n, spentSatoshis: 0n });
    const more = { ...first, debit: 31n, debitSatoshis: 31n };
    expect(spend.withoutRivals(stored, [more], NOW)).toMatchObject({ spent: 0n, spentSatoshis: 0n });
    const some = { ...first, debit: 12n, debitSatoshis: 11n };
    expect(spend.withoutRivals(stored, [some], NOW)).toMatchObject({ spent: 18n, spentSatoshis: 19n });
    expect(spend.withoutRivals(stored, [first], stored.resetsAt)).toMatchObject({ periodStart: stored.resetsAt });
  });
});

describe('a debit', () => {
  const back = (taken: Debit, rivals?: readonly Debit[]) =>
    database.inTransaction(wallet, (tx) => spend.refundDebit(wallet, tx, taken, rivals));
  const again = (taken: Debit, rivals: readonly Debit[] = []) =>
    database.inTransaction(wallet, (tx) => spend.repeatDebit(wallet, tx, taken, rivals));

  test('a debit is fully refunded, and debited again', async () => {
    await give();
    const taken = await debit(30n);
    await back(taken);
    expect(await spent()).toEqual([0n, 0n, 0n, 0]);
    await again(taken);
    expect(await spent()).toEqual([30n, 30n, 30n, 1]);
  });

  test('a debit is refunded and debited again except for the part that its alternatives may still use', async () => {
    await give();
    const taken = await debit(30n);
    const rival = await debit(20n, [taken]);
    expect(await spent()).toEqual([30n, 30n, 30n, 2]);
    await back(taken, [rival]);
    expect(await spent()).toEqual([20n, 20n, 20n, 1]);
    await again(taken, [rival]);
    expect(await spent()).toEqual([30n, 30n, 30n, 2]);
  });

  test('a debit may exceed the limit when it is debited again, because it was allowed before', async () => {
    await give();
    const taken = await debit(60n);
    await back(taken);
    await debit(50n);
    await again(taken);
    expect((await spent())[0]).toBe(110n);
  });

  test('refunding a debit of a past period adds nothing to the new period', async () => {
    await give();
    const taken = await debit(30n);
    const { resetsAt } = await inStore();
    setTime(resetsAt);
    await debit(50n);
    await back(taken);
    expect(await spent()).toEqual([50n, 50n, 50n, 1]);
    await again(taken);
    expect(await spent()).toEqual([50n, 50n, 80n, 2]);
  });

  test('a debit of a replaced or removed allowance changes nothing', async () => {
    await give();
    const taken = await debit(30n);
    await back({ ...taken, id: 'older' });
    await again({ ...taken, id: 'older' });
    expect(await spent()).toEqual([30n, 30n, 30n, 1]);
    await (await database.database(wallet)).delete('allowances', KEY);
    await back(taken);
    expect(await inStore()).toBeUndefined();
  });
});

test('a new grant keeps the total spent, in the same currency', async () => {
  await give();
  await debit(30n);
  await give(KEY, 'second');
  expect(await inStore()).toMatchObject({ id: 'second', spent: 0n, spentSatoshis: 0n, totalSpent: 30n, payments: 1 });
  await give(KEY, 'third', { ...TERMS, currency: 'EUR' });
  expect(await inStore()).toMatchObject({ id: 'third', spent: 0n, totalSpent: 0n, payments: 0 });
  await give([SITE, 'app', 'swipe'], 'other');
  expect(await inStore([SITE, 'app', 'swipe'])).toMatchObject({ totalSpent: 0n, payments: 0 });
});
