import { expect, test } from 'vitest';
import { useDatabase } from '../../testkit/wallet/database.ts';
import type { HistoryProgress, ScanProgress } from './history/progress.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const scan = useDatabase(async () => ({
  ...(await import('./scan-progress.ts')),
  ...(await import('./history/history.ts')),
}));

const set = (key: 'scan' | 'history', value: ScanProgress | HistoryProgress) => scan.db.put('keyval', value, key);
const wait = (order: number) => scan.db.put('history', { txid: `${order}`, order, tries: 0 });
const done = { addresses: 20, coins: 3, done: true };
const unread = (waiting: boolean) => ({ unread: { count: 1, scripts: [], failed: [], waiting } });

test('a wallet that was not restored has nothing to search for', async () => {
  expect(await scan.readProgress(wallet)).toEqual({ addresses: 0, coins: 0, done: true });
  expect(await scan.isScanUnfinished(wallet)).toBe(false);
  expect(await scan.historyLeft(wallet)).toBeNull();
});

test('changed parts of the progress are stored, and the rest stays', async () => {
  await scan.noteProgress(wallet, { left: 5 });
  await scan.noteProgress(wallet, { held: '76a9', coins: 2 });
  expect(await scan.readProgress(wallet)).toEqual({ addresses: 0, coins: 2, done: true, left: 5, held: '76a9' });
});

test.each<[string, ScanProgress, boolean]>([
  ['nothing', done, false],
  ['the search of a restored wallet', { ...done, done: false }, true],
  ['a round of all addresses', { ...done, left: 1 }, true],
  ['no more of a round', { ...done, left: 0 }, false],
  ['a transaction that waits for its turn', { ...done, ...unread(true) }, true],
  ['only a transaction that cannot be read yet', { ...done, ...unread(false) }, false],
])('the next refresh comes soon only if work remains: %s', async (_, progress, is) => {
  await set('scan', progress);
  await set('history', { listed: true });
  expect(await scan.isScanUnfinished(wallet)).toBe(is);
});

test('the next refresh comes soon if the activity lacks transactions never attempted', async () => {
  const left = async () => [await scan.isScanUnfinished(wallet), await scan.historyLeft(wallet)];
  await set('history', { listed: false });
  expect(await left()).toEqual([true, 0]);
  await wait(7);
  expect(await left()).toEqual([true, 1]);
  await set('history', { listed: true });
  expect(await left()).toEqual([true, 1]);
  await scan.db.clear('history');
  await wait(-1);
  expect(await left()).toEqual([false, 1]);
  await scan.db.clear('history');
  expect(await left()).toEqual([false, null]);
});
