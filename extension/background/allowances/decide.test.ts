import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { debited, newAllowance, type Allowance, type AllowanceKind } from './allowance.ts';
import { decide, type Question } from './decide.ts';

const NOW = 1_800_000_000_000;
const made = (kind: AllowanceKind = 'swipe', more: Partial<Allowance> = {}): Allowance => ({
  ...newAllowance(['https://shop.example', '', kind], { currency: 'USD', limit: 100n, perPayment: null, period: 'day' }, 'id', NOW), ...more,
});
const question = (more: Partial<Question> = {}): Question => ({ allowance: made(), cost: 10n, now: NOW, gesture: 'new', automatic: false, locked: false, ...more });

describe('a payment', () => {
  test('is made from an allowance that has room', () => {
    expect(decide(question())).toEqual({ kind: 'pay', debit: 10n, left: 100n });
    expect(decide(question({ cost: 100n }))).toMatchObject({ kind: 'pay' });
    expect(decide(question({ allowance: made('swipe', { perPayment: 10n }) }))).toMatchObject({ kind: 'pay' });
  });

  test.each<[string, Partial<Question>]>([
    ['none', { allowance: null }],
    ['none', { allowance: made('automatic') }],
    ['none', { automatic: true }],
    ['no-gesture', { gesture: 'active' }],
    ['no-gesture', { gesture: 'none' }],
    ['no-gesture', { gesture: 'embedded' }],
    ['no-gesture', { allowance: made('automatic'), automatic: true, gesture: 'embedded' }],
    ['locked', { locked: true }],
    ['locked', { allowance: made('automatic'), automatic: true, locked: true }],
    ['cost-unknown', { cost: null }],
    ['cost-unknown', { cost: 0n }],
    ['too-much-at-once', { allowance: made('swipe', { perPayment: 9n }) }],
    ['used-up', { cost: 101n }],
    ['used-up', { allowance: debited(made(), 91n, NOW) }],
  ])('is asked for: %s', (reason, more) => {
    expect(decide(question(more))).toMatchObject({ kind: 'ask', reason });
  });

  test('that a page makes by itself needs no hand', () => {
    expect(decide(question({ allowance: made('automatic'), automatic: true, gesture: 'none' }))).toMatchObject({ kind: 'pay' });
  });

  test('is told what is left, of the period that it is in', () => {
    const used = debited(made(), 95n, NOW);
    expect(decide(question({ allowance: used }))).toMatchObject({ kind: 'ask', left: 5n });
    expect(decide(question({ allowance: used, now: used.resetsAt }))).toEqual({ kind: 'pay', debit: 10n, left: 100n });
  });

  test('never takes more than is left, nor more than is allowed at once, whatever came before', () => {
    fc.assert(fc.property(fc.array(fc.bigInt(1n, 200n), { maxLength: 30 }), fc.bigInt(1n, 500n), fc.option(fc.bigInt(1n, 300n)), (costs, limit, perPayment) => {
      let allowance = made('swipe', { limit, perPayment });
      for (const cost of costs) {
        const decision = decide(question({ allowance, cost }));
        if (decision.kind === 'pay') allowance = debited(allowance, decision.debit, NOW);
        else expect(cost > limit - allowance.spent || (perPayment !== null && cost > perPayment)).toBe(true);
        expect(allowance.spent <= limit).toBe(true);
      }
    }));
  });
});
