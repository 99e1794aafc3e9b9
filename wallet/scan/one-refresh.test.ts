/** The index requests during one refresh: their order, and where the next refresh continues. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readAddress } from '../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';
import { codeOf } from '../../testing/code-of.ts';
import type * as Network from '../chain/network.ts';
import type * as Follow from '../chain/headers/follow.ts';
import type * as Rates from '../chain/rates.ts';
import type * as Spv from '../chain/headers/spv.ts';
import type * as Histories from '../chain/address-histories.ts';
import type * as WhatsOnChain from '../chain/whats-on-chain.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import type * as Keys from '../keys/keys.ts';
import { CHAINS, type Chain } from '../keys/keys.ts';
import type * as Vault from '../vault/vault.ts';
import type * as Confirm from './confirm.ts';
import type * as History from './history/history.ts';
import type * as Kept from './basket-spend-check.ts';
import type { ScanProgress } from './history/progress.ts';
import type { Work } from './work.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
const KEYS = { spendingXpub: 'the wallet’s' } as never;

const scan = useDatabase(async () => ({
  ...(await import('./refresh.ts')),
  ...(await import('../coins/coin-store.ts')),
  ...(await import('../coins/addresses/addresses.ts')),
  ...(await import('../coins/addresses/records.ts')),
  ...(await import('../store/database.ts')),
  ...(await import('./work.ts')),
  ...(await import('../../protocol/errors/service-error.ts')),
}));

/** The hash encodes the address's position, so no keys are needed. */
const hashOf = (chain: Chain, index: number) => fromHex(`${CHAINS.indexOf(chain)}${String(index).padStart(39, '0')}`);
const nameOf = (hash: Uint8Array) => `${CHAINS[Number(toHex(hash)[0])]} ${Number(toHex(hash).slice(1))}`;
const scriptOf = (chain: Chain, index: number) => `76a914${toHex(hashOf(chain, index))}88ac`;
const nameOfAddress = (address: string) => nameOf(readAddress(address)?.hash as Uint8Array);
const names = (chain: Chain, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${chain} ${from + i}`);

const network = {
  /** Coins by address name, and transactions by ID. */
  coins: new Map<string, { txid: string; vout: number; satoshis: bigint; height: number; spentInMempool: boolean }[]>(),
  transactions: new Map<string, Transaction>(),
  used: new Set<string>(),
  failing: new Set<string>(),
  isDown: false,
  /** The addresses in each request for lists, and all other requests, in order. */
  lists: [] as string[][],
  asked: [] as string[],
  /** The arguments passed to the last steps of a refresh. */
  work: null as Work | null,
};

function pay(chain: Chain, index: number, satoshis = 500n, height = 0): string {
  const txid = (network.transactions.size + 1).toString(16).padStart(64, '0');
  network.transactions.set(txid, {
    version: 1,
    lockTime: 0,
    inputs: [],
    outputs: [{ satoshis, lockingScript: fromHex(scriptOf(chain, index)) }],
  });
  const name = `${chain} ${index}`;
  network.coins.set(name, [
    ...(network.coins.get(name) ?? []),
    { txid, vout: 0, satoshis, height, spentInMempool: false },
  ]);
  return txid;
}

const part = (name: string) => async (_wallet: unknown, _: unknown, work: Work) => {
  network.asked.push(name);
  network.work = work;
};

// Other tests cover the replaced modules.
beforeAll(() => {
  vi.doMock('../vault/vault.ts', () => ({ publicKeys: async () => KEYS }) satisfies Partial<typeof Vault>);
  vi.doMock('../keys/keys.ts', async () => ({
    ...(await vi.importActual<typeof Keys>('../keys/keys.ts')),
    publicKeyHashes: (_: unknown, chain: Chain, indexes: readonly number[]) =>
      indexes.map((index) => hashOf(chain, index)),
  }));
  vi.doMock('../chain/network.ts', () => ({
    networkInfo: (async () => ({
      network: 'devnet',
      serviceUrl: '',
      arcUrl: '',
      wocUrl: '',
    })) satisfies typeof Network.networkInfo,
  }));
  vi.doMock('../chain/rates.ts', () => ({ priceNow: async () => null }) satisfies Partial<typeof Rates>);
  vi.doMock('../chain/headers/spv.ts', () => ({
    fetchTransaction: (async (_wallet: unknown, _, txid) => {
      network.asked.push(`transaction ${Number.parseInt(txid, 16)}`);
      if (network.failing.has(txid)) throw new scan.ServiceError('invalid-proof');
      return network.transactions.get(txid) ?? null;
    }) satisfies typeof Spv.fetchTransaction,
    coinsSpentWith: (async (_wallet: unknown, _, coin) => {
      network.asked.push(`spender of ${Number.parseInt(coin.txid, 16)}`);
      return [coin];
    }) satisfies typeof Spv.coinsSpentWith,
  }));
  vi.doMock('../chain/whats-on-chain.ts', async () => ({
    ...(await vi.importActual<typeof WhatsOnChain>('../chain/whats-on-chain.ts')),
    unspentOf: (async (_wallet: unknown, _, addresses, count) => {
      count?.();
      if (network.isDown) throw new scan.ServiceError('network-unavailable');
      network.lists.push(addresses.map(nameOfAddress));
      return addresses.flatMap((address) =>
        (network.coins.get(nameOfAddress(address)) ?? []).map((coin) => ({ ...coin, address })),
      );
    }) satisfies typeof WhatsOnChain.unspentOf,
  }));
  vi.doMock('../chain/address-histories.ts', async () => ({
    ...(await vi.importActual<typeof Histories>('../chain/address-histories.ts')),
    usedAmong: (async (_wallet: unknown, _, addresses, count) => {
      count?.();
      network.asked.push(`use of ${addresses.map(nameOfAddress).join()}`);
      return new Set(addresses.filter((address) => network.used.has(nameOfAddress(address))));
    }) satisfies typeof Histories.usedAmong,
    historyOf: async () => ({ transactions: [], isWhole: true }),
  }));
  vi.doMock('../chain/headers/follow.ts', () => ({
    followChain: (async () => void network.asked.push('follow')) satisfies typeof Follow.followChain,
  }));
  vi.doMock('./history/history.ts', () => ({ readHistory: part('history') satisfies typeof History.readHistory }));
  vi.doMock('./confirm.ts', () => ({ checkUnconfirmed: part('confirm') satisfies typeof Confirm.checkUnconfirmed }));
  vi.doMock('./basket-spend-check.ts', () => ({
    checkBasketSpends: part('kept') satisfies typeof Kept.checkBasketSpends,
  }));
});

beforeEach(async () => {
  setTime(NOW);
  for (const all of [network.coins, network.transactions, network.used, network.failing]) all.clear();
  Object.assign(network, { isDown: false, lists: [], asked: [], work: null });
  await scan.db.put('keyval', KEYS, 'publicKeys');
});

const begin = (progress: Partial<ScanProgress>) =>
  scan.db.put('keyval', { addresses: 0, coins: 0, done: false, ...progress }, 'scan');
const progress = async () => (await scan.db.get('keyval', 'scan')) as ScanProgress;
const satoshis = async () => (await scan.balance(wallet)).satoshis;
/** Runs the next refresh. Returns the address names in each requested list. */
async function refresh(options?: { all: boolean }): Promise<string[][]> {
  network.lists = [];
  network.asked = [];
  await scan.refreshCoins(wallet, options);
  return network.lists;
}
const lookedAt = async (options?: { all: boolean }) => (await refresh(options)).flat();
/** Derives addresses on a chain: `used` addresses that are marked as used, and the gap after them. */
async function derive(chain: Chain, used: number): Promise<void> {
  await scan.extendChain(wallet, KEYS, 'devnet', chain, used - 1);
  const addresses = await scan.addressesBetween(wallet, chain, 0, used - 1);
  await scan.inTransaction(wallet, async (tx) => {
    for (const { script } of addresses) await scan.markSeen(wallet, tx, script);
  });
  await scan.extendAddresses(wallet, KEYS, 'devnet');
}

describe('a refresh', () => {
  test('a refresh finds coins first, then reads the history, and confirms last', async () => {
    pay('receive', 0);
    await refresh();
    expect(network.asked).toEqual(['transaction 1', 'history', 'follow', 'confirm', 'kept']);
    expect(await satoshis()).toBe(500n);
  });

  test('a refresh passes on which transactions the index showed, and which it reported as mined', async () => {
    const [fresh, mined] = [pay('receive', 0), pay('receive', 1, 70n, 7)];
    network.coins
      .get('receive 1')
      ?.push({ txid: 'ee'.repeat(32), vout: 0, satoshis: 5n, height: 0, spentInMempool: true });
    await refresh();
    expect([[...network.work!.shown], [...network.work!.mined]]).toEqual([[fresh], [mined]]);
    expect(network.asked).not.toContain(`transaction ${Number.parseInt('ee'.repeat(32), 16)}`);
  });

  test('a refresh fails with the first error, after all other work is done', async () => {
    network.failing.add(pay('receive', 0));
    pay('receive', 1, 70n);
    expect(await codeOf(refresh())).toBe('invalid-proof');
    expect(await satoshis()).toBe(70n);
    expect(network.asked.slice(-4)).toEqual(['history', 'follow', 'confirm', 'kept']);
  });

  test('a refresh leaves unread transactions to the next one, and shows them to the user', async () => {
    const failing = pay('receive', 3);
    network.failing.add(failing);
    await codeOf(refresh());
    const [once] = (await progress()).unread?.failed ?? [];
    expect((await progress()).unread).toEqual({
      count: 1,
      scripts: [scriptOf('receive', 3)],
      failed: [{ txid: failing, tries: 1, nextAt: 0 }],
      waiting: true,
    });
    await codeOf(refresh());
    expect((await progress()).unread).toMatchObject({ failed: [{ ...once, tries: 2, nextAt: NOW + 60_000 }] });
    // The transaction's retry isn't due yet, so the transaction remains recorded.
    expect((await progress()).unread?.waiting).toBe(false);
    await refresh();
    expect(network.asked).not.toContain('transaction 1');
    expect((await progress()).unread).toMatchObject({ count: 1, scripts: [scriptOf('receive', 3)] });
    network.failing.clear();
    setTime(NOW + 60_000);
    await refresh();
    expect((await progress()).unread).toEqual({ count: 0, scripts: [], failed: [], waiting: false });
  });

  test('a refresh remembers the addresses of unread transactions that it did not search', async () => {
    const unread = { count: 2, scripts: [scriptOf('change', 999), scriptOf('receive', 1)], failed: [], waiting: true };
    await begin({ done: true, unread });
    await refresh();
    expect((await progress()).unread).toMatchObject({ count: 0, scripts: [scriptOf('change', 999)], waiting: false });
  });

  test('a refresh remembers at most five hundred addresses and five hundred unreadable transactions', async () => {
    const many = Array.from({ length: 510 }, (_, i) => i);
    await begin({
      done: true,
      unread: {
        count: 510,
        scripts: many.map((i) => scriptOf('receive', 1000 + i)),
        failed: many.map((i) => ({ txid: `${i}`, tries: 1, nextAt: 0 })),
        waiting: true,
      },
    });
    await refresh();
    const { unread } = await progress();
    expect([unread?.scripts.length, unread?.failed.length]).toEqual([500, 500]);
    expect(unread?.failed.at(-1)?.txid).toBe('509');
  });

  test('a refresh records unread transactions, even if it fails', async () => {
    await begin({ done: true, unread: { count: 1, scripts: [], failed: [], waiting: true } });
    network.isDown = true;
    expect(await codeOf(refresh())).toBe('network-unavailable');
    expect((await progress()).unread).toMatchObject({ count: 0, waiting: false });
    expect(network.asked).toEqual([]);
  });

  test('a refresh writes no record of unread transactions if there are none', async () => {
    await refresh();
    expect(await progress()).not.toHaveProperty('unread');
  });

  test('a refresh notices that a coin that the index no longer shows is spent', async () => {
    pay('receive', 0);
    await refresh();
    network.coins.clear();
    await refresh();
    expect(network.asked).toContain('spender of 1');
    expect(await satoshis()).toBe(0n);
  });
});

describe('calls during a refresh', () => {
  test('all calls wait for the same next refresh', async () => {
    const first = scan.refreshCoins(wallet);
    const [second, third] = [scan.refreshCoins(wallet), scan.refreshCoins(wallet)];
    expect(second).toBe(third);
    expect(second).not.toBe(first);
    await first;
    pay('receive', 0);
    await second;
    expect(network.asked.filter((one) => one === 'kept')).toHaveLength(2);
    await scan.refreshCoins(wallet);
    expect(network.asked.filter((one) => one === 'kept')).toHaveLength(3);
  });

  test('a failed refresh is followed by one more', async () => {
    network.isDown = true;
    const [first, second] = [scan.refreshCoins(wallet), scan.refreshCoins(wallet)];
    expect(await codeOf(first)).toBe('network-unavailable');
    network.isDown = false;
    expect(await codeOf(second)).toBe('none');
  });

  test('calls by a user search all addresses, in the current refresh or the next one', async () => {
    await derive('receive', 200);
    await begin({ done: true, turn: { chain: 'service', from: 0 } });
    const first = scan.refreshCoins(wallet);
    const second = scan.refreshCoins(wallet, { all: true });
    await first;
    await second;
    expect(network.lists.flat()).toEqual(expect.arrayContaining(names('receive', 0, 219)));
  });
});

describe('the search of a restored wallet', () => {
  /** Returns lists of twenty addresses each, from one position to another. */
  const lists = (chain: Chain, from: number, to: number) =>
    Array.from({ length: (to + 1 - from) / 20 }, (_, i) => names(chain, from + 20 * i, from + 20 * i + 19));

  test('the search covers each chain until twenty addresses in a row were never used, or 400 on the chains for change and service', async () => {
    pay('receive', 15);
    pay('receive', 34);
    network.used.add('change 19');
    await begin({});
    await refresh();
    expect(network.lists).toEqual([
      names('receive', 0, 19),
      // Only twenty addresses beyond the last used one are stored.
      names('receive', 20, 35),
      names('receive', 36, 54),
      ...lists('change', 0, 419),
      ...lists('service', 0, 399),
    ]);
    // Empty addresses beyond the gap are neither stored nor searched again.
    expect(await scan.derived(wallet, 'change')).toBe(40);
    // The wallet makes one request per batch up to the gap limit: 3 for receive, 2 for change, 1 for service. Then one
    // to prove that an address for change was used.
    expect(network.asked.filter((one) => one.startsWith('use of'))).toHaveLength(3 + 2 + 1 + 1);
    expect(await satoshis()).toBe(1000n);
    expect(await progress()).toMatchObject({ done: true, coins: 2, addresses: 55 + 420 + 400 });
    expect(await progress()).not.toHaveProperty('next');
  });

  test('the search requests twenty addresses at a time, regardless of how many are derived', async () => {
    await derive('receive', 50);
    await begin({});
    await refresh();
    expect(network.lists.slice(0, 3)).toEqual([
      names('receive', 0, 19),
      names('receive', 20, 39),
      names('receive', 40, 59),
    ]);
  });

  test('the search queries whether addresses without coins were used, twenty per request, and stores the results', async () => {
    network.used.add('receive 17');
    network.used.add('receive 3');
    pay('receive', 5);
    await begin({});
    await refresh();
    expect(network.asked.filter((one) => one.startsWith('use of receive')).slice(0, 2)).toEqual([
      `use of ${names('receive', 0, 19).filter((name) => name !== 'receive 5')}`,
      `use of ${names('receive', 20, 37)}`,
    ]);
    const used = (await scan.db.getAll('addresses')).filter((one) => one.used);
    expect(used.map(({ chain, index, seen }) => `${chain} ${index}${seen ? ': seen' : ''}`).sort()).toEqual([
      'receive 17',
      'receive 3',
      'receive 5: seen',
    ]);
  });

  test('the search finds coins beyond addresses that were used and are empty now', async () => {
    network.used.add('receive 0');
    network.used.add('receive 20');
    pay('receive', 40);
    await begin({});
    await refresh();
    expect(await satoshis()).toBe(500n);
  });

  test('the search finds coins of change and of the service’s addresses up to 400 beyond the last used one', async () => {
    pay('change', 399);
    pay('service', 399, 70n);
    await begin({});
    await refresh();
    expect(await satoshis()).toBe(500n); // coins at the service's addresses count only after they are moved
    expect(await scan.db.count('coins')).toBe(2);
  });

  test('the search continues at the recorded position, and continues counting', async () => {
    pay('receive', 2);
    pay('change', 25);
    await derive('change', 20);
    await begin({ next: { chain: 'change', from: 20 }, addresses: 40, coins: 3 });
    await refresh();
    expect(network.lists[0]).toEqual(names('change', 20, 39));
    expect(network.lists[1]).toEqual(names('change', 40, 45));
    expect(network.lists[2]).toEqual(names('change', 46, 65));
    expect(network.lists).toContainEqual(names('service', 380, 399));
    expect(await progress()).toMatchObject({ done: true, coins: 4, addresses: 40 + 406 + 400 });
  });

  test('the search stops when one refresh can read no more, and the next one continues there', async () => {
    for (let i = 0; i < 130; i += 1) pay('receive', 3, 10n);
    pay('change', 1, 7n);
    await begin({});
    await refresh();
    expect(network.lists).toEqual([names('receive', 0, 19)]);
    expect(await progress()).toMatchObject({
      done: false,
      coins: 100,
      addresses: 0,
      unread: { count: 30, waiting: true },
    });
    expect(await progress()).not.toHaveProperty('next');
    expect(network.asked).not.toContain('history');
    await refresh();
    expect(await progress()).toMatchObject({ done: true, coins: 131, unread: { count: 0 } });
    expect(await satoshis()).toBe(1307n);
  });

  test('the search records its position at each step so that a killed worker’s successor continues there', async () => {
    pay('receive', 4);
    await begin({});
    const noted: unknown[] = [];
    const put = IDBObjectStore.prototype.put;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
      if (key === 'scan')
        noted.push([value.addresses, value.next && `${value.next.chain} ${value.next.from}`, value.coins]);
      return put.call(this, value, key as IDBValidKey);
    });
    await refresh();
    expect(noted.slice(0, 8)).toEqual([
      [0, undefined, 1],
      [20, 'receive 20', 1],
      [20, 'receive 20', 1],
      [25, 'receive 25', 1],
      [25, 'receive 25', 1],
      [45, 'change 20', 1],
      [145, 'change 120', 1],
      [245, 'change 220', 1],
    ]);
  });

  test('the search keeps other parts of the progress', async () => {
    const crowded = [{ script: scriptOf('receive', 400), nextAt: NOW + 5 }];
    const unread = { count: 0, scripts: [scriptOf('receive', 400)], failed: [], waiting: false };
    await begin({ crowded, unread, roundAt: 5 });
    await refresh();
    expect(await progress()).toMatchObject({ done: true, crowded, unread });
    expect(await progress()).not.toHaveProperty('roundAt');
  });
});

describe('addresses that a refresh searches afterwards', () => {
  test('likely addresses are searched, and those found through them, each once', async () => {
    await derive('receive', 3);
    pay('receive', 22);
    await begin({ done: true });
    const looked = await lookedAt();
    expect(looked.slice(0, 63)).toEqual([
      ...names('receive', 0, 22),
      ...names('change', 0, 19),
      ...names('service', 0, 19),
    ]);
    expect(looked.slice(63)).toEqual(names('receive', 23, 42));
    expect(new Set(looked).size).toBe(looked.length);
  });

  /** Adds a coin at each of the first addresses, known to both the wallet and the index. */
  async function hold(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const coin = { txid: (1000 + index).toString(16).padStart(64, '0'), vout: 0, satoshis: 5n };
      const place = { script: scriptOf('receive', index), chain: 'receive' as const, index, address: 'address' };
      await scan.addFoundCoins(wallet, [{ ...coin, ...place }], []);
      network.coins.set(`receive ${index}`, [{ ...coin, height: 0, spentInMempool: false }]);
    }
  }
  /** Ends each refresh's budget after this many lists. */
  const endAfter = (lists: number) =>
    vi.spyOn(scan.Budget.prototype, 'left', 'get').mockImplementation(() => network.lists.length < lists);
  /** Number of lists for the likely addresses of a wallet with several hundred addresses. */
  const LIKELY = 4;

  test('all addresses with coins are searched, regardless of their number and age', async () => {
    await derive('receive', 300);
    await hold(250);
    await begin({ done: true, turn: { chain: 'service', from: 0 } });
    expect(await lookedAt()).toEqual(expect.arrayContaining(names('receive', 0, 249)));
    expect(await progress()).not.toHaveProperty('held');
    // An interrupted search continues at the stored position and covers all addresses once.
    await begin({ done: true, turn: { chain: 'service', from: 0 }, held: scriptOf('receive', 100) });
    const looked = await lookedAt();
    expect(looked.indexOf('receive 101')).toBeLessThan(looked.indexOf('receive 0'));
    expect(looked).toEqual(expect.arrayContaining(names('receive', 0, 249)));
    expect(new Set(looked).size).toBe(looked.length);
    // The search stops at the end of the page in which it began.
    expect((await progress()).held).toBe(scriptOf('receive', 199));
  });

  test('all addresses with coins are searched from any position, both after and before it', async () => {
    await derive('receive', 460);
    await hold(450);
    await begin({ done: true, turn: { chain: 'service', from: 0 }, held: scriptOf('receive', 240) });
    const looked = await lookedAt();
    expect(looked.indexOf('receive 449')).toBeLessThan(looked.indexOf('receive 0'));
    expect(looked).toEqual(expect.arrayContaining(names('receive', 0, 449)));
    expect((await progress()).held).toBe(scriptOf('receive', 399));
  });

  test('addresses with coins are searched while requests remain, and the next refresh continues the rotation there', async () => {
    await derive('receive', 300);
    await hold(250);
    await begin({ done: true, turn: { chain: 'service', from: 0 } });
    endAfter(LIKELY + 5);
    expect(await lookedAt()).toEqual(expect.arrayContaining(names('receive', 0, 99)));
    expect((await progress()).held).toBeUndefined(); // the page wasn't searched completely
    endAfter(LIKELY + 10);
    const first = await lookedAt();
    expect(first).toEqual(expect.arrayContaining(names('receive', 0, 199)));
    expect(first).not.toContain('receive 200');
    expect((await progress()).held).toBe(scriptOf('receive', 199));
    const second = await lookedAt();
    expect(second).toEqual(expect.arrayContaining([...names('receive', 200, 249), ...names('receive', 0, 139)]));
    expect((await progress()).held).toBeUndefined();
  });

  test('the rotation continues while requests remain, and the next refresh continues there', async () => {
    await derive('receive', 150);
    await begin({ done: true, turn: { chain: 'receive', from: 30 } });
    endAfter(LIKELY + 1);
    expect(await lookedAt()).toContain('receive 30');
    expect((await progress()).turn).toEqual({ chain: 'receive', from: 30 });
  });

  test('forty of the other addresses are searched in rotation', async () => {
    await derive('receive', 150);
    await begin({ done: true, turn: { chain: 'receive', from: 30 } });
    expect(await lookedAt()).toEqual(expect.arrayContaining(names('receive', 30, 69)));
    expect(await progress()).toMatchObject({ turn: { chain: 'receive', from: 70 }, left: 0 });
    const looked = await lookedAt();
    expect(looked).toEqual(expect.arrayContaining(names('receive', 70, 109)));
    expect(looked).not.toEqual(expect.arrayContaining(['receive 110']));
    expect(looked).not.toEqual(expect.arrayContaining(['receive 69']));
  });

  test('all other addresses are searched when a user refreshes, but at most once a minute', async () => {
    await derive('receive', 150);
    await begin({ done: true, turn: { chain: 'receive', from: 160 } });
    const everything = [...names('receive', 0, 169), ...names('change', 0, 19), ...names('service', 0, 19)];
    const looked = await lookedAt({ all: true });
    expect(looked.toSorted()).toEqual(everything.toSorted());
    expect(await progress()).toMatchObject({ left: 0, roundAt: NOW });
    await begin({ ...(await progress()), turn: { chain: 'receive', from: 0 } });
    setTime(NOW + 59_999);
    expect(await lookedAt({ all: true })).not.toContain('receive 100');
    await begin({ ...(await progress()), turn: { chain: 'receive', from: 0 } });
    setTime(NOW + 60_000);
    expect(await lookedAt({ all: true })).toContain('receive 100');
    setTime(NOW + 200_000);
    await begin({ ...(await progress()), turn: { chain: 'receive', from: 0 } });
    expect(await lookedAt()).not.toContain('receive 100');
  });

  test('the rest of a rotation is searched before another starts', async () => {
    await derive('receive', 150);
    await begin({ done: true, turn: { chain: 'receive', from: 30 }, left: 60 });
    const looked = await lookedAt({ all: true });
    expect(looked).toEqual(expect.arrayContaining(names('receive', 30, 89)));
    expect(looked).not.toContain('receive 90');
    expect(await progress()).toMatchObject({ left: 0, turn: { chain: 'receive', from: 90 } });
    expect(await progress()).not.toHaveProperty('roundAt');
  });

  test('more addresses are derived after those that are found to be used', async () => {
    await derive('receive', 100);
    pay('receive', 119);
    await begin({ done: true });
    await refresh();
    expect(await scan.derived(wallet, 'receive')).toBe(140);
  });
});
