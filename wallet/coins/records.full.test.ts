import { expect, test } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { testCoin } from '../../testkit/wallet/coins.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { ranked, type Coin } from './coin.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

const wallet = useDatabase(() => import('./records.ts'));

const OURS = 'aa'.repeat(32);
/** Returns a one-satoshi coin with a script of `bytes` bytes. */
const coin = (vout: number, bytes: number, more: Partial<Coin> = {}) =>
  testCoin(1n, { vout, script: '00'.repeat(bytes), ...more });
const keep = (...of: Parameters<typeof coin>) => wallet.write((tx) => wallet.putCoin(tx, coin(...of)));
const OTHER = { txid: 'bb'.repeat(32) };
const check = (...sizes: number[]) => codeOf(wallet.checkScriptQuota(current, OURS, sizes));

test('a script of up to 400 kB is stored', async () => {
  expect(await check(400_000, 2001)).toBe('none');
  expect(await check(2001, 400_001)).toBe('too-large');
});

test('one transaction’s scripts are stored up to 1 MB, not counting small ones', async () => {
  expect(await check(400_000, 400_000, 200_000, 2000)).toBe('none');
  expect(await check(400_000, 400_000, 200_001)).toBe('too-large');
  await keep(0, 400_000);
  await keep(1, 100_000, { status: 'pending' });
  await keep(2, 2000);
  await keep(3, 300_000, { txid: 'bb'.repeat(32) });
  await keep(4, 300_000, { status: 'spent' });
  expect(await check(400_000, 100_000)).toBe('none');
  expect(await check(400_000, 100_001)).toBe('too-large');
});

test('all scripts together are stored up to 20 MB, and small scripts beyond that', async () => {
  await keep(0, 19_600_000, { txid: 'bb'.repeat(32) });
  expect(await check(400_000)).toBe('none');
  await keep(1, 400_000, { txid: 'bb'.repeat(32) });
  expect(await check(2001)).toBe('too-large');
  await keep(2, 2001, { txid: 'bb'.repeat(32) });
  expect(await check(2000, 2000)).toBe('none');
});

test('the sum starts with the first coin, so no coins have to be read for it', async () => {
  await keep(0, 100);
  expect(await wallet.db.get('totals', 'scripts')).toEqual({ bytes: 0 });
  await keep(1, 3000);
  expect(await wallet.db.get('totals', 'scripts')).toEqual({ bytes: 3000 });
});

test('a spent coin frees space, and one that returns uses it again', async () => {
  await keep(0, 19_600_000, OTHER);
  expect(await check(400_000)).toBe('none');
  await keep(1, 10_000, OTHER);
  expect(await check(400_000)).toBe('too-large');
  await keep(1, 10_000, { ...OTHER, status: 'spent' });
  expect(await check(400_000)).toBe('none');
  await keep(1, 10_000, { ...OTHER, status: 'pending' });
  await keep(1, 10_000, { ...OTHER, status: 'available' });
  expect(await check(390_000)).toBe('none');
  expect(await check(390_001)).toBe('too-large');
  // Coins of more than one satoshi aren't counted, even if their scripts are large.
  await wallet.write((tx) => wallet.putCoin(tx, { ...coin(2, 500_000, OTHER), satoshis: 2n }));
  expect(await check(390_000)).toBe('none');
});

test('a wallet from an earlier version, which has no sum yet, counts all its coins, with any number of small ones', async () => {
  const tx = wallet.db.transaction('coins', 'readwrite');
  for (let i = 0; i < 2100; i += 1) void tx.store.put(ranked(coin(i, 100, OTHER)));
  for (const [vout, status] of (['available', 'pending'] as const).entries())
    void tx.store.put(ranked(coin(vout, 9_800_000, { txid: 'cc'.repeat(32), status })));
  await tx.done;
  expect(await check(400_000)).toBe('none');
  expect(await check(400_001 - 2001, 2001)).toBe('too-large');
});
