import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import type * as Spv from '../chain/headers/spv.ts';
import { ranked, type Coin } from '../coins/coin.ts';
import { testCoin, testScript } from '../../testkit/wallet/coins.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const scan = useDatabase(async () => ({
  ...(await import('./spent.ts')),
  ...(await import('./work.ts')),
  ...(await import('../../protocol/errors/service-error.ts')),
}));

/** Groups of coins, by index, that one transaction spends together or that the index falsely reports as spent. */
let together: number[][] = [];
let lies: number[] = [];
const asked: number[] = [];

// wallet/chain/headers/spv.test.ts tests which coins a transaction really spends.
beforeAll(
  () =>
    void vi.doMock('../chain/headers/spv.ts', () => ({
      coinsSpentWith: (async (_wallet: unknown, _, coin, others) => {
        asked.push(coin.vout);
        if (lies.includes(coin.vout)) throw new scan.ServiceError('invalid-proof');
        const spent = together.find((some) => some.includes(coin.vout)) ?? [];
        return [...others].filter(({ vout }) => spent.includes(vout));
      }) satisfies typeof Spv.coinsSpentWith,
    })),
);

beforeEach(() => {
  [together, lies] = [[], []];
  asked.length = 0;
});

const put = async (...coins: Coin[]) => {
  for (const coin of coins) await scan.db.put('coins', ranked(coin));
};
/** Returns coins at address 0 with these output indexes. */
const coinsAt = (...places: number[]) => places.map((vout) => testCoin(500n, { vout }));
const LOOKED = [{ script: toHex(testScript(0)), address: 'address', chain: 'receive' as const, index: 0, used: true }];
const shown = (vout: number, spentInMempool = false) => ({
  address: 'address',
  txid: testCoin(1n).txid,
  vout,
  satoshis: 500n,
  height: 0,
  spentInMempool,
});
const note = (unspent: ReturnType<typeof shown>[], work = new scan.Work(wallet), looked = LOOKED) =>
  scan.noteSpent(wallet, {} as NetworkInfo, { looked, unspent, isWhole: true }, work);
const statuses = async () => (await scan.db.getAll('coins')).map(({ status }) => status);

test('a coin that disappeared from the index is spent if a transaction spends it', async () => {
  await put(...coinsAt(0, 1, 2, 3));
  together = [[0], [2], [3]];
  await note([shown(0), shown(3, true)]);
  expect(asked.toSorted()).toEqual([1, 2, 3]);
  expect(await statuses()).toEqual(['available', 'available', 'spent', 'spent']);
});

test('coins spent together are queried once', async () => {
  await put(...coinsAt(0, 1, 2, 3));
  together = [[0, 1, 2, 3]];
  await note([]);
  expect(asked).toHaveLength(1);
  expect(await statuses()).toEqual(['spent', 'spent', 'spent', 'spent']);
});

test('only coins that can be spent, were shown before, and are at searched addresses are queried', async () => {
  await put(
    testCoin(500n, { vout: 0, seen: false }),
    ...(['void', 'pending', 'reserved', 'spent', 'gone'] as const).map((status, i) =>
      testCoin(500n, { vout: i + 1, status }),
    ),
    testCoin(500n, { vout: 6, index: 1, script: toHex(testScript(1)) }),
    testCoin(500n, { vout: 7 }),
  );
  await scan.db.put('payments', {
    ...{ id: 'payment', state: 'signed', createdAt: 1 },
    signed: { txid: testCoin(1n).txid, inputs: [testCoin(1n, { vout: 3 }).outpoint] },
  } as never);
  await note([]);
  expect(asked).toEqual([7]);
  await note([], new scan.Work(wallet), []);
  expect(asked).toEqual([7]);
});

test('a complete search also queries coins that were never shown, and those that are gone', async () => {
  await put(testCoin(500n, { seen: false }), testCoin(500n, { vout: 1, status: 'gone' }));
  await note([], Object.assign(new scan.Work(wallet), { isWhole: true }));
  expect(asked.toSorted()).toEqual([0, 1]);
});

test('coins assigned to payments that don’t have them are released, or become void if no payment creates them', async () => {
  await put(
    testCoin(500n, { status: 'reserved', paymentId: 'nobody' }),
    testCoin(500n, { vout: 1, status: 'pending' }),
  );
  await note([]);
  expect(await statuses()).toEqual(['available', 'void']);
});

test('a coin that the index lies about hides no others', async () => {
  await put(...coinsAt(0, 1, 2));
  [together, lies] = [[[0], [2]], [1]];
  const work = new scan.Work(wallet);
  await note([], work);
  expect(await statuses()).toEqual(['spent', 'available', 'spent']);
  expect(work.faults.map(({ code }) => code)).toEqual(['invalid-proof']);
});

test('each coin takes two of the refresh’s requests, until they run out or the network is unavailable', async () => {
  await put(...coinsAt(0, 1, 2, 3));
  const work = new scan.Work(wallet);
  work.checks.took(97);
  await note([], work);
  expect(asked).toHaveLength(2);
  const gone = new scan.Work(wallet);
  for (let i = 0; i < 5; i += 1)
    await gone.passingOver(async () => {
      throw new scan.ServiceError('network-unavailable');
    });
  await note([], gone);
  expect(asked).toHaveLength(2);
});

test('queries start at a different coin each time, so each gets its turn', () => {
  const list = ['a', 'b', 'c', 'd'];
  const from = (random: number) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    return scan.inAnyOrder(wallet, list).join('');
  };
  expect([0, 0.25, 0.5, 0.999].map(from)).toEqual(['abcd', 'bcda', 'cdab', 'dabc']);
});
