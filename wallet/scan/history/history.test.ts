/** The activity shown after restoring a wallet from its recovery words. */
import { afterEach, describe, expect, test } from 'vitest';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import type { ActivityItem } from '../../../protocol/messages/wallet-messages.ts';
import { testPair, testReceipt } from '../../../testkit/wallet/coins.ts';
import type { ForkingNetwork } from '../../../testkit/network/forking.ts';
import type { Operator } from '../../../testkit/network/operators.ts';
import { approveAll, ask, openWallet, pay, someone } from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import { expectRestored, network, rowsOf, leftOf, restored, sortedRows } from './testing-history.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';
import { addressOf, listOnly, pay as payWallet, payAll, spend, startIndex, wallet } from '../testing-scan.ts';

afterEach(endAllWorkerRuns);

describe('the development network', () => {
  test('payments are listed as payments, change isn’t listed, and received money is complete, with one row per transaction', async () => {
    const before = await openWallet(network, [1_000_000, 70_000]);
    approveAll(before);
    for (let i = 0; i < 3; i += 1) await ask(before, `request-${i}`, pay(someone(), 20_000 + i));
    await network.mine();
    await ask(before, 'request-4', pay(someone(), 30_000)); // unconfirmed
    await before.modules.poll.refresh(current);
    const expected = await sortedRows(before.modules);
    expect(expected.map(({ direction }) => direction).sort()).toEqual([
      ...Array(2).fill('received'),
      ...Array(4).fill('sent'),
    ]);
    const { modules } = await restored(before);
    expect(await sortedRows(modules)).toEqual(expected);
    expect(await leftOf(modules)).toBeNull();
    expect(await rowsOf(modules, { status: 'COMPLETED' })).toHaveLength(5);
    expect(await rowsOf(modules, { status: 'RECEIVED' })).toHaveLength(1);
    expect((await rowsOf(modules, { direction: 'sent' })).map(({ txid }) => txid)).toHaveLength(4);
    expect((await rowsOf(modules, { direction: 'received' })).map(({ satoshis }) => satoshis).sort()).toEqual([
      '1000000',
      '70000',
    ]);
    // Repeating the refresh changes neither the list nor the balance.
    const balance = await modules.store.balance(current);
    await modules.poll.refresh(current);
    expect(await sortedRows(modules)).toEqual(expected);
    expect(await modules.store.balance(current)).toEqual(balance);
  });
});

test.each<Operator>(['arc', 'arcade'])('history and coins are restored from the words through %s', async (operator) => {
  await expectRestored(operator, operator);
});

/** Makes the index list one address at a time, and add a transaction to the history of the first address. */
function alsoList(lists: ForkingNetwork, txid: string): void {
  lists.historyPage = null;
  const path = `/address/${addressOf('receive', 0)}`;
  lists.instead.set(`${path}/used`, { body: true });
  lists.instead.set(`${path}/confirmed/history`, { body: { result: [{ tx_hash: txid, height: 0 }] } });
}

