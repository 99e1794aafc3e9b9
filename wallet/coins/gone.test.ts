import { describe, expect, test } from 'vitest';
import { mineHeader } from '../../testkit/network/blocks.ts';
import { testCoin, testReceipt } from '../../testkit/wallet/coins.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import type { Coin, CoinStatus } from './coin.ts';
import type { Receipt } from './receipts/receipt.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

const wallet = useDatabase(async () => ({
  ...(await import('./gone.ts')),
  ...(await import('./records.ts')),
  ...(await import('./coin-store.ts')),
}));

const [GONE, OTHER, NOT_OURS] = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32)) as [string, string, string];
const LOOK = { at: 900, unknown: 3, since: 100 };
const BLOCK = mineHeader('00'.repeat(32), { height: 8 });
const LOST_TO = { txid: 'dd'.repeat(32), height: BLOCK.height, hash: BLOCK.hash };

/** Stores unconfirmed coins of different values. */
const put = (...coins: Partial<Coin>[]) =>
  wallet.write(async (tx) => {
    for (const [i, coin] of coins.entries()) {
      const satoshis = BigInt(100 * (i + 1));
      await wallet.putCoin(tx, testCoin(satoshis, { txid: GONE, vout: i, height: null, ...coin }));
    }
  });
const receipt = (more: Partial<Receipt> = {}) => wallet.db.put('receipts', testReceipt({ txid: GONE, ...more }));
const stored = () => wallet.db.get('receipts', GONE);
const statuses = async () => (await wallet.db.getAll('coins')).map(({ status }) => status);
const bringBack = () => wallet.write((tx) => wallet.restoreReceipt(current, tx, GONE));

describe('incoming money whose transaction is gone', () => {
  test('money whose transaction is gone leaves the balance, with its receipt, and no other money does', async () => {
    await put({}, { txid: OTHER });
    await receipt();
    await wallet.markFailed(current, GONE, 'dropped', LOOK);
    expect(await statuses()).toEqual(['gone', 'available']);
    expect(await stored()).toEqual(testReceipt({ txid: GONE, failed: 'dropped', look: LOOK }));
    expect(await wallet.balance(current)).toEqual({ satoshis: 200n, unconfirmed: 200n, available: 1 });
  });

  test('spent money stays with the payment that has spent it', async () => {
    const theirs: CoinStatus[] = ['void', 'pending', 'reserved', 'spent'];
    await put(...theirs.map((status) => ({ status, paymentId: 'payment' })));
    await receipt();
    await wallet.markFailed(current, GONE, 'dropped', LOOK);
    expect(await statuses()).toEqual(theirs);
    expect((await wallet.db.getAll('coins')).map(({ paymentId }) => paymentId)).toEqual(theirs.map(() => 'payment'));
  });

  test('money in a block, or not received, is never gone', async () => {
    await put({ height: 0 });
    await wallet.markFailed(current, GONE, 'dropped', LOOK);
    expect(await stored()).toBeUndefined();
    const confirmed = testReceipt({ txid: GONE, height: 0, unconfirmed: 0 });
    await receipt(confirmed);
    await wallet.markFailed(current, GONE, 'dropped', LOOK);
    expect(await stored()).toEqual(confirmed);
    expect(await statuses()).toEqual(['available']);
  });

  test('money is lost to another transaction only while the other transaction’s block is in the chain', async () => {
    await put({});
    await receipt();
    await wallet.markFailed(current, GONE, 'double-spent', LOOK, LOST_TO);
    expect([await stored(), await statuses()]).toEqual([testReceipt({ txid: GONE }), ['available']]);
    await wallet.db.put('headers', BLOCK);
    await wallet.markFailed(current, GONE, 'double-spent', LOOK, LOST_TO);
    expect(await stored()).toEqual(testReceipt({ txid: GONE, failed: 'double-spent', look: LOOK, lostTo: LOST_TO }));
    expect(await statuses()).toEqual(['gone']);
  });

  test('gone money is checked again: the receipt keeps the last check, the last reason, and the other transaction', async () => {
    await receipt({ failed: 'double-spent', look: LOOK, lostTo: LOST_TO });
    const later = { ...LOOK, at: 901 };
    await wallet.markFailed(current, GONE, 'double-spent', later);
    expect(await stored()).toMatchObject({ failed: 'double-spent', look: later, lostTo: LOST_TO });
    await wallet.markFailed(current, GONE, 'dropped', later);
    expect(await stored()).toMatchObject({ failed: 'dropped', look: later });
  });

  test('a coin of the gone transaction that is found later is gone as well', async () => {
    await receipt({ failed: 'dropped', look: LOOK });
    await put({});
    await wallet.markFailed(current, GONE, 'dropped', LOOK);
    expect(await statuses()).toEqual(['gone']);
  });

  test('the receipt shows that the money is gone', async () => {
    const isGone = (txid: string) => wallet.write((tx) => wallet.isFailed(tx, txid));
    await receipt({ failed: 'dropped' });
    await wallet.db.put('receipts', testReceipt({ txid: OTHER }));
    expect([await isGone(GONE), await isGone(OTHER), await isGone(NOT_OURS)]).toEqual([true, false, false]);
  });
});

