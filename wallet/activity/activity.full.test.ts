import { afterEach, expect, test } from 'vitest';
import { endAllWorkerRuns } from '../../testkit/wallet/worker-run.ts';
import { TO, START, txid, payment, wallet, list, all } from './testing-activity.ts';

afterEach(endAllWorkerRuns);

test('a page skips a limited number of old records that failed', async () => {
  const nothing = Array.from({ length: 4500 }, (_, n) =>
    payment(n + 10, { state: n % 2 ? 'refused' : 'failed', signed: null }),
  );
  const workerRun = await wallet([payment(1), ...nothing]);
  const first = await list(workerRun);
  expect(first).toMatchObject({ items: [], more: true, searchedTo: START + (10 + 2500) * 1000 });
  const { ids, pages } = await all(workerRun);
  expect(ids).toEqual([payment(1).id]);
  expect(pages).toBe(3);
});

test('a search reads a bounded number of records, reports its progress, and continues from there', async () => {
  const rare = payment(3, { origin: 'https://rare.example' });
  const workerRun = await wallet([rare, ...Array.from({ length: 3000 }, (_, n) => payment(n + 10))]);
  const first = await list(workerRun, { search: 'rare' });
  expect(first).toEqual({ items: [], more: true, before: expect.any(String), searchedTo: START + (10 + 725) * 1000 });
  expect(await list(workerRun, { search: 'rare', before: first.before as string })).toMatchObject({
    items: [{ id: rare.id }],
    more: false,
    before: null,
    searchedTo: null,
  });
});

test.each([
  ['the site', 'SHOP.ex'],
  ['a recipient', 'bob@pay.example'],
  ['an address', TO.slice(4, 20).toUpperCase()],
  ['the transaction', txid(77).slice(-12)],
  ['the data', 'thank you'],
  ['words in any order', 'coffee shop.example'],
  ['the amount as shown', '$1,000.50'],
  ['the amount with its currency', '1000.5 usd'],
  ['the satoshis as shown', '2,001,000,000 satoshis'],
  ['coins', '20.01 bsv'],
  ['the button', 'button-7'],
  ['the button’s metadata', 'order 4711'],
  ['the payment id', 'payment-000077'],
])('a search finds by %s', async (_, search) => {
  const [paid] = payment(77).quote.outputs;
  const outputs = [
    paid,
    { ...paid, type: 'PAYMAIL', to: 'bob@pay.example', paymail: 'bob@pay.example', address: null },
  ];
  const wanted = payment(77, {
    quote: { outputs: outputs as never, amount: '1000.5', currency: 'USD', satoshis: 2_001_000_000n },
    options: { outputs: [], opReturn: 'Thank you for the coffee', buttonId: 'button-7', buttonData: 'order 4711' },
  });
  const workerRun = await wallet([
    wanted,
    payment(5, { origin: 'https://other.example', quote: { outputs: [], amount: '3', currency: 'EUR', satoshis: 1n } }),
  ]);
  expect((await list(workerRun, { search })).items.map(({ id }) => id)).toEqual([wanted.id]);
  expect((await list(workerRun, { search: `${search} nonsense` })).items).toEqual([]);
});
