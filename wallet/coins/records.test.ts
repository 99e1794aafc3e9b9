import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testCoin } from '../../testkit/wallet/coins.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import type { Coin } from './coin.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

const wallet = useDatabase(async () => ({ ...(await import('./records.ts')), ...(await import('./coin-store.ts')) }));

const coin = fc
  .record({
    vout: fc.nat(4),
    satoshis: fc.bigInt(1n, 2_100_000_000_000_000n),
    height: fc.constantFrom(null, 7),
    depth: fc.nat(25),
    status: fc.constantFrom<Coin['status'][]>('void', 'pending', 'available', 'reserved', 'spent', 'gone'),
  })
  .map(({ satoshis, status, ...rest }): Coin => ({ ...testCoin(satoshis, rest), status }));
const changes = fc.array(coin, { maxLength: 25 });

test('the balance is the sum of the coins after any puts and replacements, in one transaction or several', async () => {
  const { db, putCoin } = wallet;
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { maxLength: 4 }), async (steps) => {
      await Promise.all([db.clear('coins'), db.clear('totals')]);
      for (const step of steps) {
        await wallet.write(async (tx) => {
          for (const one of step) await putCoin(tx, one);
        });
      }
      const held = (await db.getAll('coins')).filter(
        ({ status, satoshis }) => (status === 'available' || status === 'pending') && satoshis > 1n,
      );
      const sum = (coins: Coin[]) => coins.reduce((all, { satoshis }) => all + satoshis, 0n);
      expect(await wallet.balance(current)).toEqual({
        satoshis: sum(held),
        unconfirmed: sum(held.filter(({ height }) => height === null)),
        available: held.filter(({ status }) => status === 'available').length,
      });
    }),
    { numRuns: 60 },
  );
});

test('a failed transaction leaves coins and sum unchanged', async () => {
  const { putCoin } = wallet;
  await wallet.write((tx) => putCoin(tx, testCoin(500n)));
  await expect(
    wallet.write(async (tx) => {
      await putCoin(tx, testCoin(900n, { vout: 1 }));
      throw new Error('the step fails');
    }),
  ).rejects.toThrow('the step fails');
  expect(await wallet.balance(current)).toEqual({ satoshis: 500n, unconfirmed: 0n, available: 1 });
  expect(await wallet.db.count('coins')).toBe(1);
});
