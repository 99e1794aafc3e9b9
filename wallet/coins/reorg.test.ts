import { expect, test } from 'vitest';
import { testCoin, testReceipt } from '../../testkit/wallet/coins.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

const wallet = useDatabase(async () => ({
  ...(await import('./reorg.ts')),
  ...(await import('./records.ts')),
  ...(await import('./coin-store.ts')),
}));

const txid = (n: number) => n.toString(16).padStart(64, '0');

test('a replaced block no longer confirms anything, and the blocks below it still do', async () => {
  await wallet.write(async (tx) => {
    for (const height of [7, 8, 9]) await wallet.putCoin(tx, testCoin(BigInt(height), { txid: txid(height), height }));
    await wallet.putCoin(tx, testCoin(70n, { txid: txid(10), height: 9, status: 'spent', paymentId: 'payment' }));
  });
  for (const height of [7, 8, 9])
    await wallet.db.put('receipts', testReceipt({ txid: txid(height), height, unconfirmed: 0 }));
  await wallet.write((tx) => wallet.unconfirmAbove(current, tx, 7));
  expect((await wallet.db.getAll('coins')).map(({ height, depth, tier }) => [height, depth, tier])).toEqual([
    [7, 0, 0],
    [null, 1, 1],
    [null, 1, 1],
    [null, 1, 1],
  ]);
  expect((await wallet.db.getAll('receipts')).map(({ height, unconfirmed }) => [height, unconfirmed])).toEqual([
    [7, 0],
    [null, 1],
    [null, 1],
  ]);
  expect(await wallet.balance(current)).toEqual({ satoshis: 24n, unconfirmed: 17n, available: 3 });
});

test('a payment that a block made impossible is possible again once that block is replaced', async () => {
  const lost = (height: number) => ({
    failed: 'double-spent' as const,
    lostTo: { txid: txid(99), height, hash: txid(height) },
  });
  await wallet.db.put('receipts', testReceipt({ txid: txid(1), ...lost(7) }));
  await wallet.db.put('receipts', testReceipt({ txid: txid(2), ...lost(8) }));
  await wallet.db.put('receipts', testReceipt({ txid: txid(3), failed: 'dropped' }));
  await wallet.write(async (tx) => {
    for (const n of [1, 2, 3])
      await wallet.putCoin(tx, testCoin(BigInt(n * 10), { txid: txid(n), height: null, status: 'gone' }));
    await wallet.unconfirmAbove(current, tx, 7);
  });
  expect((await wallet.db.getAll('coins')).map(({ status }) => status)).toEqual(['gone', 'available', 'gone']);
  expect((await wallet.db.getAll('receipts')).map(({ failed }) => failed)).toEqual([
    'double-spent',
    undefined,
    'dropped',
  ]);
  expect(await wallet.balance(current)).toEqual({ satoshis: 20n, unconfirmed: 20n, available: 1 });
});
