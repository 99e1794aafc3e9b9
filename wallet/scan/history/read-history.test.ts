/** The lists and transactions that one refresh reads for the activity, and those left for later refreshes. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransaction, type Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { codeOf } from '../../../testing/code-of.ts';
import type * as Follow from '../../chain/headers/follow.ts';
import type { NetworkInfo } from '../../chain/network-info.ts';
import type * as Spv from '../../chain/headers/spv.ts';
import type * as Histories from '../../chain/address-histories.ts';
import type { Coin } from '../../coins/coin.ts';
import type { Receipt } from '../../coins/receipts/receipt.ts';
import { mineHeader } from '../../../testkit/network/blocks.ts';
import { setTime } from '../../../testkit/wallet/clock.ts';
import { testCoin, testPair, testReceipt, testScript } from '../../../testkit/wallet/coins.ts';
import { useDatabase } from '../../../testkit/wallet/database.ts';
import { signTransaction } from '../../transaction/sign.ts';
import type { Chain } from '../../keys/keys.ts';
import type { HistoryProgress } from './progress.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
const INFO = { network: 'devnet', wocUrl: 'https://index.example' } as NetworkInfo;
const BLOCK = mineHeader('00'.repeat(32), { height: 8, time: NOW / 1000 - 86_400 });

const scan = useDatabase(async () => ({
  ...(await import('./history.ts')),
  ...(await import('../work.ts')),
  ...(await import('../../coins/records.ts')),
  ...(await import('../../coins/coin-store.ts')),
  ...(await import('../../../protocol/errors/service-error.ts')),
}));

/** The index's transactions, lists and proofs, and the requests it received. */
const network = {
  transactions: new Map<string, Transaction>(),
  listed: new Map<string, Histories.HistoricTransaction[]>(),
  /** Addresses for which lists are complete only if requested individually. */
  long: new Set<string>(),
  /** Addresses whose lists have too many pages. */
  endless: new Set<string>(),
  failing: null as 'network-unavailable' | 'too-large' | null,
  proven: new Set<string>(),
  asked: [] as string[],
  /** Called before a transaction is returned. */
  before: null as ((txid: string) => Promise<void>) | null,
};
const answer = (one: string) => {
  network.asked.push(one);
  if (network.failing) throw new scan.ServiceError(network.failing);
};
const listOf = (address: string) => network.listed.get(address) ?? [];

// Other tests cover transaction IDs, proofs and the parsing of lists.
beforeAll(() => {
  vi.doMock('../../chain/headers/spv.ts', () => ({
    fetchTransaction: (async (_wallet: unknown, _, txid) => {
      answer(txid);
      await network.before?.(txid);
      return network.transactions.get(txid) ?? null;
    }) satisfies typeof Spv.fetchTransaction,
    provenBlock: (async (_wallet: unknown, _, txid) => {
      answer(`proof of ${txid}`);
      return network.proven.has(txid) ? BLOCK : null;
    }) satisfies typeof Spv.provenBlock,
  }));
  vi.doMock('../../chain/address-histories.ts', async () => ({
    ...(await vi.importActual<typeof Histories>('../../chain/address-histories.ts')),
    historyOf: (async (_wallet: unknown, _, address, count) => {
      count();
      answer(`all of ${address}`);
      return { transactions: listOf(address), isWhole: !network.endless.has(address) };
    }) satisfies typeof Histories.historyOf,
    historyOfMany: (async (_wallet: unknown, _, addresses) => {
      answer(`${addresses[0]} to ${addresses.at(-1)}`);
      return {
        transactions: addresses.filter((address) => !network.long.has(address)).flatMap(listOf),
        isWhole: !addresses.some((address) => network.long.has(address)),
      };
    }) satisfies typeof Histories.historyOfMany,
  }));
  vi.doMock('../../chain/headers/follow.ts', () => ({
    followChain: (async () => {
      answer('follow');
      await scan.db.put('headers', BLOCK);
    }) satisfies typeof Follow.followChain,
  }));
});

let work: InstanceType<typeof scan.Work>;
beforeEach(async () => {
  setTime(NOW);
  for (const set of [network.transactions, network.listed, network.long, network.endless, network.proven]) set.clear();
  Object.assign(network, { failing: null, asked: [], before: null });
  work = new scan.Work(wallet);
  await scan.db.put('headers', BLOCK);
});