describe('a lying index', () => {
  test('a coin that a dropped transaction spends still counts when that transaction is read', async () => {
    const lists = await startIndex();
    const coin = payWallet(lists, 'receive', 0, 700);
    const made = await wallet(lists, false);
    await made.refreshCoins(current);
    const txid = spend(lists, [coin], { change: { chain: 'change', at: 0, value: 600 } });
    lists.instead.set(`/tx/${txid}/hex`, { body: lists.known.get(txid)!.hex });
    lists.forget(txid);
    const db = await made.database.database(current);
    const look = { at: Date.now(), unknown: 4, since: 0 };
    await db.put('receipts', testReceipt({ txid, reading: 'waiting', failed: 'dropped', look }));
    await db.put('history', { txid, order: 1_000_000_000, tries: 0 });
    await made.refreshCoins(current);
    expect(await db.get('receipts', txid)).toMatchObject({ reading: 'done', failed: 'dropped' });
    expect(await made.satoshis()).toBe(700n);
  });

  test('money received at two addresses counts in full, even if one of the coins is spent', async () => {
    const lists = await startIndex();
    const [one] = payAll(lists, [
      { chain: 'receive', at: 0, value: 700 },
      { chain: 'receive', at: 1, value: 500 },
    ]);
    const txid = spend(lists, [one!], { change: { chain: 'change', at: 0, value: 600 } });
    const made = await wallet(lists, true);
    await made.refreshCoins(current);
    const rows = await rowsOf(made);
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual(expect.objectContaining({ direction: 'received', satoshis: '1200' }));
    expect(rows).toContainEqual(expect.objectContaining({ direction: 'sent', satoshis: '1', feeSatoshis: '99', txid }));
    expect(await made.satoshis()).toBe(1100n);
  });

  test('a payment by a different key and a missing transaction are not payments, and the activity shows that one is missing', async () => {
    const lists = await startIndex();
    const coin = payWallet(lists, 'receive', 0, 700);
    const forged = spend(lists, [coin], { key: testPair(5), change: { chain: 'change', at: 0, value: 600 } });
    alsoList(lists, 'ee'.repeat(32));
    const made = await wallet(lists, true);
    await made.refreshCoins(current).catch(() => undefined);
    // A third party's key signed the payment, so the money at the change address came from that party.
    expect((await rowsOf(made)).map(({ direction, txid }) => [direction, txid])).toEqual(
      expect.arrayContaining([
        ['received', coin.txid],
        ['received', forged],
      ]),
    );
    expect(await rowsOf(made, { direction: 'sent' })).toEqual([]);
    expect(await leftOf(made)).toBe(1);
  });

  test('a payment that the wallet’s key did not sign is not listed', async () => {
    const lists = await startIndex();
    const coin = payWallet(lists, 'receive', 0, 700);
    const txid = spend(lists, [coin], { value: 701, change: { chain: 'change', at: 0, value: 600 } });
    const made = await wallet(lists, true);
    await made.refreshCoins(current).catch(() => undefined);
    expect(await rowsOf(made, { direction: 'sent' })).toEqual([]);
    const { items } = (await made.handlers.walletHandlers(current)['activity/list']({ limit: 10 })) as {
      items: ActivityItem[];
    };
    expect(items.find((one) => one.txid === txid)).toMatchObject({ isUnverified: true });
    expect(await leftOf(made)).toBe(1);
  });

  test('a payment whose inputs can’t be read shows its amount as unknown until they can', async () => {
    const lists = await startIndex();
    const coin = payWallet(lists, 'receive', 0, 700);
    const txid = spend(lists, [coin], { change: { chain: 'change', at: 0, value: 600 } });
    const { hex } = lists.known.get(coin.txid)!;
    lists.forget(coin.txid);
    alsoList(lists, txid); // spends from the address, although its inputs can't be read
    const made = await wallet(lists, true);
    await made.refreshCoins(current).catch(() => undefined);
    const { items } = (await made.handlers.walletHandlers(current)['activity/list']({ limit: 10 })) as {
      items: ActivityItem[];
    };
    expect(items).toMatchObject([{ txid, isUnverified: true }]);
    expect(await leftOf(made)).toBe(1);
    lists.instead.clear();
    lists.take(fromHex(hex));
    const db = await made.database.database(current);
    await db.put('history', { txid, order: 1, tries: 1 }); // makes the entry due
    await made.database.writeKey(current, 'history', { listed: false });
    await made.refreshCoins(current);
    expect(await rowsOf(made)).toHaveLength(2);
    expect(await rowsOf(made)).toContainEqual(
      expect.objectContaining({ direction: 'sent', satoshis: '1', feeSatoshis: '99', txid }),
    );
    expect(await leftOf(made)).toBeNull();
  });

  test('a long history is read in parts, the newest first, and reports what remains', async () => {
    const lists = await startIndex();
    const coins = Array.from({ length: 230 }, (_, i) => payWallet(lists, 'receive', i % 15, 10 + i));
    for (let i = 0; i < coins.length; i += 10) lists.mine(coins.slice(i, i + 10).map(({ txid }) => txid));
    listOnly(lists, []); // as if all coins were spent
    const made = await wallet(lists, true);
    await made.refreshCoins(current);
    expect(await leftOf(made)).toBe(130);
    expect(lists.asked.length).toBeLessThan(1000);
    const newest = new Set(coins.slice(130).map(({ txid }) => txid));
    const first = await rowsOf(made);
    expect(first).toHaveLength(100);
    expect(first.every(({ txid }) => newest.has(txid as string))).toBe(true);
    await made.refreshCoins(current);
    await made.refreshCoins(current);
    expect(await leftOf(made)).toBeNull();
    expect(await (await made.database.database(current)).count('receipts')).toBe(230);
  });

  test('an unproven transaction is sorted at its block’s estimated time, which is replaced once it is proven', async () => {
    const lists = await startIndex();
    const txids = Array.from({ length: 4 }, (_, i) => payWallet(lists, 'receive', i, 700 + i).txid);
    listOnly(lists, []); // as if they were spent long ago
    for (const i of [1, 3]) lists.instead.set(`/tx/${txids[i]}/proof/tsc`, { status: 404 });
    lists.chain.cut(lists.chain.blocks.length - 10);
    const timeOf = (i: number) => (1_700_000_000 + 600 * i) * 1000;
    for (let at = 0; at < 20; at += 1)
      lists.chain.mine(txids.slice(at, at + 1), { time: timeOf(at === 1 ? 1.5 : at) / 1000 });
    const made = await wallet(lists, true);
    await made.refreshCoins(current);
    const shown = async () =>
      (
        (await made.handlers.walletHandlers(current)['activity/list']({ limit: 9 })) as { items: ActivityItem[] }
      ).items.map(({ txid, isTimeUnknown = false, time }) => [txids.indexOf(txid as string), isTimeUnknown, time]);
    expect((await shown()).map(([i, isUnknown]) => [i, isUnknown])).toEqual([
      [3, true],
      [2, false],
      [1, true],
      [0, false],
    ]);
    expect((await shown()).map(([, , time]) => time)).toEqual([timeOf(3), timeOf(2), timeOf(1), timeOf(0)]);
    lists.instead.clear();
    await made.refreshCoins(current);
    expect(await shown()).toContainEqual([1, false, timeOf(1.5)]);
  });
});