describe('incoming money whose transaction exists after all', () => {
  test('the address of a coin that a payment spends counts as paid only while the transaction exists', async () => {
    const { script } = testCoin(100n);
    const isSeen = async () => (await wallet.db.get('addresses', script))?.seen;
    await wallet.db.put('addresses', { script, address: 'm', chain: 'receive', index: 3, used: true, seen: true });
    await put({ status: 'reserved', paymentId: 'payment', script, seen: true });
    await receipt();
    await wallet.markFailed(current, GONE, 'dropped', LOOK);
    expect(await isSeen()).toBe(false);
    await bringBack();
    expect(await isSeen()).toBe(true);
  });

  test('returned money is in the balance again, except its spent part', async () => {
    await put({ status: 'gone' }, { status: 'spent' }, { status: 'reserved' }, { status: 'gone', txid: OTHER });
    await receipt({ failed: 'double-spent', look: LOOK, lostTo: LOST_TO, note: 'for lunch' });
    await bringBack();
    expect(await statuses()).toEqual(['available', 'spent', 'reserved', 'gone']);
    expect(await stored()).toEqual(testReceipt({ txid: GONE, note: 'for lunch' }));
    expect((await wallet.balance(current)).satoshis).toBe(100n);
  });

  test('returned money is checked from the start, even if it was given up', async () => {
    for (const more of [{ failed: 'dropped' as const }, { look: LOOK }, {}]) {
      await receipt(more);
      await bringBack();
      expect(await stored()).toEqual(testReceipt({ txid: GONE }));
    }
  });

  test('returned money may have no receipt', async () => {
    await put({ status: 'gone' });
    await bringBack();
    expect(await statuses()).toEqual(['available']);
    expect(await wallet.db.count('receipts')).toBe(0);
  });
});

test('a check without changes is stored with the receipt, if there is one', async () => {
  await wallet.recordCheck(current, GONE, LOOK);
  expect(await stored()).toBeUndefined();
  await receipt({ note: 'for lunch' });
  await wallet.recordCheck(current, GONE, LOOK);
  expect(await stored()).toEqual(testReceipt({ txid: GONE, note: 'for lunch', look: LOOK }));
});

test('the lost coin is the first of several coins whose transaction a block made impossible', async () => {
  const lost = (...outpoints: string[]) => wallet.lostCoin(current, outpoints);
  const [ours, second] = [`${GONE}:4`, `${GONE}:5`];
  const others = [`${OTHER}:0`, `${NOT_OURS}:0`];
  await wallet.db.put('receipts', testReceipt({ txid: OTHER }));
  for (const more of [{}, { failed: 'dropped' as const }, { failed: 'double-spent' as const }]) {
    await receipt(more);
    expect(await lost(...others, ours)).toBeNull();
  }
  // The index reported that the winning transaction is in a block, but that block isn't proven.
  await receipt({ failed: 'dropped', lostTo: LOST_TO });
  expect(await lost(ours)).toBeNull();
  await receipt({ failed: 'double-spent', lostTo: LOST_TO });
  expect(await lost(...others)).toBeNull();
  expect(await lost()).toBeNull();
  expect(await lost(...others, ours, second)).toEqual({ ...LOST_TO, outpoint: ours });
});

test('a coin is also lost if a block ended the payment that creates it, while that block is in the chain', async () => {
  const ended = { txid: LOST_TO.txid, height: BLOCK.height, state: 'signed' };
  const payment = { id: 'payment', createdAt: 1, state: 'failed', signed: { txid: GONE, inputs: [] }, ended };
  await wallet.db.put('payments', payment as never);
  expect(await wallet.lostCoin(current, [`${GONE}:4`])).toBeNull();
  await wallet.db.put('headers', BLOCK);
  expect(await wallet.lostCoin(current, [`${GONE}:4`])).toEqual({ ...LOST_TO, outpoint: `${GONE}:4` });
});

test('change stops counting in every payment that depends on missing money, and counts again once the money returns', async () => {
  const signed = (txid: string, ...inputs: string[]) => ({
    txid,
    inputs,
    inputSatoshis: inputs.map((_, i) => (i === 0 ? 1000n : 100n)),
    ownOutputs: [`${txid}:0`],
  });
  const [first, second] = ['ee'.repeat(32), 'ff'.repeat(32)] as [string, string];
  const stuck = { createdAt: 1, state: 'broadcast', trouble: 'unseen' };
  const payments = [
    { ...stuck, id: 'first', signed: signed(first, `${GONE}:0`) },
    { ...stuck, id: 'second', signed: signed(second, `${first}:0`, `${OTHER}:0`) },
    { ...stuck, id: 'other', trouble: null, signed: signed(NOT_OURS, `${GONE}:1`) },
  ];
  for (const payment of payments) await wallet.db.put('payments', payment as never);
  await put(
    { status: 'spent', paymentId: 'first' },
    { status: 'spent', paymentId: 'other' },
    { txid: first, vout: 0, status: 'spent', paymentId: 'second' },
    { txid: second, vout: 0, status: 'pending' },
    { txid: NOT_OURS, vout: 0, status: 'pending' },
  );
  const total = async () => (await wallet.balance(current)).satoshis;
  expect(await total()).toBe(900n);
  for (const txid of [GONE, OTHER]) {
    await wallet.db.put('receipts', testReceipt({ txid }));
    await wallet.markFailed(current, txid, 'dropped', LOOK);
    expect(await total()).toBe(500n);
  }
  // The second payment's change is again covered by the first one's, even if the other coin is still missing.
  await wallet.write((tx) => wallet.restoreReceipt(current, tx, GONE));
  expect(await total()).toBe(900n);
  await put({ txid: OTHER, vout: 0, status: 'spent', paymentId: 'second' });
  await wallet.write((tx) => wallet.restoreReceipt(current, tx, OTHER));
  expect(await total()).toBe(900n);
});
