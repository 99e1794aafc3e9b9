import fc from 'fast-check';
import { decimalText } from '../../protocol/money/money.ts';
import { describe, expect, test } from 'vitest';
import { debited, newAllowance, type Allowance, type AllowanceKind } from './allowance.ts';
import { withUse, ceilingAt, costAt, decide, type PaymentCase } from './decide.ts';

const NOW = 1_800_000_000_000;
const RATE = { price: '1', dollar: '1' };
/** At a price of 1, a satoshi is one unit. */
const cost = (units: bigint, rate = RATE) => costAt(units, rate);
const made = (kind: AllowanceKind = 'swipe', more: Partial<Allowance> = {}): Allowance => ({
  ...newAllowance(
    ['https://shop.example', '', kind],
    {
      currency: 'USD',
      limit: 100n,
      perPayment: null,
      period: 'day',
      ceiling: { limit: 150n, perPayment: null, ...RATE },
    },
    'id',
    NOW,
  ),
  ...more,
});
const question = (more: Partial<PaymentCase> = {}): PaymentCase => ({
  allowance: made(),
  cost: cost(10n),
  now: NOW,
  userActivation: 'new',
  kind: 'swipe',
  site: 'https://shop.example',
  locked: false,
  ...more,
});

/** The cost is so low that only the number of payments matters. */
const COST = { units: 1n, satoshis: 1n };

