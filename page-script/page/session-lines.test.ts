/** Tests records of payments in a tab whose storage is full. */
import { expect, test } from 'vitest';
import { createPaymentAttempts } from '../button/payment-attempts.ts';
import { createPageItems } from './page-items.ts';

const LARGE = 'x'.repeat(100);
const PAYMENT = { outputs: [] };

/** Simulates a tab's storage that holds at most `limit` characters, `taken` by the page itself. */
function fullTab(limit: number, taken = 0) {
  const entries = new Map([['page', 'y'.repeat(taken)]]);
  const storage = () => ({
    getItem: (key: string) => entries.get(key) ?? null,
    setItem(key: string, value: string) {
      const others = [...entries].reduce((sum, [name, text]) => (name === key ? sum : sum + text.length), 0);
      if (others + value.length > limit) throw new DOMException('', 'QuotaExceededError');
      entries.set(key, value);
    },
    removeItem: (key: string) => void entries.delete(key),
  });
  let count = 0;
  const newId = () => `id-${String((count += 1)).padStart(8, '0')}`;
  const pending = new Promise<never>(() => {});
  const page = () => createPageItems(storage, location, { pay: () => [newId(), pending], outcome: () => pending });
  return {
    page,
    attempts: () => createPaymentAttempts(storage, newId),
    stateOf: (key: string) => page().claim(key)?.state,
  };
}

test('the oldest paid item is dropped from a full storage before an older open one', () => {
  const { page, stateOf } = fullTab(1000);
  const items = page();
  items.pay('open', PAYMENT);
  for (let n = 0; n < 20; n += 1) items.keep(items.pay(`paid ${n} ${LARGE}`, PAYMENT)[0]);
  items.pay('last', PAYMENT);
  expect(['open', `paid 0 ${LARGE}`, `paid 19 ${LARGE}`, 'last'].map(stateOf)).toEqual([
    'open',
    undefined,
    'paid',
    'open',
  ]);
});

test('the ID of a new payment is stored in a storage full of paid items', () => {
  const { page, attempts } = fullTab(1000);
  const items = page();
  for (let n = 0; n < 20; n += 1) items.keep(items.pay(`paid ${n} ${LARGE}`, PAYMENT)[0]);
  const { id } = attempts().begin({ outputs: [], buttonData: LARGE.repeat(2) });
  expect(attempts().begin({ outputs: [], buttonData: LARGE.repeat(2) })).toEqual({ id, again: true });
});

test('paid items remain stored if the page itself leaves too little room for a new one', () => {
  const { page, stateOf } = fullTab(1000, 800);
  const items = page();
  items.keep(items.pay('paid', PAYMENT)[0]);
  items.pay(LARGE.repeat(3), PAYMENT);
  expect(stateOf('paid')).toBe('paid');
});
