import { expect, test } from 'vitest';
import { setTime } from '../../testkit/wallet/clock.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const history = useDatabase(() => import('./history.ts'));

const wait = (txid: string, order?: number) => history.write((tx) => history.readLater(tx, txid, order));
const read = (txid: string) => history.db.get('history', txid);
const next = async (...passed: string[]) => (await history.nextToRead(wallet, new Set(passed)))?.txid ?? null;
async function putOff(txid: string, now = NOW) {
  setTime(now);
  await history.db.put('history', history.putOff(wallet, (await read(txid)) as never));
  return read(txid);
}

test('pending transactions are read in one list, first the unconfirmed ones and then the others, newest first', async () => {
  setTime(NOW);
  expect(await next()).toBeNull();
  for (const [txid, order] of [['old', 7], ['new'], ['middle', 900]] as const) await wait(txid, order);
  expect(await next()).toBe('new');
  expect(await next('new')).toBe('middle');
  expect(await next('new', 'middle')).toBe('old');
  expect(await next('new', 'middle', 'old')).toBeNull();
});

test('a transaction that is already pending keeps its position', async () => {
  await wait('one', 7);
  await wait('one', 900);
  expect(await read('one')).toEqual({ txid: 'one', order: 7, tries: 0 });
  const later = await putOff('one');
  await wait('one');
  expect(await read('one')).toEqual(later);
});

test('an unreadable transaction is due a minute later, and then after twice the delay each time, up to a day', async () => {
  await wait('one', 7);
  for (const [tries, minutes] of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440].entries()) {
    expect(await putOff('one')).toMatchObject({ tries: tries + 1, order: -(NOW + minutes * MINUTE) });
    setTime(NOW + minutes * MINUTE - 1);
    expect(await next()).toBeNull();
    setTime(NOW + minutes * MINUTE);
    expect(await next()).toBe('one');
  }
  await history.db.put('history', { txid: 'one', order: -1, tries: 5000 });
  expect(await putOff('one')).toMatchObject({ order: -(NOW + 1440 * MINUTE) });
});

test('a retried transaction comes after those never attempted, the longest due first', async () => {
  for (const [txid, order] of [
    ['second', 7],
    ['first', 8],
    ['third', 900],
    ['untried', 3],
  ] as const)
    await wait(txid, order);
  for (const [i, txid] of ['first', 'second', 'third'].entries()) await putOff(txid, NOW + i);
  setTime(NOW + MINUTE + 1);
  expect(await next()).toBe('untried');
  expect(await next('untried')).toBe('first');
  expect(await next('untried', 'first')).toBe('second');
  expect(await next('untried', 'first', 'second')).toBeNull();
});

test('the number of pending transactions, and of those never attempted, is returned', async () => {
  expect([await history.countToRead(wallet), await history.countUntried(wallet)]).toEqual([0, 0]);
  for (const [txid, order] of [['one', 1], ['two'], ['three', 900]] as const) await wait(txid, order);
  expect([await history.countToRead(wallet), await history.countUntried(wallet)]).toEqual([3, 3]);
  await putOff('two');
  expect([await history.countToRead(wallet), await history.countUntried(wallet)]).toEqual([3, 2]);
});

test('the height reported by the index stays known after each postponement', async () => {
  await wait('mined', 7);
  await wait('arriving');
  const height = async (txid: string) => history.heightOf((await read(txid)) as never);
  for (let tries = 0; tries < 3; tries += 1) {
    expect([await height('mined'), await height('arriving')]).toEqual([7, 0]);
    for (const txid of ['mined', 'arriving']) await putOff(txid);
  }
});
