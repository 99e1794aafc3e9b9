/** Tests notifications for the user: one per payment, with a rate limit. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type * as CameIn from '../assets/came-in.ts';
import type * as Rates from '../chain/rates.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { testReceipt } from '../../testkit/wallet/coins.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { useWallet, wallet as current } from '../../testkit/wallet/current.ts';
import { testPlatform } from '../../testkit/wallet/platform.ts';

const NOW = Date.UTC(2026, 0, 1);
/** Time after which one more notification is allowed (milliseconds). */
const TURN = 600_000;

/** The browser's notifications and windows, and the values of transactions. */
const world = {
  shown: [] as { id: string; title: string; message: string }[],
  isRefused: false,
  cleared: [] as string[],
  opened: [] as string[],
  rates: [] as string[],
  cameIn: new Map<string, CameIn.ReceivedAsset>(),
};

const wallet = useDatabase(async () => {
  useWallet(
    testPlatform({
      runtime: { getURL: (path: string) => `wallet:${path}` },
      notifications: {
        create: async (id: string, { type, iconUrl, ...said }: { type: string; iconUrl: string }) => {
          expect([type, iconUrl]).toEqual(['basic', 'wallet:extension/icons/icon-128.png']);
          if (world.isRefused) throw new Error('the system shows none');
          world.shown.push({ id, ...(said as { title: string; message: string }) });
        },
        clear: async (id: string) => void world.cleared.push(id),
      },
      tabs: { create: async ({ url }: { url: string }) => void world.opened.push(url) },
    }),
  );
  vi.doMock('../chain/rates.ts', () => ({
    rateOrNull: (async (_wallet: unknown, currency) => {
      world.rates.push(currency);
      return { currency, price: '50', time: NOW, sources: 2 };
    }) satisfies typeof Rates.rateOrNull,
  }));
  vi.doMock('../assets/came-in.ts', () => ({
    assetIn: (async (_wallet: unknown, { txid }) => world.cameIn.get(txid) ?? null) satisfies typeof CameIn.assetIn,
  }));
  return { ...(await import('./notify.ts')), ...(await import('../settings.ts')) };
});

beforeEach(async () => {
  setTime(NOW);
  Object.assign(world, { shown: [], isRefused: false, cleared: [], opened: [], rates: [], cameIn: new Map() });
  await wallet.writeSettings(current, { language: 'en', currency: 'EUR' });
});

let made = 0;
/** Stores this many received transactions that haven't been announced yet. */
async function arrived(count: number, more: Partial<Receipt> = {}): Promise<Set<string>> {
  const txids = Array.from({ length: count }, () => `tx-${(made += 1)}`);
  for (const txid of txids) await wallet.db.put('receipts', testReceipt({ txid, sender: null, ...more }));
  return new Set(txids);
}
/** Returns how many of `count` new payments are announced, and whether a summary is shown. */
async function shownOf(count: number): Promise<[shown: number, saysMore: boolean]> {
  world.shown = [];
  await wallet.notifyUser(current, await arrived(count));
  const ids = world.shown.map(({ id }) => id);
  return [ids.filter((id) => id !== 'more').length, ids.includes('more')];
}
const isNoted = async (txids: Set<string>) =>
  (await Promise.all([...txids].map((txid) => wallet.db.get('receipts', txid)))).map((one) => one?.notified);