describe('a payment', () => {
  test('a payment is made from an allowance with enough left', () => {
    expect(decide(question())).toEqual({ kind: 'pay', debit: { units: 10n, satoshis: 10n }, left: 100n });
    expect(decide(question({ cost: cost(100n) }))).toMatchObject({ kind: 'pay' });
    for (const more of [
      { perPayment: 10n },
      { ceiling: { limit: 10n, perPayment: 10n, ...RATE } },
      { spentSatoshis: 140n },
    ])
      expect(decide(question({ allowance: made('swipe', more) }))).toMatchObject({ kind: 'pay' });
  });

  test.each<[string, Partial<PaymentCase>]>([
    ['none', { allowance: null }],
    ['none', { allowance: made('automatic') }],
    ['none', { kind: 'automatic' }],
    ['no-userActivation', { userActivation: 'active' }],
    ['no-userActivation', { userActivation: 'none' }],
    ['no-userActivation', { userActivation: 'embedded' }],
    ['no-userActivation', { allowance: made('automatic'), kind: 'automatic', userActivation: 'embedded' }],
    ['locked', { locked: true }],
    ['locked', { allowance: made('automatic'), kind: 'automatic', locked: true }],
    ['cost-unknown', { cost: null }],
    ['cost-unknown', { cost: cost(0n) }],
    ['too-much-at-once', { allowance: made('swipe', { perPayment: 9n }) }],
    ['used-up', { cost: cost(101n) }],
    ['above-ceiling', { allowance: made('swipe', { ceiling: { limit: 9n, perPayment: null, ...RATE } }) }],
    ['above-ceiling', { allowance: made('swipe', { ceiling: { limit: 150n, perPayment: 9n, ...RATE } }) }],
    ['above-ceiling', { allowance: made('swipe', { spentSatoshis: 141n }) }],
    ['rate-moved', { allowance: made('swipe', { ceiling: null }) }],
    ['used-up', { allowance: debited(made(), { units: 91n, satoshis: 91n }, NOW) }],
    ['none', { allowance: made('any-site') }],
    ['none', { kind: 'any-site' }],
    ['none', { allowance: made('any-site', { isOff: true }), kind: 'any-site' }],
    ['no-userActivation', { allowance: made('any-site'), kind: 'any-site', userActivation: 'active' }],
  ])('the user is prompted for a payment: %s', (reason, more) => {
    expect(decide(question(more))).toMatchObject({ kind: 'prompt', reason });
  });

  test('one site makes at most three payments a minute from the allowance for all sites, regardless of other sites', () => {
    const [shop, other] = ['https://shop.example', 'https://other.example'];
    let allowance = made('any-site');
    const at = (now: number, site = shop) =>
      decide(question({ allowance, kind: 'any-site', now, site })).kind === 'pay' || 'asked';
    const paid: [number, string][] = [
      [0, shop],
      [10_000, other],
      [20_000, shop],
      [30_000, shop],
    ];
    for (const [after, site] of paid) {
      expect(at(NOW + after, site)).toBe(true);
      allowance = withUse(allowance, site, COST, NOW + after);
    }
    expect(decide(question({ allowance, kind: 'any-site', now: NOW + 40_000 }))).toMatchObject({ reason: 'too-often' });
    expect([at(NOW + 59_999), at(NOW + 59_999, other), at(NOW + 60_000)]).toEqual(['asked', true, true]);
    expect(at(NOW - 3600_000), 'the clock was set back').toBe(true);
    for (let hour = 1; hour <= 200; hour += 1) allowance = withUse(allowance, shop, COST, NOW + hour * 3_600_000);
    expect(allowance.latest).toHaveLength(101);
  });

  test('payments made before a clock was ahead count once the clock is corrected', () => {
    const cost = { units: 20n, satoshis: 20n };
    const limit = { limit: 100n, perPayment: 20n };
    const shop = 'https://shop.example';
    let allowance = made('any-site', limit);
    for (let i = 0; i < 2; i += 1) allowance = withUse(allowance, shop, cost, NOW + i);
    allowance = withUse(allowance, shop, cost, NOW + 365 * 24 * 3_600_000);
    const reasonAt = (after: number) => {
      const decision = decide(
        question({ allowance, kind: 'any-site', now: NOW + after, site: shop, cost: { ...cost, rate: RATE } }),
      );
      return decision.kind === 'prompt' && decision.reason;
    };
    // The two payments of 20 in this hour leave 10 of the hourly limit of 50.
    expect([reasonAt(60_000), reasonAt(3_600_001)]).toEqual(['too-often', false]);
    allowance = withUse(allowance, shop, { units: 1n, satoshis: 1n }, NOW + 50_000);
    expect(reasonAt(59_000)).toBe('too-often');
  });

  test('payments resume once those that used up half of the day’s limit are an hour old', () => {
    const limit = { limit: 100n, perPayment: 20n };
    const used = withUse(made('any-site', limit), 'https://a.example', { units: 45n, satoshis: 45n }, NOW);
    const at = (now: number) =>
      decide(question({ allowance: used, kind: 'any-site', now, cost: { units: 10n, satoshis: 10n, rate: RATE } }));
    expect(at(NOW + 3_599_999)).toMatchObject({ kind: 'prompt', reason: 'too-often' });
    expect(at(NOW + 3_600_000)).toMatchObject({ kind: 'pay' });
  });

  test('an automatic payment needs no user gesture', () => {
    expect(decide(question({ allowance: made('automatic'), kind: 'automatic', userActivation: 'none' }))).toMatchObject(
      {
        kind: 'pay',
      },
    );
  });

  test('the result includes the remaining amount of the current period', () => {
    const used = debited(made(), { units: 95n, satoshis: 95n }, NOW);
    expect(decide(question({ allowance: used }))).toMatchObject({ kind: 'prompt', left: 5n });
    expect(decide(question({ allowance: used, now: used.resetsAt }))).toEqual({
      kind: 'pay',
      debit: { units: 10n, satoshis: 10n },
      left: 100n,
    });
  });

  test('a payment in BSV needs no ceiling', () => {
    expect(decide(question({ allowance: made('swipe', { currency: 'BSV', ceiling: null }) }))).toMatchObject({
      kind: 'pay',
    });
  });

  test.each<[string, { price: string; dollar?: string }, boolean]>([
    ['stays', { price: '45', dollar: '50' }, false],
    ['falls with the dollar', { price: '9', dollar: '10' }, false],
    ['is worth a fifth more dollars', { price: '37.5', dollar: '50' }, false],
    ['is worth more than that', { price: '37.49', dollar: '50' }, true],
    ['is worth a fifth less', { price: '54', dollar: '50' }, false],
    ['is worth less than that', { price: '54.01', dollar: '50' }, true],
    ['is changed by a service without a change of the dollar', { price: '0.001', dollar: '50' }, true],
    ['cannot be compared', { price: '45' }, true],
    ['stays, by finer prices', { price: '45.05', dollar: '50.001' }, false],
    ['is worth less than that, by finer prices', { price: '54.02', dollar: '50.001' }, true],
  ])(
    'the user is prompted only if the currency’s value in dollars has changed by more than a fifth or can’t be compared: it %s',
    (_, rate, asked) => {
      const allowance = made('swipe', {
        currency: 'EUR',
        limit: 10n ** 12n,
        ceiling: { limit: 10n ** 12n, perPayment: null, price: '45', dollar: '50' },
      });
      expect(decide(question({ allowance, cost: costAt(1000n, rate) }))).toMatchObject(
        asked ? { kind: 'prompt', reason: 'rate-moved' } : { kind: 'pay' },
      );
    },
  );

  test('payments never exceed the ceiling in satoshis, at any payment’s rate', () => {
    const price = fc.bigInt(1n, 10n ** 9n).map((units) => decimalText(units, 4));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.bigInt(1n, 10n ** 8n), price), { maxLength: 30 }),
        fc.bigInt(1n, 10n ** 10n),
        price,
        (payments, limit, first) => {
          let allowance = made('swipe', {
            currency: 'USD',
            limit,
            ceiling: ceilingAt({ limit, perPayment: null }, { price: first, dollar: first }),
          });
          let paid = 0n;
          for (const [satoshis, now] of payments) {
            const decision = decide(question({ allowance, cost: costAt(satoshis, { price: now, dollar: now }) }));
            if (decision.kind !== 'pay') continue;
            paid += satoshis;
            allowance = debited(allowance, decision.debit, NOW);
          }
          expect(paid <= (allowance.ceiling?.limit ?? 0n)).toBe(true);
          expect(allowance.spentSatoshis).toBe(paid);
        },
      ),
    );
  });

  test('payments never exceed the remaining amount or one payment’s limit, after any history', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(1n, 200n), { maxLength: 30 }),
        fc.bigInt(1n, 500n),
        fc.option(fc.bigInt(1n, 300n)),
        (costs, limit, perPayment) => {
          let allowance = made('swipe', { limit, perPayment, ceiling: ceilingAt({ limit, perPayment }, RATE) });
          for (const units of costs) {
            const decision = decide(question({ allowance, cost: cost(units) }));
            if (decision.kind === 'pay') allowance = debited(allowance, decision.debit, NOW);
            else expect(units > limit - allowance.spent || (perPayment !== null && units > perPayment)).toBe(true);
            expect(allowance.spent <= limit).toBe(true);
          }
        },
      ),
    );
  });
});
