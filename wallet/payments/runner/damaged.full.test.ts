/** Tests that rescanning all addresses on the blockchain repairs any damage to the stored coins. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Payment } from '../../../protocol/payments/payment.ts';
import type { Coin, CoinStatus, RankedCoin } from '../../coins/coin.ts';
import { STORES, type Database } from '../../store/schema.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { ask, give, PASSWORD, pay, paymentWhere, someone, stored } from '../../../testkit/wallet/wallet.ts';
import { Profile, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import type { PaymentRecord } from '../record.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

const KEYED_APART = ['keyval', 'totals', 'searchPages'] as const;
type Kept = Map<(typeof STORES)[number], [IDBValidKey | undefined, unknown][]>;

async function copyAll(db: Database): Promise<Kept> {
  const kept: Kept = new Map();
  for (const store of STORES) {
    const [keys, values] = [await db.getAllKeys(store), await db.getAll(store)];
    const isApart = (KEYED_APART as readonly string[]).includes(store);
    kept.set(
      store,
      values.map((value, i) => [isApart ? (keys[i] as IDBValidKey) : undefined, value]),
    );
  }
  return kept;
}

async function putAll(db: Database, kept: Kept): Promise<void> {
  const tx = db.transaction([...STORES], 'readwrite');
  for (const store of STORES) {
    await tx.objectStore(store).clear();
    for (const [key, value] of kept.get(store) ?? []) await tx.objectStore(store).put(value as never, key as never);
  }
  await tx.done;
}

async function payFrom(workerRun: WorkerRun, name: string): Promise<PaymentRecord> {
  const { id } = (await ask(workerRun, name, pay(someone(), 20_000), { automatic: true })) as Payment;
  return paymentWhere(workerRun, id, ({ signed }) => signed !== null);
}

/** Opens a wallet with mined, pending and unsent payments, one made in another browser, and incoming money. */
async function wallet(): Promise<WorkerRun> {
  const [here, elsewhere] = [new Profile(network.url), new Profile(network.url)];
  const begun = await here.start();
  const words = begun.modules.words.freshWords();
  await begun.modules.vault.createVault(current, words, PASSWORD, false);
  const { receiveAddress } = await begun.modules.overview.overview(current);
  for (const satoshis of [400_000, 300_000, 90_000, 80_000]) await network.faucet(receiveAddress, satoshis);
  await network.mine();
  await begun.modules.poll.refresh(current);
  await give(begun, { currency: 'BSV', limit: 10_000_000n });
  const { id } = await payFrom(begun, 'in a block');
  await network.mine();
  await begun.modules.drive.processAll(current);
  await paymentWhere(begun, id, ({ height }) => height !== null);
  begun.end();
  const other = await elsewhere.start();
  await other.modules.vault.createVault(current, words, PASSWORD, true);
  await other.modules.poll.refresh(current);
  await give(other, { currency: 'BSV', limit: 10_000_000n });
  await payFrom(other, 'elsewhere');
  other.end();
  const workerRun = await here.start();
  await workerRun.modules.poll.refresh(current);
  await payFrom(workerRun, 'on its way');
  await network.faucet(receiveAddress, 70_000);
  await workerRun.modules.poll.refresh(current);
  return workerRun;
}

const STATUSES: CoinStatus[] = ['void', 'pending', 'available', 'reserved', 'spent', 'gone'];

test('a rescan of all addresses repairs damaged coins and totals, and payments wrongly stored as copies or failures', async () => {
  const workerRun = await wallet();
  const db = await workerRun.modules.database.database(current);
  const { coins, payments } = await stored(workerRun);
  const right = coins.filter(({ status }) => status === 'available').map(({ outpoint }) => outpoint);
  const satoshis = coins.reduce((sum, coin) => sum + (right.includes(coin.outpoint) ? coin.satoshis : 0n), 0n);
  const unspent: string[] = [];
  for (const { address } of await db.getAll('addresses'))
    for (const one of await network.unspent(address)) unspent.push(`${one.txid} ${one.satoshis}`);
  expect(right.map((key) => coinAt(coins, key)).sort()).toEqual(unspent.sort());
  const kept = await copyAll(db);
  const ids = payments.map(({ id }) => id);
  const damage = fc.record({
    coins: fc.tuple(
      ...coins.map(() =>
        fc.option(
          fc.record({
            status: fc.constantFrom(...STATUSES),
            paymentId: fc.constantFrom(null, 'nobody', ...ids),
            seen: fc.boolean(),
          }),
          { freq: 6 },
        ),
      ),
    ),
    failed: fc.subarray(ids),
    isEndedByParent: fc.boolean(),
    copied: fc.subarray(ids),
    totals: fc.record({ satoshis: fc.bigInt(-5n, 10_000_000n), unconfirmed: fc.bigInt(0n, 5n), available: fc.nat(5) }),
  });
  await fc.assert(
    fc.asyncProperty(damage, async (wrong) => {
      await putAll(db, kept);
      await workerRun.modules.database.inTransaction(current, async (tx) => {
        for (const [i, coin] of coins.entries()) {
          const change = wrong.coins[i];
          if (change) await tx.objectStore('coins').put({ ...(coin as RankedCoin), ...change });
          else await tx.objectStore('coins').delete(coin.outpoint);
        }
        for (const one of payments) {
          const isFailed = wrong.failed.includes(one.id);
          const { txid, inputs } = one.signed!;
          const by = wrong.isEndedByParent ? (inputs[0] as string).slice(0, 64) : txid;
          const ended = { txid: by, height: 1, state: one.state };
          if (isFailed) await tx.objectStore('payments').put({ ...one, state: 'failed', height: null, ended });
          if (!wrong.copied.includes(one.id)) continue;
          const copy = {
            ...one,
            id: `copy of ${one.id}`,
            requestId: `copy of ${one.id}`,
            createdAt: one.createdAt + 1,
          };
          await tx.objectStore('payments').put({ ...copy, origin: 'https://page.example' });
        }
        await tx.objectStore('totals').put(wrong.totals, 'coins');
      });
      await workerRun.modules.poll.refresh(current, { all: true });
      const now = await stored(workerRun);
      const available = now.coins.filter(({ status }) => status === 'available').map(({ outpoint }) => outpoint);
      expect(available.sort()).toEqual(right.toSorted());
      expect(now.coins.filter(({ status }) => status === 'pending')).toEqual([]);
      expect(await workerRun.modules.store.balance(current)).toMatchObject({ satoshis, available: right.length });
      const txids = now.payments.flatMap(({ signed }) => signed?.txid ?? []);
      expect(new Set(txids).size).toBe(txids.length);
    }),
    { numRuns: 12 },
  );
});

function coinAt(coins: readonly Coin[], key: string): string {
  const { txid, satoshis } = coins.find(({ outpoint }) => outpoint === key) as Coin;
  return `${txid} ${satoshis}`;
}