describe('a transaction', () => {
  test('a transaction is shown once under its ID with its value, and the rest of its record stays unchanged', async () => {
    const txids = await arrived(1, { satoshis: 2_460_000n, note: 'Thanks' });
    const [txid = ''] = txids;
    const before = await wallet.db.get('receipts', txid);
    await wallet.notifyUser(current, txids);
    expect(world.shown).toEqual([{ id: txid, title: 'Received €1.23', message: '2,460,000 satoshis\nThanks' }]);
    expect(await wallet.db.get('receipts', txid)).toEqual({ ...before, notified: true });
    await wallet.notifyUser(current, txids);
    expect(world.shown).toHaveLength(1);
  });

  test('a transaction that was shown before, or is unknown, isn’t shown, and no rate is requested', async () => {
    await wallet.notifyUser(current, new Set([...(await arrived(1, { notified: true })), 'tx-unknown']));
    expect([world.shown, world.rates]).toEqual([[], []]);
    expect(await wallet.db.get('receipts', 'tx-unknown')).toBeUndefined();
    const fresh = await arrived(1);
    await wallet.notifyUser(current, new Set([...(await arrived(1, { notified: true })), ...fresh, 'tx-unknown']));
    expect(world.shown.map(({ id }) => id)).toEqual([...fresh]);
  });

  test('a transaction isn’t shown to a user who turned notifications off, nor later when they are on again', async () => {
    await wallet.writeSettings(current, { notify: false });
    const txids = await arrived(2);
    await wallet.notifyUser(current, txids);
    expect(await isNoted(txids)).toEqual([true, true]);
    await wallet.writeSettings(current, { notify: true });
    await wallet.notifyUser(current, txids);
    expect(world.shown).toEqual([]);
    expect(await shownOf(5)).toEqual([5, false]);
  });

  test('a transaction whose notification the system suppresses counts as shown', async () => {
    world.isRefused = true;
    const txids = await arrived(2);
    await wallet.notifyUser(current, txids);
    expect(await isNoted(txids)).toEqual([true, true]);
  });

  test('a forged token isn’t announced and uses no slot, but an unverified one does', async () => {
    const forged = await arrived(5);
    for (const txid of forged) world.cameIn.set(txid, { claim: 'forged' });
    const [unchecked = '', ordinal = '', money = ''] = await arrived(3);
    world.cameIn.set(unchecked, { claim: 'unchecked' });
    world.cameIn.set(ordinal, { asset: { type: 'ordinal', outpoint: '', contentType: '' }, word: 'chain' });
    const all = new Set([...forged, unchecked, ordinal, money]);
    await wallet.notifyUser(current, all);
    expect(world.shown.map(({ id, title }) => [id, title])).toEqual([
      [unchecked, 'Received a token'],
      [ordinal, 'Received an ordinal'],
      [money, 'Received €0.0005'],
    ]);
    expect(await isNoted(all)).toEqual(Array(8).fill(true));
  });
});

describe('the limit of notifications', () => {
  test('five notifications are shown in parallel, and a sixth one announces the rest', async () => {
    expect(await shownOf(2)).toEqual([2, false]);
    const txids = await arrived(100);
    world.shown = [];
    await wallet.notifyUser(current, txids);
    expect(world.shown.map(({ id }) => id)).toEqual([...[...txids].slice(0, 3), 'more']);
    expect(world.shown.at(-1)).toMatchObject({ title: 'More payments have arrived' });
    expect(await isNoted(txids)).toEqual(Array(100).fill(true));
    expect(await shownOf(1)).toEqual([0, false]);
  });

  test('exactly five transactions need no summary, and the sixth does', async () => {
    expect(await shownOf(5)).toEqual([5, false]);
    expect(await shownOf(1)).toEqual([0, true]);
  });

  test('one more notification is allowed per ten minutes, and elapsed time counts toward the next one', async () => {
    expect(await shownOf(6)).toEqual([5, true]);
    setTime(NOW + TURN - 1);
    expect(await shownOf(1)).toEqual([0, false]);
    setTime(NOW + 1.5 * TURN);
    expect(await shownOf(1)).toEqual([1, false]);
    setTime(NOW + 2 * TURN - 1);
    expect(await shownOf(1)).toEqual([0, true]);
    setTime(NOW + 2 * TURN);
    expect(await shownOf(2)).toEqual([1, true]);
    setTime(NOW + 5 * TURN);
    expect(await shownOf(9)).toEqual([3, true]);
  });

  test('up to five unused slots accumulate', async () => {
    expect(await shownOf(3)).toEqual([3, false]);
    setTime(NOW + TURN);
    expect(await shownOf(4)).toEqual([3, true]);
    setTime(NOW + 100 * TURN);
    expect(await shownOf(9)).toEqual([5, true]);
  });

  test('a clock that is set back uses no slot and blocks no notification', async () => {
    expect(await shownOf(1)).toEqual([1, false]);
    setTime(NOW - 10 * TURN);
    expect(await shownOf(5)).toEqual([4, true]);
    setTime(NOW - 9 * TURN);
    expect(await shownOf(1)).toEqual([1, false]);
  });
});

test('a click on a notification removes it and opens the wallet', () => {
  wallet.notificationClicked(current, 'tx-1');
  expect([world.cleared, world.opened]).toEqual([['tx-1'], ['wallet:extension/popup/index.html']]);
});
