import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { writeTokenScript } from '../../protocol/assets/bsv21/token.ts';
import type { PaymentRecord } from '../payments/record.ts';
import { mineHeader } from '../../testkit/network/blocks.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { someCoins, sourceOf, testCoin, testReceipt, testScript } from '../../testkit/wallet/coins.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import type { CoinSource } from './choose.ts';
import type { Coin, CoinStatus, Tier } from './coin.ts';
import type { Receipt } from './receipts/receipt.ts';
import type { FoundCoin } from './coin-store.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const store = useDatabase(async () => ({
  ...(await import('./coin-store.ts')),
  ...(await import('./records.ts')),
  ...(await import('./choose.ts')),
}));

const put = (...coins: readonly Coin[]) =>
  store.write(async (tx) => {
    for (const coin of coins) await store.putCoin(tx, coin);
  });

async function fill(coins: readonly Coin[]): Promise<void> {
  await Promise.all([store.db.clear('coins'), store.db.clear('totals')]);
  await put(...coins);
}

async function values(source: CoinSource, tiers: readonly Tier[], atLeast: bigint): Promise<bigint[]> {
  const all: bigint[] = [];
  for await (const { satoshis } of source.largest(tiers, atLeast)) all.push(satoshis);
  return all;
}

test('the database offers the same coins as a plain list of the available ones', async () => {
  const value = fc.oneof(fc.bigInt(1n, 30n), fc.bigInt(2_099_999_999_999_990n, 2_100_000_000_000_000n));
  const status = fc.constantFrom<Coin['status'][]>('available', 'available', 'pending', 'reserved', 'spent');
  await fc.assert(
    fc.asyncProperty(
      someCoins(value, 10),
      fc.array(status, { minLength: 10, maxLength: 10 }),
      value,
      async (coins, statuses, atLeast) => {
        const stored = coins.map((coin, i): Coin => ({ ...coin, status: statuses[i] as Coin['status'] }));
        await fill(stored);
        const plain = sourceOf(stored.filter((coin) => coin.status === 'available' && coin.satoshis > 1n));
        expect(await store.availableCoins(wallet).atMost()).toBeGreaterThanOrEqual(await plain.atMost());
        for (const tier of [0, 1, 2] as const) {
          expect((await store.availableCoins(wallet).smallest(tier, atLeast))?.satoshis).toBe(
            (await plain.smallest(tier, atLeast))?.satoshis,
          );
          const tiers = ([0, 1, 2] as const).slice(0, tier + 1);
          expect(await values(store.availableCoins(wallet), tiers, atLeast)).toEqual(
            await values(plain, tiers, atLeast),
          );
        }
        expect((await store.countCoins(wallet)).pending).toBe(
          stored.filter((coin) => coin.status === 'pending').length,
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('an aborted read leaves the database unlocked', async () => {
  await fill([testCoin(5n), testCoin(6n, { vout: 1 }), testCoin(7n, { vout: 2 })]);
  for await (const coin of store.availableCoins(wallet).largest([0], 0n)) {
    expect(coin.satoshis).toBe(7n);
    break;
  }
  await fill([testCoin(9n)]);
  expect(await values(store.availableCoins(wallet), [0], 0n)).toEqual([9n]);
});

test('a worthless coin hides no others, and a tier without coins hides no other tier', async () => {
  await fill([testCoin(5n), testCoin(0n, { vout: 1 })]);
  expect(await values(store.availableCoins(wallet), [0, 1], 0n)).toEqual([5n, 0n]);
  await fill([testCoin(5n), testCoin(0n, { vout: 1, height: null })]);
  expect(await values(store.availableCoins(wallet), [0, 1], 0n)).toEqual([5n, 0n]);
});

const [TXID, OTHER] = ['aa'.repeat(32), 'bb'.repeat(32)];
const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 3600_000;
const OURS = 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb';
const statuses = async () => (await store.db.getAll('coins')).map(({ status }) => status);
const receiptOf = (txid = TXID) => store.db.get('receipts', txid);

describe('one-satoshi coins', () => {
  const apart = (status: CoinStatus, vout: number) => testCoin(1n, { status, vout });

  test('one-satoshi coins are checked for tokens while they can be spent or wait for the wallet’s own transaction', async () => {
    const all: CoinStatus[] = ['void', 'pending', 'available', 'reserved', 'spent', 'gone'];
    await put(...all.map(apart), testCoin(2n, { vout: 9 }), testCoin(2n, { vout: 10, status: 'pending' }));
    expect((await store.oneSatCoins(wallet)).map(({ status, satoshis }) => [status, satoshis])).toEqual([
      ['available', 1n],
      ['pending', 1n],
    ]);
    expect(await store.countOneSatCoins(wallet)).toBe(1);
    expect((await store.balance(wallet)).satoshis).toBe(4n);
  });
});

describe('coins that the index shows', () => {
  const found = (satoshis: bigint, more: Partial<FoundCoin> = {}): FoundCoin => ({
    txid: TXID,
    vout: 0,
    satoshis,
    script: toHex(testScript(0)),
    chain: 'receive',
    index: 0,
    address: OURS,
    ...more,
  });
  const PRICE = { currency: 'USD', price: '50', time: NOW };
  const SPENDS = [`${OTHER}:3`];

  test('coins shown by the index are spendable, and count as received when they were seen', async () => {
    setTime(NOW);
    await store.db.put('headers', mineHeader('00'.repeat(32), { height: 7, time: (NOW - 5 * DAY) / 1000 }));
    const coins = [found(700n), found(50n, { vout: 1, index: 2, address: 'another' })];
    expect(await store.addFoundCoins(wallet, coins, SPENDS)).toBe(2);
    expect(await store.db.getAll('coins')).toEqual([
      { ...testCoin(700n, { height: null }), tier: 1, value: 700 },
      { ...testCoin(50n, { vout: 1, height: null, index: 2, script: toHex(testScript(0)) }), tier: 1, value: 50 },
    ]);
    expect(await receiptOf()).toEqual({
      txid: TXID,
      satoshis: 750n,
      address: OURS,
      createdAt: NOW,
      height: null,
      unconfirmed: 1,
      spends: SPENDS,
    });
    expect(await store.balance(wallet)).toEqual({ satoshis: 750n, unconfirmed: 750n, available: 2 });
    expect(await store.db.count('history')).toBe(0);
  });

  test('coins count once, regardless of how often and in which groups they are shown', async () => {
    expect(await store.addFoundCoins(wallet, [found(700n)], SPENDS)).toBe(1);
    const first = (await receiptOf()) as Receipt;
    expect(await store.addFoundCoins(wallet, [found(700n)], SPENDS)).toBe(0);
    expect(await receiptOf()).toEqual(first);
    expect(await store.addFoundCoins(wallet, [found(700n), found(50n, { vout: 1 })], [])).toBe(1);
    expect(await receiptOf()).toEqual({ ...first, satoshis: 750n });
    expect(await store.addFoundCoins(wallet, [found(30n, { txid: OTHER })], [])).toBe(1);
    expect([(await receiptOf())?.satoshis, (await receiptOf(OTHER))?.satoshis]).toEqual([750n, 30n]);
    expect((await store.balance(wallet)).satoshis).toBe(780n);
  });

  const made = { id: 'payment', state: 'signed', signed: { txid: 'aa'.repeat(32), inputs: [] }, ended: null };
  const ended = { ...made, state: 'failed', ended: { txid: OTHER, height: 7, state: 'signed' } };
  const unsent = { id: 'payment', state: 'signed', signed: { txid: OTHER, inputs: [testCoin(1n).outpoint] } };
  const sent = { ...unsent, state: 'settled' };
  const waiting = {
    ...{ id: 'payment', state: 'signable', signed: null },
    action: { unsigned: { coins: [testCoin(1n).outpoint] } },
  };

  test.each<[CoinStatus, string | null, CoinStatus, string, object[]]>([
    ['void', 'payment', 'void', 'that payment makes it', [made]],
    ['pending', 'payment', 'pending', 'that payment makes it', [made]],
    ['pending', 'payment', 'available', 'the network has that payment', [{ ...made, state: 'broadcast' }]],
    ['void', 'payment', 'available', 'that payment failed', [{ ...made, state: 'failed' }]],
    ['void', 'payment', 'void', 'a block ended that payment', [ended]],
    ['spent', null, 'spent', 'a block ended the payment that makes it', [ended]],
    ['reserved', 'payment', 'reserved', 'that payment spends it', [unsent]],
    ['reserved', 'payment', 'reserved', 'that payment is to spend it', [waiting]],
    ['reserved', 'payment', 'available', 'that payment failed', [{ ...unsent, state: 'failed' }]],
    ['spent', 'payment', 'spent', 'that payment spends it', [sent]],
    ['spent', 'payment', 'available', 'that payment spends others', [{ ...made, state: 'broadcast' }]],
    ['spent', null, 'available', 'no payment spends it', []],
    ['gone', null, 'available', 'no payment spends it', []],
    ['available', null, 'available', 'no payment spends it', []],
  ])(
    'known coins get the status that their payments require: %s by %s becomes %s where %s',
    async (status, paymentId, then, _, payments) => {
      for (const seen of [true, false]) {
        const coin = testCoin(700n, { status, paymentId, seen, height: 7 });
        await fill([coin]);
        for (const one of payments) await store.db.put('payments', { createdAt: 1, ...one } as never);
        expect(await store.addFoundCoins(wallet, [found(700n)], SPENDS)).toBe(0);
        const owner = then === status ? paymentId : null;
        expect(await store.db.getAll('coins')).toEqual([
          { ...coin, status: then, paymentId: owner, seen: true, tier: 0, value: 700 },
        ]);
        expect(await receiptOf()).toBeUndefined();
        expect((await store.balance(wallet)).satoshis).toBe(['available', 'pending'].includes(then) ? 700n : 0n);
      }
    },
  );

  test('coins mark their address as used, with or without an inscription', async () => {
    const address = (n: number) => ({
      script: toHex(testScript(n)),
      address: `address ${n}`,
      chain: 'receive' as const,
      index: n,
      used: false,
    });
    for (const n of [0, 1, 2]) await store.db.put('addresses', address(n));
    const token = writeTokenScript({ op: 'transfer', id: `${OTHER}_0`, amt: 5n }, testScript(1));
    await store.addFoundCoins(
      wallet,
      [found(700n), found(1n, { vout: 1, script: toHex(token) }), found(9n, { vout: 2, script: '51' })],
      SPENDS,
    );
    const used = (await store.db.getAll('addresses')).flatMap(({ used, index }) => (used ? index : []));
    expect(used.toSorted()).toEqual([0, 1]);
    expect(await store.db.count('addresses')).toBe(3);
  });

  test('gone coins return, and the receipt counts each once, including one that was not found before', async () => {
    const receipt = testReceipt({ satoshis: 700n });
    await store.db.put('receipts', { ...receipt, failed: 'dropped', look: { at: 9, unknown: 3, since: 1 } });
    await put(testCoin(700n, { status: 'gone', height: null }));
    expect(await store.addFoundCoins(wallet, [found(700n), found(50n, { vout: 1 })], SPENDS)).toBe(1);
    expect(await statuses()).toEqual(['available', 'available']);
    expect(await receiptOf()).toEqual({ ...receipt, satoshis: 750n, spends: SPENDS });
    expect((await store.balance(wallet)).satoshis).toBe(750n);
  });

  test('coins restore the other coins of their transaction, which are not shown yet', async () => {
    await store.db.put('receipts', testReceipt({ satoshis: 700n, failed: 'dropped' }));
    await put(testCoin(700n, { status: 'gone', height: null }));
    await store.addFoundCoins(wallet, [found(50n, { vout: 1 })], SPENDS);
    expect(await statuses()).toEqual(['available', 'available']);
    expect(await receiptOf()).toMatchObject({ satoshis: 750n });
    expect(await receiptOf()).not.toHaveProperty('failed');
  });

  test('coins don’t change gone coins from other transactions', async () => {
    await store.db.put('receipts', testReceipt({ txid: OTHER, failed: 'dropped' }));
    await put(testCoin(700n, { txid: OTHER, status: 'gone', height: null }));
    await store.addFoundCoins(wallet, [found(50n)], SPENDS);
    expect(await statuses()).toEqual(['available', 'gone']);
    expect((await receiptOf())?.satoshis).toBe(50n);
  });

  test('coins of a possible payment by another wallet with the same words count once it is read', async () => {
    setTime(NOW);
    await store.addFoundCoins(wallet, [found(700n)], SPENDS, true, 0, PRICE);
    expect(await receiptOf()).toEqual({
      ...testReceipt({ satoshis: 0n, createdAt: NOW, reading: 'waiting' }),
      spends: SPENDS,
    });
    expect((await store.balance(wallet)).satoshis).toBe(700n);
    expect(await store.db.getAll('history')).toMatchObject([{ txid: TXID, tries: 0 }]);
  });

  test('new coins of a transaction that was already read cause it to be read again, which corrects its amount', async () => {
    await store.db.put('receipts', testReceipt({ satoshis: 400n, reading: 'done', spends: [] }));
    await store.addFoundCoins(wallet, [found(700n)], SPENDS);
    expect(await receiptOf()).toEqual(testReceipt({ satoshis: 400n, reading: 'done', spends: [] }));
    expect(await store.db.count('history')).toBe(1);
  });

  test('coins in a block are older than the moment at which they were found', async () => {
    setTime(NOW);
    await store.db.put('headers', mineHeader('00'.repeat(32), { height: 7, time: (NOW - 5 * DAY) / 1000 }));
    await store.addFoundCoins(wallet, [found(700n)], SPENDS, false, 7);
    expect(await receiptOf()).toMatchObject({ createdAt: NOW - 5 * DAY, isFoundLater: true, height: null });
    expect(await store.db.getAll('coins')).toMatchObject([{ height: null, tier: 1 }]);
  });

  test('coins that are just arriving are stored with the current price', async () => {
    setTime(NOW);
    await store.addFoundCoins(wallet, [found(700n)], SPENDS, false, 0, PRICE);
    expect(await receiptOf()).toMatchObject({ priceThen: PRICE });
  });

  describe('coins at an address that a payment was made from', () => {
    const SCRIPT = toHex(testScript(0));
    /** Stores a payment whose first input is a coin at the address of `SCRIPT`. */
    async function pay(id: string, more: object = {}, coin: Partial<Coin> = {}): Promise<void> {
      const spent = testCoin(900n, { txid: OTHER, vout: Number(id), status: 'spent', paymentId: id, ...coin });
      await put(spent);
      await store.db.put('payments', {
        id,
        origin: 'https://shop.example',
        requestId: id,
        state: 'confirmed',
        createdAt: NOW - DAY,
        quote: { outputs: [{ to: `shop ${id}` }, { to: 'tips' }] },
        signed: { inputs: [spent.outpoint, `${OTHER}:99`] },
        ...more,
      } as unknown as PaymentRecord);
    }
    const refundOf = async () => {
      setTime(NOW);
      await store.addFoundCoins(wallet, [found(700n)], SPENDS);
      return (await receiptOf())?.refundOf;
    };

    test('coins at such an address seem to refund the latest such payment', async () => {
      await pay('1', { createdAt: NOW - 3 * DAY });
      await pay('2', { createdAt: NOW - 2 * DAY });
      await pay('3', { createdAt: NOW - 2.5 * DAY });
      expect(await refundOf()).toEqual({ id: '2', origin: 'https://shop.example', to: 'shop 2' });
    });

    test('coins may refund a payment that the user made without a site', async () => {
      await pay('1', { origin: '', quote: { outputs: [] } });
      expect(await refundOf()).toEqual({ id: '1', origin: null, to: '' });
    });

    test('coins refund nothing if nothing was paid from their address', async () => {
      await put(testCoin(900n, { txid: OTHER, status: 'spent' }), testCoin(5n, { txid: OTHER, vout: 1 }));
      expect(await refundOf()).toBeUndefined();
      expect(await receiptOf()).not.toHaveProperty('refundOf');
    });

    test.each<[string, object, Partial<Coin>]>([
      ['was more than 90 days ago', { createdAt: NOW - 90 * DAY - 1 }, {}],
      ['only canceled another one', { cancel: true }, {}],
      ['has its first input elsewhere', { signed: { inputs: [`${OTHER}:99`, `${OTHER}:1`] } }, {}],
      ['has no signed transaction', { signed: null }, {}],
      ['is not with the network', {}, { status: 'reserved' }],
      ['is not known any more', { id: 'another' }, {}],
      ['was made from another address', {}, { script: toHex(testScript(1)) }],
    ])('coins do not refund a payment that %s', async (_, payment, coin) => {
      await pay('1', payment, coin);
      expect(await refundOf()).toBeUndefined();
      await pay('2', { createdAt: NOW - 90 * DAY });
      expect((await store.db.get('coins', `${OTHER}:2`))?.script).toBe(SCRIPT);
      await store.db.delete('coins', `${TXID}:0`);
      await store.db.delete('receipts', TXID);
      expect(await refundOf()).toMatchObject({ id: '2' });
    });

    test('coins refund nothing that another wallet with the same words has paid itself', async () => {
      await pay('1');
      setTime(NOW);
      await store.addFoundCoins(wallet, [found(700n)], SPENDS, true);
      expect(await receiptOf()).not.toHaveProperty('refundOf');
    });
  });
});

describe('a checked proof', () => {
  const TIME = NOW / 1000;
  const header = mineHeader('00'.repeat(32), { height: 8, time: TIME });
  const BLOCK = { hash: header.hash, height: header.height, time: TIME };
  const HOUR = 3600_000;
  const price = (time: number) => ({ currency: 'USD', price: '50', time });
  const place = () => store.write((tx) => store.placeInBlock(wallet, tx, TXID, BLOCK));

  test('a checked proof confirms the coins and the receipt of its transaction, and nothing else', async () => {
    await store.db.put('headers', header);
    const spent = testCoin(50n, { vout: 1, height: null, status: 'spent', paymentId: 'payment', seen: false });
    const other = testCoin(9n, { txid: OTHER, height: null, seen: false });
    await put(testCoin(700n, { height: null, depth: 4, seen: false }), spent, other);
    await store.db.put('receipts', testReceipt({ note: 'for lunch' }));
    await store.db.put('receipts', testReceipt({ txid: OTHER }));
    await store.confirmTransaction(wallet, TXID, BLOCK);
    expect(await store.db.getAll('coins')).toEqual([
      { ...testCoin(700n, { height: 8 }), tier: 0, value: 700 },
      { ...spent, height: 8, depth: 0, seen: true, tier: 0, value: 50 },
      { ...other, tier: 1, value: 9 },
    ]);
    expect(await receiptOf()).toEqual(testReceipt({ note: 'for lunch', height: 8, unconfirmed: 0 }));
    expect(await receiptOf(OTHER)).toEqual(testReceipt({ txid: OTHER }));
    expect(await store.balance(wallet)).toEqual({ satoshis: 709n, unconfirmed: 9n, available: 2 });
    expect(await place()).toBe(true);
  });

  test('a checked proof has no effect once its block was replaced', async () => {
    await put(testCoin(700n, { height: null }));
    await store.db.put('receipts', testReceipt());
    expect(await place()).toBe(false);
    expect(await store.db.getAll('coins')).toMatchObject([{ height: null }]);
    expect(await receiptOf()).toEqual(testReceipt());
  });

  test('a checked proof restores coins that seemed to be gone', async () => {
    await store.db.put('headers', header);
    await put(testCoin(700n, { height: null, status: 'gone' }));
    await store.db.put('receipts', testReceipt({ failed: 'dropped', look: { at: 9, unknown: 3, since: 1 } }));
    expect(await place()).toBe(true);
    expect(await statuses()).toEqual(['available']);
    expect(await receiptOf()).toEqual(testReceipt({ height: 8, unconfirmed: 0 }));
  });

  test('a proof may be for a transaction without a receipt, like those of the wallet’s own payments', async () => {
    await store.db.put('headers', header);
    await put(testCoin(700n, { height: null }));
    expect(await place()).toBe(true);
    expect(await store.db.getAll('coins')).toMatchObject([{ height: 8 }]);
    expect(await store.db.count('receipts')).toBe(0);
  });

  test.each<[string, Partial<Receipt>, number]>([
    ['that it was seen at before', { createdAt: NOW - HOUR }, NOW - HOUR],
    ['of its block, if that is older', { createdAt: NOW + HOUR }, NOW],
    ['of its block, where it was found there', { createdAt: NOW - HOUR, isFoundLater: true }, NOW],
  ])('a checked proof gives a receipt the time %s', async (_, receipt, createdAt) => {
    await store.db.put('headers', header);
    await store.db.put('receipts', testReceipt(receipt));
    await place();
    expect((await receiptOf())?.createdAt).toBe(createdAt);
  });

  test.each([
    ['was looked up before it', -HOUR, true],
    ['was looked up within two hours after it', 2 * HOUR, true],
    ['was looked up later, when the block had long been there', 2 * HOUR + 1, false],
  ])(
    'a checked proof removes only a price that was looked up long after the block: the price %s',
    async (_, after, stays) => {
      await store.db.put('headers', header);
      await store.db.put('receipts', testReceipt({ priceThen: price(NOW + after) }));
      await place();
      expect(await receiptOf()).toEqual({
        ...testReceipt({ height: 8, unconfirmed: 0, createdAt: testReceipt().createdAt }),
        ...(stays && { priceThen: price(NOW + after) }),
      });
    },
  );
});

test('coins that another wallet with the same words has spent leave the balance, and return if it hasn’t spent them', async () => {
  const all: CoinStatus[] = ['void', 'pending', 'reserved', 'spent'];
  const theirs = all.map((status, vout) => testCoin(10n, { vout, status, paymentId: 'payment' }));
  const outpoints = theirs.map(({ outpoint }) => outpoint);
  await put(...theirs, testCoin(10n, { vout: 4, status: 'gone' }), testCoin(700n, { vout: 8 }));
  await put(testCoin(50n, { vout: 9 }));
  await store.markSpentElsewhere(wallet, [...outpoints, `${TXID}:4`, `${TXID}:8`, `${OTHER}:0`]);
  expect((await store.db.getAll('coins')).map(({ status, paymentId }) => [status, paymentId])).toEqual([
    ...all.map((status) => [status, 'payment']),
    ['spent', null],
    ['spent', null],
    ['available', null],
  ]);
  // 50 satoshis are available, and 10 are pending in one of the wallet's payments.
  expect((await store.balance(wallet)).satoshis).toBe(60n);
});
