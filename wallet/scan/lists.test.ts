import { beforeAll, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import type * as WhatsOnChain from '../chain/whats-on-chain.ts';
import type { Address } from '../coins/addresses/address.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const scan = useDatabase(async () => ({
  ...(await import('./lists.ts')),
  ...(await import('./scan-progress.ts')),
  ...(await import('./work.ts')),
  ...(await import('../../protocol/errors/service-error.ts')),
}));

const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 3600_000;

const addresses = (count: number): Address[] =>
  Array.from({ length: count }, (_, index) => ({
    script: `script ${index}`,
    address: `address ${index}`,
    chain: 'receive',
    index,
    used: false,
  }));
const addressNo = (index: number) => addresses(index + 1).at(-1) as Address;

const unspentOf = vi.fn<typeof WhatsOnChain.unspentOf>();

// Only the requests and response sizes matter here. wallet/chain/whats-on-chain.test.ts tests the client.
beforeAll(
  () =>
    void vi.doMock('../chain/whats-on-chain.ts', async () => ({
      ...(await vi.importActual<typeof WhatsOnChain>('../chain/whats-on-chain.ts')),
      unspentOf,
    })),
);

/** Starts an index with one coin per address. The lists for crowded addresses exceed the maximum response size. */
function indexWith(...crowded: number[]) {
  const state = { crowded: new Set(crowded), failing: false };
  let asked: number[][] = [];
  unspentOf.mockImplementation(async (_wallet, _, some, count) => {
    const indexes = some.map((address) => Number(address.split(' ')[1]));
    asked.push(indexes);
    count?.();
    if (state.failing) throw new scan.ServiceError('network-unavailable');
    if (indexes.some((one) => state.crowded.has(one))) throw new scan.ServiceError('too-large');
    return indexes.map((vout) => ({
      address: `address ${vout}`,
      txid: 'aa'.repeat(32),
      vout,
      satoshis: 7n,
      height: 0,
      spentInMempool: false,
    }));
  });
  return {
    state,
    info: {} as NetworkInfo,
    /** Returns the addresses in each request since the previous call. */
    questions: () => {
      const questions = asked;
      asked = [];
      return questions;
    },
  };
}

const many = () => new scan.Budget(100);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('the coins of addresses', () => {
  test('twenty addresses are requested at a time', async () => {
    const { info, questions } = indexWith();
    const listed = await scan.listCoins(wallet, info, addresses(45), many());
    expect(questions()).toEqual([range(0, 20), range(20, 40), range(40, 45)]);
    expect(listed.isWhole).toBe(true);
    expect(listed.looked).toEqual(addresses(45));
    expect(listed.unspent.map(({ vout }) => vout)).toEqual(range(0, 45));
  });

  test('no request is made without addresses', async () => {
    const { info, questions } = indexWith();
    expect(await scan.listCoins(wallet, info, [], new scan.Budget(0))).toEqual({
      unspent: [],
      looked: [],
      isWhole: true,
    });
    expect(questions()).toEqual([]);
  });

  test('addresses are requested while requests remain', async () => {
    const { info, questions } = indexWith();
    const listed = await scan.listCoins(wallet, info, addresses(45), new scan.Budget(2));
    expect(questions()).toHaveLength(2);
    expect(listed.isWhole).toBe(false);
    expect(listed.looked).toEqual(addresses(40));
  });

  test('addresses are requested while bytes remain, and a list uses some for each coin', async () => {
    const { info } = indexWith();
    const looked = async (bytes: number) =>
      (await scan.listCoins(wallet, info, addresses(60), new scan.Budget(100, bytes))).looked.length;
    expect(await looked(20 * 160)).toBe(20);
    expect(await looked(20 * 160 + 1)).toBe(40);
  });

  test('coins are unknown if the network fails', async () => {
    const { info, state } = indexWith();
    state.failing = true;
    const budget = new scan.Budget(1);
    expect(await codeOf(scan.listCoins(wallet, info, addresses(3), budget))).toBe('network-unavailable');
    expect(budget.left).toBe(false);
  });
});

