import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { writeTokenScript } from '../../protocol/assets/bsv21/token.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import { leastPiece, planTransaction, type FeeRate } from '../transaction/plan.ts';
import { someCoins, sourceOf, testScript } from '../../testkit/wallet/coins.ts';
import { endAllWorkerRuns, Profile } from '../../testkit/wallet/worker-run.ts';
import { chooseCoins, everyCoin, type CoinSource } from './choose.ts';
import type { Coin } from './coin.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

const coins = someCoins(fc.oneof(fc.constant(1n), fc.bigInt(1n, 3n), fc.bigInt(1n, 600n)), 12).map((some) =>
  some.map((coin, i) => (coin.satoshis === 1n && i % 2 === 0 ? { ...coin, script: withToken(coin.script) } : coin)),
);
// The fee rates start at zero. Up to 6 sat/kB, a one-satoshi coin still pays for its own input.
const rates = fc.integer({ min: 0, max: 120 }).map((satoshis): FeeRate => ({ satoshis, bytes: 1000 }));
const outputs = fc.array(
  fc.bigInt(1n, 400n).map((satoshis): TransactionOutput => ({ satoshis, lockingScript: testScript(9) })),
  { minLength: 1, maxLength: 3 },
);
const tokens = new Map<string, string>();
function withToken(script: string): string {
  const token = { op: 'transfer', id: `${'ab'.repeat(32)}_0`, amt: 5n } as const;
  const known = tokens.get(script) ?? toHex(writeTokenScript(token, fromHex(script)));
  tokens.set(script, known);
  return known;
}

/** Number of random wallets. Each takes a third of a millisecond. */
const WALLETS = 400;

const apart = ({ satoshis }: Coin) => satoshis === 1n;

/** Returns the coins spent for these outputs, if there is enough money, and those spent for a maximum payment. */
async function spent(source: CoinSource, wanted: TransactionOutput[], rate: FeeRate): Promise<Coin[]> {
  return [...(await chooseCoins(source, wanted, rate).catch(() => [])), ...(await everyCoin(source, rate))];
}

describe('coins of one satoshi, which may hold tokens', () => {
  test('one-satoshi coins are never spent for a payment, its fee, or everything', async () => {
    await fc.assert(
      fc.asyncProperty(coins, outputs, rates, async (wallet, wanted, rate) => {
        expect((await spent(sourceOf(wallet), wanted, rate)).filter(apart)).toEqual([]);
      }),
      { numRuns: WALLETS },
    );
  });

  test('one-satoshi coins are counted, but the database never offers them or adds them to the balance, in any state', async () => {
    const {
      modules: { database, store },
    } = await new Profile('http://localhost:1').start();
    const { putCoin } = await import('./records.ts');
    const { availableCoins } = await import('./choose.ts');
    const db = await database.database(current);
    const status = fc.constantFrom<Coin['status'][]>('available', 'available', 'pending', 'reserved', 'spent');
    await fc.assert(
      fc.asyncProperty(
        coins,
        fc.array(status, { minLength: 12, maxLength: 12 }),
        outputs,
        rates,
        async (some, statuses, wanted, rate) => {
          const wallet = some.map((coin, i): Coin => ({ ...coin, status: statuses[i] as Coin['status'] }));
          await Promise.all([db.clear('coins'), db.clear('totals')]);
          await database.inTransaction(current, async (tx) => {
            for (const coin of wallet) await putCoin(tx, coin);
          });
          expect((await spent(availableCoins(current), wanted, rate)).filter(apart)).toEqual([]);
          const held = wallet.filter((coin) => ['available', 'pending'].includes(coin.status) && !apart(coin));
          expect((await store.balance(current)).satoshis).toBe(held.reduce((sum, { satoshis }) => sum + satoshis, 0n));
          expect(await store.countOneSatCoins(current)).toBe(
            wallet.filter((coin) => coin.status === 'available' && apart(coin)).length,
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test('change of one satoshi is not created, because it would be lost to the wallet', async () => {
    await fc.assert(
      fc.asyncProperty(coins, outputs, rates, async (wallet, wanted, rate) => {
        const inputs = await chooseCoins(sourceOf(wallet), wanted, rate).catch(() => null);
        if (!inputs) return;
        const { outputs: made, changeIndexes } = planTransaction({
          outputs: wanted,
          inputs,
          changeScripts: [testScript(1), testScript(2)],
          rate,
          preserveOrder: false,
        });
        for (const i of changeIndexes) expect(made[i]?.satoshis).toBeGreaterThanOrEqual(leastPiece(1, rate));
        for (const i of changeIndexes) expect(made[i]?.satoshis).toBeGreaterThan(1n);
      }),
      { numRuns: 300 },
    );
  });
});
