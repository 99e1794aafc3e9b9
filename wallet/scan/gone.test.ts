/**
 * After an incoming transaction has certainly disappeared, its money leaves the balance. If the transaction reappears,
 * so does the money.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import type { ForkingNetwork } from '../../testkit/network/forking.ts';
import { endAllWorkerRuns } from '../../testkit/wallet/worker-run.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';
import { listOnly, pay, spend, startIndex, wallet } from './testing-scan.ts';

afterEach(endAllWorkerRuns);

/** Starts a wallet with 700 unconfirmed satoshis, and a clock that the test advances. */
async function received() {
  const network = await startIndex();
  const coin = pay(network, 'receive', 0, 700);
  const { hex, transaction } = network.known.get(coin.txid)!;
  const made = await wallet(network, false);
  await made.refreshCoins(current);
  expect(await made.satoshis()).toBe(700n);
  let ahead = 0;
  const clock = Date.now.bind(Date);
  const now = vi.mocked(Date.now).getMockImplementation() ?? clock;
  vi.mocked(Date.now).mockImplementation(() => now() + ahead);
  const row = async () => (await made.handlers.walletHandlers(current)['activity/list']({ limit: 5 })).items[0];
  return {
    ...made,
    network,
    coin,
    row,
    /** The payment's bytes (hex). */
    hex,
    disappear: () => network.forget(coin.txid),
    reappear: () => void network.take(fromHex(hex)),
    /** Replaces the payment with a transaction that spends the same output. @returns that transaction's ID */
    doubleSpend: () => {
      network.forget(coin.txid);
      return network.spend(`${transaction.inputs[0]!.txid}:0`);
    },
    /** Advances the clock and refreshes the given number of times. */
    async later(minutes: number, times = 1) {
      for (let i = 0; i < times; i += 1) {
        ahead += minutes * 60_000;
        await made.refreshCoins(current).catch(() => undefined);
      }
    },
  };
}

