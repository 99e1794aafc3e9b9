import { afterEach, describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { holdTime } from '../../testkit/wallet/clock.ts';
import { endAllWorkerRuns } from '../../testkit/wallet/worker-run.ts';
import type { ForkingNetwork } from '../../testkit/network/forking.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';
import { addressOf, pay, payAll, spend, startIndex, wallet } from './testing-scan.ts';

afterEach(endAllWorkerRuns);
const asksFor = (network: ForkingNetwork, end: string) =>
  network.asked.filter(({ url }) => url.endsWith(end)).map(({ url }) => url);

describe('transactions that pay the wallet', () => {
  test('transactions hide no others if the index fails at many, including after a restore, and are retried less and less often', async () => {
    const network = await startIndex();
    for (let i = 0; i < 7; i += 1)
      network.instead.set(`/tx/${pay(network, 'receive', 0, 500 + i).txid}/hex`, { status: 500 });
    pay(network, 'receive', 0, 70);
    pay(network, 'change', 2, 8);
    const { refreshCoins, satoshis, overview } = await wallet(network, true);
    holdTime();
    await codeOf(refreshCoins(current)); // after five failures in a row, the index is considered unreachable
    await codeOf(refreshCoins(current));
    await codeOf(refreshCoins(current));
    expect(await satoshis()).toBe(78n);
    expect(await overview.overview(current)).toMatchObject({ unread: 7, scan: null });
    const before = asksFor(network, '/hex').length;
    for (let times = 0; times < 3; times += 1) await codeOf(refreshCoins(current));
    expect(asksFor(network, '/hex').length - before).toBeLessThan(10);
  });

  test('transactions are fetched once, with all their outputs to the wallet, on any addresses', async () => {
    const network = await startIndex();
    const paid = Array.from({ length: 300 }, (_, i) => ({
      chain: i % 2 === 0 ? ('receive' as const) : ('change' as const),
      at: i % 19,
      value: 10 + i,
    }));
    const [{ txid } = { txid: '' }] = payAll(network, [
      ...paid,
      ...[20, 40, 59].map((at) => ({ chain: 'receive' as const, at, value: 1000 })),
    ]);
    pay(network, 'receive', 30, 5);
    const { refreshCoins, satoshis, database } = await wallet(network, true);
    await refreshCoins(current);
    expect(await satoshis()).toBe(paid.reduce((sum, { value }) => sum + BigInt(value), 3005n));
    expect(asksFor(network, `${txid}/hex`)).toHaveLength(1);
    expect(
      (await (await database.database(current)).getAll('receipts')).find((one) => one.txid === txid)?.satoshis,
    ).toBe((await satoshis()) - 5n);
  });

  test('a refresh reads at most a hundred transactions, and the next continues there, even in another run of the worker', async () => {
    const network = await startIndex();
    for (let i = 0; i < 130; i += 1) pay(network, 'receive', i % 3, 10);
    const first = await wallet(network, false);
    await first.refreshCoins(current);
    expect(await first.satoshis()).toBe(1000n);
    expect(await first.overview.overview(current)).toMatchObject({ unread: 30, problem: null });
    const { refreshCoins, overview, profile } = await wallet(network, false, first.profile);
    await vi.waitFor(() => expect(profile.browser.alarms.get('receive')).toMatchObject({ periodInMinutes: 0.5 }));
    await refreshCoins(current);
    await (await import('./poll-alarm.ts')).setPollAlarm(current);
    expect(await overview.overview(current)).toMatchObject({ satoshis: '1300', unread: 0 });
    expect(new Set(asksFor(network, '/hex')).size).toBe(130);
    expect(asksFor(network, '/hex')).toHaveLength(130);
    expect(profile.browser.alarms.get('receive')).toMatchObject({ periodInMinutes: 10 });
  });

  test('a restore of many transactions takes several refreshes, and each continues where the last stopped', async () => {
    const network = await startIndex();
    for (let i = 0; i < 130; i += 1) pay(network, 'receive', 2, 10);
    pay(network, 'change', 1, 7);
    const { refreshCoins, satoshis, overview } = await wallet(network, true);
    await refreshCoins(current);
    expect(await overview.overview(current)).toMatchObject({ scan: { coins: 100 }, unread: 30 });
    await refreshCoins(current);
    expect(await satoshis()).toBe(1307n);
    expect(await overview.overview(current)).toMatchObject({ scan: null, unread: 0 });
  });
});

test('both lists are requested if an index separates confirmed and unconfirmed coins', async () => {
  const network = await startIndex();
  network.instead.set('/addresses/unspent/all', { status: 404 });
  network.historyPage = null;
  const coin = pay(network, 'receive', 0, 500);
  pay(network, 'change', 2, 70);
  const { refreshCoins, satoshis, store } = await wallet(network, true);
  network.mine([coin.txid]);
  await refreshCoins(current);
  expect(await store.balance(current)).toMatchObject({ satoshis: 570n, unconfirmed: 70n });
  spend(network, [coin]);
  await refreshCoins(current);
  expect(await satoshis()).toBe(70n);
});

describe('addresses', () => {
  /** Starts a wallet with every twentieth address used, so most used addresses are far below the latest addresses. */
  async function usedFar(last: number) {
    const network = await startIndex();
    const coins = Array.from({ length: last / 20 + 1 }, (_, i) => pay(network, 'receive', 20 * i, 100));
    const made = await wallet(network, true);
    await made.refreshCoins(current);
    return { ...made, network, paid: coins };
  }

  test('addresses with coins are searched in every refresh, regardless of when they were used', async () => {
    const { network, paid, refreshCoins, satoshis, database } = await usedFar(140);
    // Marks all coins as confirmed, so there is no other reason to search their addresses.
    const db = await database.database(current);
    for (const coin of await db.getAll('coins'))
      await database.inTransaction(current, async (tx) =>
        (await import('../coins/records.ts')).putCoin(tx, { ...coin, height: 3, depth: 0 }),
      );
    await database.writeKey(current, 'scan', {
      addresses: 0,
      coins: 0,
      done: true,
      turn: { chain: 'service', from: 0 },
    });
    for (const coin of paid.slice(0, 5)) spend(network, [coin]); // by another wallet with the same recovery words
    await refreshCoins(current);
    expect(await satoshis()).toBe(300n);
  });

  test('all addresses are searched when a user refreshes and when the browser starts, with few requests', async () => {
    const { network, refreshCoins, satoshis, database, profile } = await usedFar(200);
    pay(network, 'receive', 3, 7);
    await database.writeKey(current, 'scan', {
      addresses: 0,
      coins: 0,
      done: true,
      turn: { chain: 'change', from: 0 },
    });
    await refreshCoins(current);
    expect(await satoshis()).toBe(1100n); // the payment to an old address hasn't been found yet
    network.asked.length = 0;
    await refreshCoins(current, { all: true });
    expect(await satoshis()).toBe(1107n);
    const addresses = network.asked
      .filter(({ url }) => url.endsWith('/unspent/all'))
      .map(({ body }) => (JSON.parse(body) as { addresses: string[] }).addresses);
    expect(addresses.length).toBeLessThan(30);
    expect(new Set(addresses.flat()).size).toBe(addresses.flat().length);
    pay(network, 'receive', 5, 9);
    await database.writeKey(current, 'scan', {
      addresses: 0,
      coins: 0,
      done: true,
      turn: { chain: 'change', from: 0 },
    });
    profile.browser.hasStarted();
    await vi.waitFor(async () => expect(await satoshis()).toBe(1116n));
  });

  test('other addresses are searched in rotation', async () => {
    const { network, refreshCoins, satoshis, database } = await usedFar(200);
    await database.writeKey(current, 'scan', {
      addresses: 0,
      coins: 0,
      done: true,
      turn: { chain: 'change', from: 0 },
    });
    pay(network, 'receive', 3, 7);
    pay(network, 'receive', 155, 9);
    for (let times = 0; times < 9; times += 1) await refreshCoins(current);
    expect(await satoshis()).toBe(1116n);
  });

  test('an address with more coins than the index can list isn’t offered for receiving, hides no others, and is reported', async () => {
    const network = await startIndex();
    const { refreshCoins, satoshis, overview } = await wallet(network, false);
    await refreshCoins(current);
    pay(network, 'service', 2, 50);
    pay(network, 'change', 0, 7);
    pay(network, 'receive', 0, 3);
    const crowded = addressOf('receive', 0);
    network.crowded.add(crowded);
    expect((await overview.overview(current)).receiveAddress).toBe(crowded);
    await refreshCoins(current);
    expect(await satoshis()).toBe(57n);
    expect(await overview.overview(current)).toMatchObject({
      crowded: 1,
      problem: null,
      receiveAddress: addressOf('receive', 1),
    });
    network.asked.length = 0;
    await refreshCoins(current);
    const again = network.asked.filter(({ url, body }) => url.includes('unspent') && body.includes(crowded));
    expect(again).toEqual([]); // not queried again soon, because its list is 32 MB long
  });

  test('addresses with more coins than the index can list don’t block a restore', async () => {
    const network = await startIndex();
    pay(network, 'receive', 0, 3);
    network.crowded.add(addressOf('receive', 0));
    pay(network, 'receive', 15, 50);
    pay(network, 'receive', 33, 60);
    const { refreshCoins, satoshis, overview } = await wallet(network, true);
    await refreshCoins(current);
    expect(await satoshis()).toBe(110n);
    expect(await overview.overview(current)).toMatchObject({ crowded: 1, scan: null });
  });
});
