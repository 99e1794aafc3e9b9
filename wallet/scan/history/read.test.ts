import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import type { Transaction } from '../../../protocol/bitcoin/transaction.ts';
import type { NetworkInfo } from '../../chain/network-info.ts';
import type * as Rates from '../../chain/rates.ts';
import type * as Spv from '../../chain/headers/spv.ts';
import type { Address } from '../../coins/addresses/address.ts';
import { ranked } from '../../coins/coin.ts';
import { setTime } from '../../../testkit/wallet/clock.ts';
import { testCoin, testPair, testScript } from '../../../testkit/wallet/coins.ts';
import { useDatabase } from '../../../testkit/wallet/database.ts';
import type * as Events from '../../events.ts';
import type { Unreadable } from './progress.ts';
import type { Claim } from './read.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const INFO = {} as NetworkInfo;
const PRICE = { currency: 'USD', price: '50', time: NOW };

/** The index's transactions by ID, and the requests it received. */
const transactions = new Map<string, Transaction | 'network-unavailable'>();
const asked: string[] = [];

const scan = useDatabase(async () => ({
  ...(await import('./read.ts')),
  ...(await import('../work.ts')),
  ...(await import('../../../protocol/errors/service-error.ts')),
}));

const priceNow = vi.fn<typeof Rates.priceNow>();
const announceChange = vi.fn<typeof Events.announceChange>();

// Other tests cover transaction IDs and exchange rates.
beforeAll(() => {
  vi.doMock('../../chain/headers/spv.ts', () => ({
    fetchTransaction: (async (_wallet: unknown, _, txid, count) => {
      asked.push(txid);
      const found = transactions.get(txid);
      if (found === 'network-unavailable') throw new scan.ServiceError(found);
      count?.(100);
      return found ?? null;
    }) satisfies typeof Spv.fetchTransaction,
  }));
  vi.doMock('../../chain/rates.ts', () => ({ priceNow }) satisfies Partial<typeof Rates>);
  vi.doMock('../../events.ts', () => ({ announceChange }) satisfies Partial<typeof Events>);
});

const txid = (n: number) => n.toString(16).padStart(64, '0');
const ownAt = (index: number): Address => ({
  script: toHex(testScript(index)),
  address: `address ${index}`,
  chain: 'receive',
  index,
  used: false,
});

/** Adds a transaction with outputs of these values (satoshis). Output n pays address n. */
function pay(id: number, values: bigint[], unlockingScript = new Uint8Array()): void {
  transactions.set(txid(id), {
    version: 1,
    lockTime: 0,
    inputs: [{ txid: 'ee'.repeat(32), vout: 7, unlockingScript, sequence: 1 }],
    outputs: values.map((satoshis, index) => ({ satoshis, lockingScript: testScript(index) })),
  });
}
const claim = (id: number, vout: number, satoshis: bigint, more: Partial<Claim> = {}): Claim => ({
  txid: txid(id),
  vout,
  satoshis,
  address: `address ${vout}`,
  height: 0,
  spentInMempool: false,
  own: ownAt(vout),
  ...more,
});

let failed: Map<string, Unreadable>;
let work: InstanceType<typeof scan.Work>;
const read = (...claims: Claim[]) => scan.readClaims(wallet, INFO, claims, failed, work);
const coins = async () => (await scan.db.getAll('coins')).map((coin) => [coin.txid, coin.vout, coin.satoshis]);
const unread = () => [...work.unread].map(([id, scripts]) => [id, [...scripts]]);

beforeEach(() => {
  setTime(NOW);
  priceNow.mockReset().mockResolvedValue(PRICE);
  announceChange.mockReset();
  transactions.clear();
  asked.length = 0;
  failed = new Map();
  work = new scan.Work(wallet);
});

