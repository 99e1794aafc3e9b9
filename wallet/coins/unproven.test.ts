import { expect, test, vi } from 'vitest';
import { testCoin, testReceipt } from '../../testkit/wallet/coins.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { payment, signed, txid } from '../activity/testing-activity.ts';

const wallet = useDatabase(async () => ({ ...(await import('./gone.ts')), ...(await import('./records.ts')) }));

const WIDTH = 8;
const outputsOf = (n: number) => Array.from({ length: WIDTH }, (_, vout) => `${txid(n)}:${vout}`);

/** Stores incoming money, and a chain of unsent payments, each of which spends all outputs of the previous one. */
async function store(length: number): Promise<void> {
  await wallet.db.put('receipts', testReceipt({ txid: txid(0) }));
  await wallet.write(async (tx) => {
    for (let n = 0; n <= length; n += 1)
      for (let vout = 0; vout < WIDTH; vout += 1)
        await wallet.putCoin(tx, testCoin(1n, { txid: txid(n), vout, height: null, status: n ? 'pending' : 'spent' }));
  });
  for (let n = 1; n <= length; n += 1) {
    const inputs = outputsOf(n - 1);
    const made = { ...signed(n), inputs, inputSatoshis: inputs.map(() => 1n), ownOutputs: outputsOf(n) };
    await wallet.db.put('payments', payment(n, { state: 'signed', height: null, approvedAt: n, signed: made }));
  }
}

test('change that depends on missing money is marked once per payment, and not once per input', async () => {
  await store(4);
  let reads = 0;
  const real = IDBObjectStore.prototype.get;
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
    if (this.name === 'coins') reads += 1;
    return real.call(this, key);
  });
  const marked = async () => (await wallet.db.getAll('coins')).filter(({ isUnproven }) => isUnproven).length;
  await wallet.markFailed(current, txid(0), 'dropped', { at: 900, unknown: 3, since: 100 });
  expect(await marked()).toBe(4 * WIDTH);
  expect(reads).toBeLessThan(4 * WIDTH * 5);
  await wallet.write((tx) => wallet.restoreReceipt(current, tx, txid(0)));
  expect(await marked()).toBe(0);
});
