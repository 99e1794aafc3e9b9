/** Tests that the work required to restore a history grows linearly with its length, not quadratically. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { WalletResults } from '../../../protocol/messages/wallet-messages.ts';
import { Clone } from '../../../testkit/database/clone.ts';
import { Records } from '../../../testkit/database/records.ts';
import type { ForkingNetwork } from '../../../testkit/network/forking.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';
import { pay, spend, startIndex, wallet } from '../testing-scan.ts';

afterEach(endAllWorkerRuns);

/** Number of transactions in the long history. The short history has a fifth as many. */
const LONG = 120;
/** Every `INCOMING`th transaction is incoming, and each block contains `IN_BLOCK` transactions. */
const [INCOMING, IN_BLOCK] = [10, 50];

/**
 * Starts an index with this many of the wallet's transactions. Each payment spends the change from the previous one.
 */
async function indexWith(count: number) {
  const lists = await startIndex();
  let coin = pay(lists, 'receive', 0, 1_000_000_000);
  const txids = [coin.txid];
  for (let i = 1; i < count; i += 1) {
    if (i % INCOMING === 0) {
      txids.push(pay(lists, 'receive', i / INCOMING, 1000).txid);
      continue;
    }
    const change = { chain: 'change' as const, at: i, value: coin.value - 100 };
    coin = { ...change, txid: spend(lists, [coin], { change }), vout: 1 };
    txids.push(coin.txid);
  }
  for (let i = 0; i < txids.length; i += IN_BLOCK)
    lists.chain.mine(txids.slice(i, i + IN_BLOCK), { time: 1_700_000_000 + i * 600 });
  return { lists, txids };
}

/** Counts the records that are read from and written to the database. */
function countRecords(): () => number {
  const read = vi.spyOn(Clone.prototype, 'copy');
  const written = vi.spyOn(Records.prototype, 'put');
  return () => read.mock.calls.length + written.mock.calls.length;
}

/** Restores the wallet until its history is complete. Returns the displayed data and the work done. */
async function restore(count: number) {
  const { lists, txids } = await indexWith(count);
  const records = countRecords();
  const made = await wallet(lists, true);
  const { isScanUnfinished } = await import('../scan-progress.ts');
  let refreshes = 0;
  do {
    await made.refreshCoins(current);
    refreshes += 1;
  } while (await isScanUnfinished(current));
  const took = { refreshes, requests: lists.asked.length, records: records() };
  const ask = made.handlers.walletHandlers(current);
  const before = records();
  const first = (await ask['activity/list']({ limit: 20 })) as WalletResults['activity/list'];
  const firstPage = records() - before;
  const exported: WalletResults['activity/export']['items'] = [];
  for (let place: string | null | undefined; place !== null;) {
    const page = (await ask['activity/export']({
      ...(place !== undefined && { before: place }),
    })) as WalletResults['activity/export'];
    exported.push(...page.items);
    place = page.before;
  }
  const file = records() - before - firstPage;
  return { ...took, first, firstPage, exported, file, txids, satoshis: await made.satoshis(), asked: lists.asked };
}

test(
  'a restore, a page and the export take work in proportion to the history, and miss nothing',
  { timeout: 3_600_000 },
  async () => {
    const short = await restore(LONG / 5);
    endAllWorkerRuns();
    const long = await restore(LONG);
    expect(long.exported.map(({ txid }) => txid).sort()).toEqual(long.txids.toSorted());
    const payments = long.exported.filter(({ direction }) => direction === 'sent');
    expect(payments).toHaveLength(LONG - Math.ceil(LONG / INCOMING));
    expect(payments.every(({ satoshis, feeSatoshis }) => satoshis === '1' && feeSatoshis === '99')).toBe(true);
    const sum = long.exported.reduce(
      (left, { direction, satoshis, feeSatoshis }) =>
        direction === 'sent' ? left - BigInt(satoshis) - BigInt(feeSatoshis ?? 0) : left + BigInt(satoshis),
      0n,
    );
    expect(sum).toBe(long.satoshis);
    expect(long.first.items.map(({ txid }) => txid)).toEqual(long.exported.slice(0, 20).map(({ txid }) => txid));
    // Two requests per transaction (one for its bytes, one for its proof), plus the maximum number of lists per
    // refresh.
    expect(long.requests).toBeLessThan(2.2 * LONG + 150 * (long.refreshes + 1));
    // Because the history is five times as long, quadratic work would read 25 times as many records. The limit leaves
    // room for each refresh to check addresses that hold coins.
    expect(long.records).toBeLessThan(11 * short.records);
    // The worker's background jobs also read a few records.
    expect(long.firstPage).toBeLessThan(1.5 * short.firstPage);
    expect(long.file).toBeLessThan(7 * short.file);
  },
);

describe('requests during a restore', () => {
  test.each<[string, (lists: ForkingNetwork) => void, number]>([
    ['an index that lists many addresses together gets one request for twenty', () => undefined, 0],
    ['an index that lists only the first of each gets a request for the rest', (lists) => (lists.historyPage = 1), 25],
    [
      'an index that lists one address at a time gets one request per address',
      (lists) => {
        lists.instead.set('/addresses/unspent/all', { status: 404 });
        lists.historyPage = null;
      },
      25,
    ],
  ])('%s', async (_, as, least) => {
    const { lists, txids } = await indexWith(25);
    as(lists);
    const made = await wallet(lists, true);
    await made.refreshCoins(current);
    const asked = lists.asked.filter(({ url }) => /^\/woc\/address\/\w+\/confirmed\/history/.test(url));
    expect(asked.length).toBeGreaterThanOrEqual(least);
    // One address's own list is needed to prove that the last used address was paid.
    if (least === 0) expect(asked.length).toBeLessThanOrEqual(1);
    const { items } = (await made.handlers.walletHandlers(current)['activity/list']({
      limit: 100,
    })) as WalletResults['activity/list'];
    expect(items.map(({ txid }) => txid).sort()).toEqual(txids.toSorted());
    expect((await made.overview.overview(current)).historyLeft).toBeNull();
  });
});