describe('payments to the wallet that the index reports', () => {
  test('a payment is stored once the transaction proves it, with all its outputs', async () => {
    pay(1, [500n, 70n]);
    pay(2, [9n]);
    expect(await read(claim(1, 0, 500n), claim(2, 0, 9n), claim(1, 1, 70n))).toBe(3);
    expect(asked.toSorted()).toEqual([txid(1), txid(2)]);
    expect(await coins()).toEqual([
      [txid(1), 0, 500n],
      [txid(1), 1, 70n],
      [txid(2), 0, 9n],
    ]);
    expect(await scan.db.getAll('coins')).toMatchObject(
      [0, 1, 0].map((index) => ({ script: ownAt(index).script, chain: 'receive', index, seen: true })),
    );
    expect(await scan.db.getAll('receipts')).toMatchObject([
      { satoshis: 570n, address: 'address 0', spends: [`${'ee'.repeat(32)}:7`] },
      { satoshis: 9n },
    ]);
    expect([work.unread.size, failed.size, work.faults]).toEqual([0, 0, []]);
    expect(announceChange).toHaveBeenCalledTimes(2);
  });

  test('a known or invalid payment adds nothing', async () => {
    pay(1, [500n]);
    await scan.db.put('coins', ranked(testCoin(500n, { txid: txid(1), height: null, seen: false })));
    await read(claim(1, 0, 500n), claim(2, 0, 500n));
    expect(announceChange).not.toHaveBeenCalled();
    pay(3, [500n]);
    priceNow.mockClear();
    await read(claim(3, 0, 501n));
    expect(priceNow).not.toHaveBeenCalled();
  });

  test.each<[string, Partial<Claim>]>([
    ['with another value', { satoshis: 501n }],
    ['with another address', { own: ownAt(3) }],
    ['of a missing output', { vout: 9 }],
    ['of a transaction that it does not have', { txid: txid(8) }],
  ])('a payment with one false claim is stored in part: %s', async (_, wrong) => {
    pay(1, [500n, 70n]);
    expect(await read({ ...claim(1, 0, 500n), ...wrong }, claim(1, 1, 70n))).toBe(1);
    expect(await coins()).toEqual([[txid(1), 1, 70n]]);
    expect(work.faults.map(({ code }) => code)).toEqual(['invalid-proof']);
    expect([...failed.keys()]).toEqual([wrong.txid ?? txid(1)]);
    expect([...work.unread.keys()]).toEqual([...failed.keys()]);
  });

  test('a payment is requested only if it is new, was not seen, or differs from the state of its payments', async () => {
    const states = [{}, { seen: false }, { status: 'gone' }, { status: 'spent' }, { status: 'reserved' }] as const;
    for (const [i, state] of states.entries()) {
      pay(i, [500n]);
      await scan.db.put('coins', ranked(testCoin(500n, { txid: txid(i), height: null, ...state })));
    }
    await scan.db.put(
      'coins',
      ranked(testCoin(500n, { txid: txid(5), height: null, status: 'spent', paymentId: 'payment' })),
    );
    for (const [id, state, n] of [
      ['unsent', 'signed', 4],
      ['payment', 'settled', 5],
    ] as const)
      await scan.db.put('payments', {
        ...{ id, state, createdAt: 1 },
        signed: { txid: txid(9), inputs: [`${txid(n)}:0`] },
      } as never);
    pay(6, [500n]);
    expect(await read(...[0, 1, 2, 3, 4, 5, 6].map((id) => claim(id, 0, 500n)))).toBe(1);
    expect(asked).toEqual([1, 2, 3, 6].map(txid));
    expect((await scan.db.getAll('coins')).map(({ status, seen }) => [status, seen])).toEqual([
      ['available', true],
      ['available', true],
      ['available', true],
      ['available', true],
      ['reserved', true],
      ['spent', true],
      ['available', true],
    ]);
  });

  test('a payment counts as arriving, at the current price, if no block is reported to contain it', async () => {
    for (const id of [1, 2, 3, 4]) pay(id, [500n, 70n]);
    await read(
      claim(1, 0, 500n),
      claim(2, 0, 500n, { height: -1 }),
      claim(3, 0, 500n),
      claim(3, 1, 70n, { height: 7 }),
    );
    const receipts = await scan.db.getAll('receipts');
    expect(receipts.map((one) => [one.priceThen, one.isFoundLater])).toEqual([
      [PRICE, undefined],
      [PRICE, undefined],
      [undefined, true],
    ]);
  });

  test('an input with one of the wallet’s keys may be a payment by another wallet with the same words', async () => {
    const key = testPair(4).publicKey;
    // The signature isn't verified until the activity is read.
    const signature = fromHex(`3006020101020101${'41'}`);
    const unlock = new Uint8Array([signature.length, ...signature, key.length, ...key]);
    pay(1, [500n], unlock);
    await read(claim(1, 0, 500n));
    expect((await scan.db.getAll('receipts'))[0]?.reading).toBeUndefined();
    await scan.db.put('addresses', ownAt(4));
    priceNow.mockClear();
    pay(2, [500n], unlock);
    await read(claim(2, 0, 500n));
    expect(await scan.db.get('receipts', txid(2))).toMatchObject({ reading: 'waiting', satoshis: 0n });
    expect((await scan.db.get('receipts', txid(2)))?.priceThen).toBeUndefined();
    expect(priceNow).not.toHaveBeenCalled();
  });

  test('a payment is stored completely, with any number of coins', async () => {
    pay(
      1,
      Array.from({ length: 510 }, () => 5n),
    );
    const claims = Array.from({ length: 510 }, (_, vout) => claim(1, vout, 5n));
    expect(await read(...claims)).toBe(510);
    expect((await scan.db.getAll('receipts'))[0]?.satoshis).toBe(2550n);
  });

  test('a payment is stored with the first hundred outputs that it spends', async () => {
    pay(1, [500n]);
    const one = transactions.get(txid(1)) as Transaction;
    one.inputs = Array.from({ length: 150 }, (_, vout) => ({ ...one.inputs[0]!, vout }));
    await read(claim(1, 0, 500n));
    const spends = (await scan.db.getAll('receipts'))[0]?.spends;
    expect(spends).toHaveLength(100);
    expect(spends?.at(-1)).toBe(`${'ee'.repeat(32)}:99`);
  });
});

