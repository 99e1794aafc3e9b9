import { expect, test } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import { testCoin } from '../testing/coins.ts';
import { useDatabase } from '../testing/database.ts';
import { ranked, type Coin } from './coin.ts';

const wallet = useDatabase(() => import('./script-room.ts'));

const OURS = 'aa'.repeat(32);
/** A one-satoshi coin whose script has so many bytes. */
const keep = (vout: number, bytes: number, more: Partial<Coin> = {}) =>
  wallet.db.put('coins', ranked(testCoin(1n, { vout, script: '00'.repeat(bytes), ...more })));
const check = (...sizes: number[]) => codeOf(wallet.checkScriptRoom(OURS, sizes));

test('a script of up to 400 kB is kept', async () => {
  expect(await check(400_000, 2001)).toBe('none');
  expect(await check(2001, 400_001)).toBe('too-large');
});

test('of one transaction as much as a megabyte is kept, small scripts apart', async () => {
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

test('of all together 20 megabytes are kept, and small scripts however full that is', async () => {
  await keep(0, 19_600_000, { txid: 'bb'.repeat(32) });
  expect(await check(400_000)).toBe('none');
  await keep(1, 400_000, { txid: 'bb'.repeat(32) });
  expect(await check(2001)).toBe('too-large');
  await keep(2, 2001, { txid: 'bb'.repeat(32) });
  expect(await check(2000, 2000)).toBe('none');
});