describe('an address with more coins than a response can hold', () => {
  test('a crowded address is requested separately, hides no others, is recorded, and not requested again that day', async () => {
    setTime(NOW);
    const { info, questions } = indexWith(1);
    await scan.db.put('addresses', addressNo(1));
    const listed = await scan.listCoins(wallet, info, addresses(3), many());
    expect(questions()).toEqual([[0, 1, 2], [0], [1], [2]]);
    expect(listed).toMatchObject({ isWhole: true, looked: [addressNo(0), addressNo(2)] });
    expect((await scan.readProgress(wallet)).crowded).toEqual([{ script: 'script 1', nextAt: NOW + DAY }]);
    // The address is marked as used, so it isn't offered for receiving again.
    expect(await scan.db.getAll('addresses')).toEqual([{ ...addressNo(1), used: true, claimed: true }]);
    setTime(NOW + DAY - 1);
    expect((await scan.listCoins(wallet, info, addresses(3), many())).looked).toEqual([addressNo(0), addressNo(2)]);
    expect(questions()).toEqual([[0, 2]]);
  });

  test('a crowded address is requested again after a day, separately, and forgotten once its list can be read', async () => {
    setTime(NOW);
    const { info, questions, state } = indexWith(1);
    await scan.noteProgress(wallet, {
      crowded: [
        { script: 'script 0', nextAt: NOW + 5 },
        { script: 'script 1', nextAt: NOW },
      ],
    });
    await scan.listCoins(wallet, info, addresses(3), many());
    expect(questions()).toEqual([[2], [1]]);
    expect((await scan.readProgress(wallet)).crowded).toEqual([
      { script: 'script 0', nextAt: NOW + 5 },
      { script: 'script 1', nextAt: NOW + DAY },
    ]);
    state.crowded.clear();
    setTime(NOW + DAY);
    const { looked } = await scan.listCoins(wallet, info, addresses(3), many());
    expect(looked.map(({ index }) => index).toSorted()).toEqual([0, 1, 2]);
    expect((await scan.readProgress(wallet)).crowded).toEqual([]);
    expect(await scan.db.count('addresses')).toBe(0);
  });

  test('a crowded address is requested again as soon as the index has reported it as unused', async () => {
    setTime(NOW);
    const { info, questions, state } = indexWith(0, 1);
    for (const index of [0, 1]) await scan.db.put('addresses', addressNo(index));
    await scan.listCoins(wallet, info, addresses(3), many());
    await scan.forgetUnusedCrowded(wallet);
    expect((await scan.readProgress(wallet)).crowded).toHaveLength(2);
    await scan.db.put('addresses', addressNo(1));
    await scan.forgetUnusedCrowded(wallet);
    expect((await scan.readProgress(wallet)).crowded).toEqual([{ script: 'script 0', nextAt: NOW + DAY }]);
    state.crowded.clear();
    questions();
    await scan.listCoins(wallet, info, addresses(3), many());
    expect(questions()).toEqual([[1, 2]]);
  });

  test('a crowded address uses as much of the budget as was read', async () => {
    const { info, questions } = indexWith(0);
    const listed = await scan.listCoins(wallet, info, addresses(2), new scan.Budget(100, 64_000_000));
    expect(questions()).toEqual([[0, 1], [0]]);
    expect(listed).toMatchObject({ isWhole: false, looked: [] });
    expect((await scan.readProgress(wallet)).crowded).toHaveLength(1);
  });

  test('the latest two hundred crowded addresses are remembered', async () => {
    const { info } = indexWith(0);
    const before = range(1000, 1200).map((i) => ({ script: `script ${i}`, nextAt: i }));
    await scan.noteProgress(wallet, { crowded: before });
    await scan.listCoins(wallet, info, addresses(1), many());
    const { crowded } = await scan.readProgress(wallet);
    expect(crowded).toHaveLength(200);
    expect([crowded?.[0]?.script, crowded?.at(-1)?.script]).toEqual(['script 1001', 'script 0']);
  });
});