describe('unreadable transactions', () => {
  const fail = (id: number) => void transactions.set(txid(id), 'network-unavailable');
  const before = (id: number, tries: number, nextAt = 0) => failed.set(txid(id), { txid: txid(id), tries, nextAt });

  test('an unreadable transaction is recorded with all addresses that it pays, until it can be read', async () => {
    fail(1);
    expect(await read(claim(1, 0, 500n), claim(1, 1, 70n))).toBe(0);
    expect(await read(claim(1, 2, 8n))).toBe(0);
    expect(unread()).toEqual([[txid(1), [0, 1, 2].map((index) => ownAt(index).script)]]);
    pay(1, [500n]);
    setTime(NOW + MINUTE);
    expect(await read(claim(1, 0, 500n))).toBe(1);
    expect([unread(), failed.size]).toEqual([[], 0]);
  });

  test('an unreadable transaction is retried at the next refresh, then after a minute, and then after twice the delay each time, up to a day', async () => {
    fail(1);
    for (const [i, minutes] of [null, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440].entries()) {
      work = new scan.Work(wallet);
      await read(claim(1, 0, 500n));
      const nextAt = minutes === null ? 0 : NOW + minutes * MINUTE;
      expect(failed.get(txid(1))).toEqual({ txid: txid(1), tries: i + 1, nextAt });
      before(1, i + 1);
    }
  });

  test('an unreadable transaction is not requested before it is due', async () => {
    pay(1, [500n]);
    before(1, 3, NOW + 1);
    expect(await read(claim(1, 0, 500n))).toBe(0);
    expect([asked, unread().length, failed.get(txid(1))?.tries]).toEqual([[], 1, 3]);
    before(1, 3, NOW);
    expect(await read(claim(1, 0, 500n))).toBe(1);
  });

  test('unreadable transactions come after those attempted less often', async () => {
    before(1, 3);
    before(2, 1);
    for (const id of [1, 2, 3]) pay(id, [500n]);
    await read(...[1, 2, 3].map((id) => claim(id, 0, 500n)));
    expect(asked).toEqual([3, 2, 1].map(txid));
  });

  test('unreadable transactions wait if the refresh has no request left, or the network is unavailable, and count as never attempted', async () => {
    pay(1, [500n]);
    work.transactions.took(100);
    await read(claim(1, 0, 500n));
    work = new scan.Work(wallet);
    for (let i = 0; i < 5; i += 1)
      await work.passingOver(async () => {
        throw new scan.ServiceError('network-unavailable');
      });
    await read(claim(1, 0, 500n));
    expect([asked, unread().length, failed.size]).toEqual([[], 1, 0]);
  });
});
