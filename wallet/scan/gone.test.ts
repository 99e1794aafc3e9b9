/**
 * After an incoming transaction has certainly disappeared, its money leaves the balance. If the transaction reappears,
 * so does the money.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { endAllWorkerRuns } from '../../testkit/wallet/worker-run.ts';
import { index, wallet } from '../../testkit/network/scripted-index.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

/** Starts a wallet with 700 unconfirmed satoshis, and a clock that the test advances. */
async function received() {
  const network = await index();
  const coin = network.pay('receive', 0, 700);
  const made = await wallet(network.url, false);
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
    const { network, coin, refreshCoins, satoshis, coins, row } = await received();
    network.doubleSpend(coin);
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
    const { network, coin, later, satoshis, database } = await received();
    const txid = network.spend(coin, undefined, undefined, { chain: 'receive', at: 1, value: 600 });
    await later(0);
    expect(await satoshis()).toBe(600n);
    const child = network.state.coins.at(-1)!;
    network.doubleSpend(coin);
    network.drop(child);
    await later(10, 2);
    expect(await satoshis()).toBe(0n);
    const db = await database.database(current);
    const [parent, itself] = await Promise.all([coin.txid, txid].map((one) => db.get('receipts', one)));
    expect(parent).toMatchObject({ failed: 'double-spent', lostTo: expect.anything() });
    expect(itself).toMatchObject({ failed: 'double-spent', lostTo: parent?.lostTo });
  });

  test('an unconfirmed double spend doesn’t make a payment gone', async () => {
    const { network, coin, later, satoshis, row } = await received();
    const bytes = network.state.transactions.get(coin.txid) as string;
    network.doubleSpend(coin, false);
    network.state.transactions.set(coin.txid, bytes); // the index has both transactions
    await later(20, 6);
    expect(await satoshis()).toBe(700n);
    expect(await row()).toMatchObject({ status: 'RECEIVED' });
  });

  test('a payment unknown to index and ARC is dropped after several checks, not immediately', async () => {
    const { network, coin, later, satoshis, row } = await received();
    network.drop(coin);
    await later(0, 5);
    await later(10, 2);
    expect(await satoshis()).toBe(700n);
    expect(await row()).toMatchObject({ status: 'RECEIVED', failure: null });
    await later(10, 2);
    expect(await satoshis()).toBe(0n);
    expect(await row()).toMatchObject({ status: 'FAILED', failure: 'dropped' });
  });

  test.each<[string, (network: Awaited<ReturnType<typeof received>>['network'], txid: string, bytes: string) => void]>([
    ['ARC has', (network, txid) => void network.state.arc.set(txid, 'SEEN_ON_NETWORK')],
    ['the index has by its id', (network, txid, bytes) => void network.state.transactions.set(txid, bytes)],
  ])('a payment that %s stays, though no list shows it', async (_, keep) => {
    const { network, coin, later, satoshis } = await received();
    keep(network, coin.txid, network.drop(coin));
    await later(20, 6);
    expect(await satoshis()).toBe(700n);
  });

  test('failed checks don’t drop a payment, nor do checks between which it was seen', async () => {
    const { network, coin, later, satoshis } = await received();
    const bytes = network.drop(coin);
    network.state.down = true;
    await later(20, 6);
    network.state.down = false;
    await later(20, 3);
    network.state.transactions.set(coin.txid, bytes);
    network.state.coins.push(coin);
    await later(20);
    network.drop(coin);
    await later(20, 3);
    expect(await satoshis()).toBe(700n);
    await later(20);
    expect(await satoshis()).toBe(0n);
  });

  test('a payment that returns is restored once', async () => {
    const { network, coin, later, satoshis, row, store } = await received();
    const bytes = network.drop(coin);
    await later(20, 5);
    expect(await satoshis()).toBe(0n);
    network.state.transactions.set(coin.txid, bytes);
    network.state.coins.push(coin);
    await later(1, 2);
    expect(await store.balance(current)).toMatchObject({ satoshis: 700n, unconfirmed: 700n, available: 1 });
    expect(await row()).toMatchObject({ status: 'RECEIVED', satoshis: '700', failure: null, statusDescription: null });
  });

  test('a payment that a block contains later is restored, though no list shows it', async () => {
    const { network, coin, later, satoshis, row } = await received();
    network.drop(coin);
    await later(20, 5);
    expect(await row()).toMatchObject({ status: 'FAILED' });
    network.chain.mine([coin.txid]);
    network.proofs.set(coin.txid, network.chain.proof(coin.txid));
    await later(25 * 60);
    expect(await row()).toMatchObject({ status: 'COMPLETED', failure: null });
    expect(await satoshis()).toBe(700n);
  });

  test('a payment whose coin the wallet has spent also fails, and the coin stays out of the balance when it is released', async () => {
    const { network, coin, refreshCoins, satoshis, coins, row, database } = await received();
    const { putCoin } = await import('../coins/records.ts');
    const db = await database.database(current);
    const [stored] = await db.getAll('coins');
    await database.inTransaction(current, (tx) => putCoin(tx, { ...stored!, status: 'spent', paymentId: 'payment-1' }));
    network.doubleSpend(coin);
    await refreshCoins(current);
    expect(await row()).toMatchObject({ status: 'FAILED', failure: 'double-spent' });
    expect(await coins()).toMatchObject([{ status: 'spent' }]); // the payment still spends it
    await database.inTransaction(current, (tx) => putCoin(tx, { ...stored!, status: 'available', paymentId: null }));
    await refreshCoins(current);
    expect(await coins()).toMatchObject([{ status: 'gone' }]);
    expect(await satoshis()).toBe(0n);
  });
});