const nameOf = (chain: Chain, index: number) => `${chain} ${index}`;
/**
 * Derives `count` addresses on a chain, and marks the first `used` as used. Receiving addresses have the test keys'
 * scripts.
 */
async function derive(chain: Chain, count: number, used: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await scan.db.put('addresses', {
      script: chain === 'receive' ? toHex(testScript(index)) : nameOf(chain, index),
      address: nameOf(chain, index),
      chain,
      index,
      used: index < used,
    });
}
const progress = async () => (await scan.db.get('keyval', 'history')) as HistoryProgress;
const begin = (at: HistoryProgress = { listed: false }) => scan.db.put('keyval', at, 'history');
const waiting = () => scan.db.getAll('history');
const wait = (txid: string, order = 1_000_000_000, tries = 0) => scan.db.put('history', { txid, order, tries });
const read = () => scan.readHistory(wallet, INFO, work);
const txid = (n: number) => n.toString(16).padStart(64, '0');
const receiptOf = (id: string) => scan.db.get('receipts', id) as Promise<Receipt>;

const list = () => {
  work.transactions.took(100);
  return read();
};

describe('a restored wallet', () => {
  test('the payments to and from the used addresses are listed, each chain from its last address down', async () => {
    await derive('receive', 60, 45);
    await derive('change', 20, 0);
    await derive('service', 21, 1);
    await begin();
    await list();
    expect(network.asked).toEqual([
      'receive 25 to receive 44',
      'receive 5 to receive 24',
      'receive 0 to receive 4',
      'service 0 to service 0',
    ]);
    expect(await progress()).toEqual({ listed: true });
    await list();
    expect(network.asked).toHaveLength(4);
  });

  test('a restored wallet continues where the requests during a refresh ended', async () => {
    await derive('receive', 60, 45);
    await begin();
    work.lists.took(119);
    await list();
    expect(network.asked).toEqual(['receive 25 to receive 44']);
    expect(await progress()).toEqual({ listed: false, next: { chain: 'receive', from: 24, alone: 0 } });
    work = new scan.Work(wallet);
    work.lists.took(119);
    await list();
    expect(network.asked).toEqual(['receive 25 to receive 44', 'receive 5 to receive 24']);
    expect(await scan.isHistoryUnfinished(wallet)).toBe(true);
  });

  test('each unread transaction is queued, with the height reported by the index', async () => {
    await derive('receive', 21, 2);
    await begin();
    network.listed.set('receive 0', [
      { txid: txid(1), height: 7 },
      { txid: txid(2), height: 0 },
      { txid: txid(3), height: -1 },
      { txid: txid(4), height: 2_000_000_000 },
    ]);
    network.listed.set('receive 1', [
      { txid: txid(1), height: 9 },
      { txid: txid(5), height: 7 },
      { txid: txid(6), height: 7 },
    ]);
    await scan.db.put('receipts', testReceipt({ txid: txid(5), reading: 'done' }));
    await scan.db.put('receipts', testReceipt({ txid: txid(6), reading: 'unverified' }));
    await list();
    expect((await waiting()).map((one) => [Number(one.txid), one.order])).toEqual([
      [1, 7],
      [2, 1_000_000_000],
      [3, 1_000_000_000],
      [4, 999_999_999],
      [6, 7],
    ]);
  });

  test('the list of each address is requested separately if that of many is incomplete', async () => {
    await derive('receive', 45, 25);
    await begin();
    network.long.add('receive 20');
    network.listed.set('receive 20', [{ txid: txid(1), height: 7 }]);
    await list();
    expect(network.asked).toEqual([
      'receive 5 to receive 24',
      ...Array.from({ length: 20 }, (_, i) => `all of receive ${24 - i}`),
      'receive 0 to receive 4',
    ]);
    expect(await progress()).toEqual({ listed: true });
    expect(await waiting()).toHaveLength(1);
  });

  test('a restored wallet continues at the address where the requests during a refresh ended', async () => {
    await derive('receive', 45, 25);
    await begin();
    network.long.add('receive 20');
    work.lists.took(117);
    await list();
    expect(network.asked).toEqual(['receive 5 to receive 24', 'all of receive 24', 'all of receive 23']);
    expect(await progress()).toEqual({ listed: false, next: { chain: 'receive', from: 22, alone: 18 } });
  });

  test('failed requests are repeated', async () => {
    await derive('receive', 45, 25);
    await begin();
    network.failing = 'network-unavailable';
    await list();
    expect(network.asked).toHaveLength(1);
    expect(await progress()).toEqual({ listed: false });
    network.failing = null;
    await list();
    expect(await progress()).toEqual({ listed: true });
  });

  test.each<[string, () => void]>([
    ['more transactions than the wallet queues', () => undefined],
    ['more pages than the wallet requests', () => (network.listed.clear(), network.endless.add('receive 1'))],
  ])('the activity stays incomplete if an address has %s', async (_, change) => {
    await derive('receive', 21, 2);
    await derive('change', 20, 1);
    await begin();
    network.long.add('receive 1');
    network.listed.set(
      'receive 1',
      Array.from({ length: 20_001 }, (_, n) => ({ txid: txid(n), height: 7 })),
    );
    change();
    while (!(await progress()).listed) {
      await list();
      await scan.db.clear('history'); // as if all transactions had been read
    }
    expect(network.asked.at(-1)).toBe('change 0 to change 0');
    expect(await progress()).toEqual({ listed: true, isCut: true });
    expect([await scan.historyLeft(wallet), await scan.isHistoryCut(wallet)]).toEqual([null, true]);
  });

  test('an address with an invalid list is skipped and reported', async () => {
    await derive('receive', 21, 2);
    await begin();
    network.failing = 'too-large';
    await list();
    expect(network.asked).toEqual(['receive 0 to receive 1', 'all of receive 1', 'all of receive 0']);
    expect(await progress()).toEqual({ listed: true, isCut: true });
    expect(work.faults).toHaveLength(3);
  });
});