describe('an unconfirmed payment to the wallet', () => {
  test('a payment whose sender spent the money elsewhere, in a block, leaves the balance, and its row shows why', async () => {
    const { network, coin, doubleSpend, refreshCoins, satoshis, coins, row } = await received();
    network.mine([doubleSpend()]);
    await refreshCoins(current);
    expect(await satoshis()).toBe(0n);
    expect(await coins()).toMatchObject([{ status: 'gone' }]);
    expect(await row()).toMatchObject({
      id: coin.txid,
      status: 'FAILED',
      failure: 'double-spent',
      satoshis: '700',
      statusDescription: expect.stringContaining('elsewhere'),
    });
  });

  test('a transaction that spends a double-spent payment counts as double-spent in the same block', async () => {
    const { network, coin, doubleSpend, later, satoshis, database } = await received();
    const txid = spend(network, [coin], { change: { chain: 'receive', at: 1, value: 600 } });
    await later(0);
    expect(await satoshis()).toBe(600n);
    network.mine([doubleSpend()]);
    network.forget(txid);
    await later(10, 2);
    expect(await satoshis()).toBe(0n);
    const db = await database.database(current);
    const [parent, itself] = await Promise.all([coin.txid, txid].map((one) => db.get('receipts', one)));
    expect(parent).toMatchObject({ failed: 'double-spent', lostTo: expect.anything() });
    expect(itself).toMatchObject({ failed: 'double-spent', lostTo: parent?.lostTo });
  });

  test('an unconfirmed double spend doesn’t make a payment gone', async () => {
    const { network, doubleSpend, reappear, later, satoshis, row } = await received();
    doubleSpend();
    reappear(); // the index has both transactions
    listOnly(network, []);
    await later(20, 6);
    expect(await satoshis()).toBe(700n);
    expect(await row()).toMatchObject({ status: 'RECEIVED' });
  });

  test('a payment unknown to index and ARC is dropped after several checks, not immediately', async () => {
    const { disappear, later, satoshis, row } = await received();
    disappear();
    await later(0, 5);
    await later(10, 2);
    expect(await satoshis()).toBe(700n);
    expect(await row()).toMatchObject({ status: 'RECEIVED', failure: null });
    await later(10, 2);
    expect(await satoshis()).toBe(0n);
    expect(await row()).toMatchObject({ status: 'FAILED', failure: 'dropped' });
  });

  test.each<[string, (network: ForkingNetwork, txid: string, hex: string) => void]>([
    ['ARC has', ({ arcSays }, txid) => void arcSays.set(txid, 'SEEN_ON_NETWORK')],
    ['the index has by its id', ({ instead }, txid, hex) => void instead.set(`/tx/${txid}/hex`, { body: hex })],
  ])('a payment that %s stays, though no list shows it', async (_, keep) => {
    const { network, coin, hex, disappear, later, satoshis } = await received();
    disappear();
    keep(network, coin.txid, hex);
    await later(20, 6);
    expect(await satoshis()).toBe(700n);
  });

  test('failed checks don’t drop a payment, nor do checks between which it was seen', async () => {
    const { network, disappear, reappear, later, satoshis } = await received();
    disappear();
    network.lies = 'down';
    await later(20, 6);
    network.lies = null;
    await later(20, 3);
    reappear();
    await later(20);
    disappear();
    await later(20, 3);
    expect(await satoshis()).toBe(700n);
    await later(20);
    expect(await satoshis()).toBe(0n);
  });

  test('a payment that returns is restored once', async () => {
    const { disappear, reappear, later, satoshis, row, store } = await received();
    disappear();
    await later(20, 5);
    expect(await satoshis()).toBe(0n);
    reappear();
    await later(1, 2);
    expect(await store.balance(current)).toMatchObject({ satoshis: 700n, unconfirmed: 700n, available: 1 });
    expect(await row()).toMatchObject({ status: 'RECEIVED', satoshis: '700', failure: null, statusDescription: null });
  });

  test.each<[string, (network: ForkingNetwork, txid: string, hex: string) => void]>([
    ['ARC has', ({ arcSays }, txid) => void arcSays.set(txid, 'SEEN_ON_NETWORK')],
    ['the index has by its id', ({ instead }, txid, hex) => void instead.set(`/tx/${txid}/hex`, { body: hex })],
  ])('a dropped payment that %s again doesn’t count until a list shows it', async (_, keep) => {
    const { network, coin, hex, disappear, later, satoshis } = await received();
    disappear();
    await later(20, 5);
    keep(network, coin.txid, hex);
    await later(25 * 60, 2);
    expect(await satoshis()).toBe(0n);
  });

  test('a payment that a block contains later is restored, though no list shows it', async () => {
    const { network, coin, disappear, later, satoshis, row } = await received();
    disappear();
    await later(20, 5);
    expect(await row()).toMatchObject({ status: 'FAILED' });
    network.mine([coin.txid]);
    await later(25 * 60);
    expect(await row()).toMatchObject({ status: 'COMPLETED', failure: null });
    expect(await satoshis()).toBe(700n);
  });

  test('a payment whose coin the wallet has spent also fails, and the coin stays out of the balance when it is released', async () => {
    const { network, doubleSpend, refreshCoins, satoshis, coins, row, database } = await received();
    const { putCoin } = await import('../coins/records.ts');
    const db = await database.database(current);
    const [stored] = await db.getAll('coins');
    await database.inTransaction(current, (tx) => putCoin(tx, { ...stored!, status: 'spent', paymentId: 'payment-1' }));
    network.mine([doubleSpend()]);
    await refreshCoins(current);
    expect(await row()).toMatchObject({ status: 'FAILED', failure: 'double-spent' });
    expect(await coins()).toMatchObject([{ status: 'spent' }]); // the payment still spends it
    await database.inTransaction(current, (tx) => putCoin(tx, { ...stored!, status: 'available', paymentId: null }));
    await refreshCoins(current);
    expect(await coins()).toMatchObject([{ status: 'gone' }]);
    expect(await satoshis()).toBe(0n);
  });
});