describe('a transaction', () => {
  const other = (satoshis: bigint) => ({ satoshis, lockingScript: testScript(90) });
  const ours = (satoshis: bigint, index: number) => ({ satoshis, lockingScript: testScript(index) });

  /** Adds a transaction to the index, signed with the coins' keys or with one other key. */
  function make(inputs: Coin[], outputs: ReturnType<typeof ours>[], key?: number): string {
    const { bytes, txid: id } = signTransaction({ inputs, outputs, changeIndexes: [], feeSatoshis: 0n }, ({ index }) =>
      testPair(key ?? index),
    );
    network.transactions.set(id, parseTransaction(bytes));
    return id;
  }
  const at = (index: number, satoshis = 1000n, more: Partial<Coin> = {}) =>
    testCoin(satoshis, { index, script: toHex(testScript(index)), txid: txid(77), ...more });
  const put = (...coins: Coin[]) =>
    scan.write(async (tx) => {
      for (const coin of coins) await scan.putCoin(tx, coin);
    });

  beforeEach(() => derive('receive', 25, 5));

  test('a transaction that pays the wallet was received, with all its payments', async () => {
    const id = make([at(90)], [other(5n), ours(700n, 1), ours(30n, 2)]);
    await wait(id);
    await read();
    expect(await receiptOf(id)).toEqual({
      txid: id,
      satoshis: 730n,
      address: 'receive 1',
      createdAt: NOW,
      height: null,
      unconfirmed: 1,
      spends: [`${txid(77)}:0`],
      reading: 'done',
      unasked: 1,
    });
    expect(await waiting()).toEqual([]);
    expect(network.asked).toEqual([id]);
  });

  test('a transaction that spends the wallet’s coins was sent', async () => {
    await put(at(1));
    const id = make([at(1)], [other(600n), ours(300n, 2)]);
    await wait(id);
    await read();
    expect(await receiptOf(id)).toMatchObject({
      satoshis: 600n,
      address: 'receive 2',
      spent: { feeSatoshis: 100n, count: 1 },
      reading: 'done',
    });
  });

  test('a transaction that spends earlier coins fetches them, and they are stored as spent', async () => {
    const earlier = make([at(90)], [other(5n), ours(1000n, 1)]);
    const id = make([at(1, 1000n, { txid: earlier, vout: 1 })], [other(900n)]);
    await wait(id);
    await read();
    expect(await receiptOf(id)).toMatchObject({ satoshis: 900n, address: 'receive 1', spent: { feeSatoshis: 100n } });
    expect(await scan.db.getAll('coins')).toMatchObject([
      {
        ...at(1, 1000n, { txid: earlier, vout: 1, height: null, depth: 1 }),
        status: 'spent',
        paymentId: null,
        seen: true,
      },
    ]);
    expect((await scan.balance(wallet)).satoshis).toBe(0n);
  });

  test('a transaction that spends a coin found in the meantime leaves it to the search for coins', async () => {
    const earlier = make([at(90)], [ours(1000n, 1)]);
    const coin = at(1, 1000n, { txid: earlier, height: null });
    const id = make([coin], [other(900n)]);
    network.before = async (txid) => (txid === earlier ? put(coin) : undefined);
    await wait(id);
    await read();
    expect(await receiptOf(id)).toMatchObject({ satoshis: 900n });
    expect((await scan.db.getAll('coins')).map(({ status }) => status)).toEqual(['available']);
  });

  test('a transaction that the wallet’s key did not sign is unverified, and retried later', async () => {
    const earlier = make([at(90)], [ours(1000n, 1)]);
    for (const known of [true, false]) {
      await scan.db.clear('history');
      if (known) await put(at(1, 1000n, { txid: earlier }));
      else await scan.db.clear('coins');
      // Signed with the wallet's key for a different amount.
      const id = make([at(1, 1001n, { txid: earlier })], [other(600n)]);
      await scan.db.put('receipts', testReceipt({ txid: id, reading: 'waiting', satoshis: 0n }));
      await wait(id, 1_000_000_000, 3);
      await read();
      expect(await receiptOf(id)).toEqual(testReceipt({ txid: id, reading: 'unverified', satoshis: 0n }));
      expect(await waiting()).toEqual([{ txid: id, tries: 4, order: -(NOW + 8 * 60_000), height: 0 }]);
      expect((await scan.db.getAll('coins')).filter(({ status }) => status === 'spent')).toEqual([]);
    }
  });

  test('a transaction that spends another user’s output with the wallet’s key has spent nothing of the wallet’s', async () => {
    const earlier = make([at(90)], [other(1000n)]);
    for (const known of [true, false]) {
      if (known) await put(testCoin(1000n, { txid: earlier, script: toHex(testScript(90)) }));
      else await scan.db.clear('coins');
      const id = make([at(1, 1000n, { txid: earlier })], [ours(600n, 2)]);
      await scan.db.clear('receipts');
      await wait(id);
      await read();
      expect(await receiptOf(id)).toMatchObject({ satoshis: 600n, reading: 'done' });
      expect(await receiptOf(id)).not.toHaveProperty('spent');
      await wait(id);
    }
  });

  test('a transaction without the wallet’s coins isn’t in the activity', async () => {
    const id = make([at(90)], [other(600n)]);
    await wait(id);
    await read();
    expect([await scan.db.count('receipts'), await waiting()]).toEqual([0, []]);
  });

  test('a transaction is not stored as a receipt if it is that of a payment of this wallet', async () => {
    await put(at(1), at(2, 5n, { vout: 3 }));
    const id = make([at(1), at(2, 5n, { vout: 3 })], [other(600n), ours(300n, 3)]);
    const payment = (number: string, of: string) => ({
      id: number,
      origin: '',
      requestId: number,
      signed: { txid: of, inputs: [at(1).outpoint, at(2, 5n, { vout: 3 }).outpoint], ownOutputs: [] },
    });
    await scan.db.put('payments', payment('replaced', txid(5)) as never);
    await wait(id);
    await read();
    expect(await scan.db.count('receipts')).toBe(1);
    await scan.db.put('payments', payment('this', id) as never);
    await wait(id);
    await read();
    expect(await scan.db.count('receipts')).toBe(0);
    // The scan found an output that wasn't known to be the wallet's when the payment was signed.
    expect((await scan.db.get('payments', 'this'))?.signed?.ownOutputs).toEqual([`${id}:1`]);
  });

  test('a transaction that the index lacks, or whose coin it lacks, is retried later', async () => {
    await wait(txid(1));
    const orphan = make([at(1, 1000n, { txid: txid(99) })], [other(600n)]);
    await wait(orphan, 7);
    const earlier = make([at(90)], [ours(1000n, 1)]);
    await wait(make([at(1, 1000n, { txid: earlier, vout: 4 })], [other(600n)]), 6);
    await read();
    expect((await waiting()).map(({ tries, height }) => [tries, height]).toSorted()).toEqual(
      [
        [1, 0],
        [1, 7],
        [1, 6],
      ].toSorted(),
    );
    expect(work.faults.map(({ code }) => code)).toEqual(['invalid-proof', 'invalid-proof', 'invalid-proof']);
    expect(await scan.db.count('receipts')).toBe(0);
  });

  test('a transaction in a block gets the block’s time once it is proven, and an estimate before', async () => {
    const [proven, guessed] = [make([at(90)], [ours(700n, 1)]), make([at(91)], [ours(800n, 1)])];
    network.proven.add(proven);
    await wait(proven, 8);
    await wait(guessed, 5);
    await read();
    expect(await receiptOf(proven)).toMatchObject({ height: 8, unconfirmed: 0, createdAt: BLOCK.time * 1000 });
    expect(await receiptOf(guessed)).toMatchObject({
      height: null,
      unconfirmed: 1,
      isFoundLater: true,
      createdAt: BLOCK.time * 1000 - 3 * 600_000,
    });
  });

  test('a transaction keeps the time at which it was seen arriving, and its other data', async () => {
    const [seen, guessed] = [make([at(90)], [ours(700n, 1)]), make([at(91)], [ours(800n, 1)])];
    await scan.db.put('receipts', testReceipt({ txid: seen, createdAt: 5, note: 'for lunch', reading: 'waiting' }));
    await scan.db.put(
      'receipts',
      testReceipt({ txid: guessed, createdAt: 5, isFoundLater: true, spent: { feeSatoshis: 1n, count: 1, paid: [] } }),
    );
    await wait(seen, 8);
    await wait(guessed, 8);
    await read();
    expect(await receiptOf(seen)).toMatchObject({ createdAt: 5, note: 'for lunch', satoshis: 700n, reading: 'done' });
    expect(await receiptOf(guessed)).toMatchObject({ createdAt: BLOCK.time * 1000, satoshis: 800n });
    expect(await receiptOf(guessed)).not.toHaveProperty('spent');
  });

  test('a transaction is stored with the first hundred outputs that it spends', async () => {
    const id = make([at(90)], [ours(700n, 1)]);
    const one = network.transactions.get(id)!;
    one.inputs = Array.from({ length: 120 }, (_, vout) => ({ ...one.inputs[0]!, vout }));
    await wait(id);
    await read();
    expect((await receiptOf(id)).spends).toHaveLength(100);
  });

  test('a transaction that only waits for the next refresh keeps its position', async () => {
    const earlier = make([at(90)], [ours(1000n, 1)]);
    const id = make([at(1, 1000n, { txid: earlier })], [other(600n)]);
    await wait(id);
    work.transactions.took(99);
    await read();
    expect(await waiting()).toEqual([{ txid: id, order: 1_000_000_000, tries: 0 }]);
    expect(work.faults).toEqual([]);
    work = new scan.Work(wallet);
    await read();
    expect(await waiting()).toEqual([]);
  });

  test('a transaction uses one of the refresh’s requests, and none once the network is unavailable', async () => {
    const ids = [1, 2, 3].map((n) => make([at(90)], [ours(BigInt(700 + n), 1)]));
    for (const id of ids) await wait(id);
    work.transactions.took(98);
    await read();
    expect(await scan.db.count('receipts')).toBe(2);
    network.failing = 'network-unavailable';
    work = new scan.Work(wallet);
    for (let i = 0; i < 4; i += 1)
      await work.passingOver(async () => {
        throw new scan.ServiceError('network-unavailable');
      });
    await read();
    expect(work.isOver).toBe(true);
    expect((await waiting()).map(({ tries }) => tries)).toEqual([0]);
  });

  test('the wallet follows the headers before it reads a transaction, because the estimate of a block’s time needs one', async () => {
    await scan.db.clear('headers');
    await wait(make([at(90)], [ours(700n, 1)]));
    await read();
    expect(network.asked[0]).toBe('follow');
    network.asked = [];
    await read();
    expect(network.asked).toEqual([]);
  });

  test('a transaction is attempted once per refresh', async () => {
    await wait(txid(1), -5, 1);
    await read();
    expect(network.asked).toEqual([txid(1)]);
    expect(await codeOf(read())).toBe('none');
    expect(network.asked).toEqual([txid(1)]);
  });
});
