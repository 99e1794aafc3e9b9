/**
 * Unsent actions with more data than the wallet reads when it lists payments (`lightCopyOf` in write-transaction.ts).
 */
import { expect, test, vi } from 'vitest';
import { APP, called, output } from '../../../testkit/wallet/applications.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { ask, give, openWallet, pay, paymentWhere, someone, stored } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import type { LightPayment } from '../../payments/record.ts';

const network = useNetwork();
const SHOP = 'https://shop.example';
const LARGE = output(0, `006a4d40ff${'00'.repeat(0xff40)}`);

/** Starts a wallet with an application's large action, and gives a shop an allowance. */
async function withLarge(options: object) {
  const workerRun = await openWallet(network, [200_000, 200_000]);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 100_000n });
  await give(workerRun, { origin: SHOP, currency: 'BSV', limit: 450_000n, id: 'token-9876543210' });
  const answer = await called(workerRun, 'createAction', { description: 'store data', outputs: [LARGE], options });
  const [{ id } = expect.fail()] = (await stored(workerRun)).payments;
  return { workerRun, id, ...answer };
}

const shop = (workerRun: WorkerRun) => ask(workerRun, 'r', pay(someone(), 10_000), { origin: SHOP, automatic: true });

test('a payment on another site doesn’t read the data of a withheld action', async () => {
  const { workerRun, id } = await withLarge({ noSend: true });
  const lists: Promise<unknown>[] = []; // the test database's requests are promises
  const [list, one] = [IDBIndex.prototype.getAll, IDBObjectStore.prototype.get];
  vi.spyOn(IDBIndex.prototype, 'getAll').mockImplementation(function (this: IDBIndex, ...args) {
    const request = list.apply(this, args as []);
    lists.push(Promise.resolve(request));
    return request;
  });
  const copies = vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
    return one.call(this, key);
  });
  expect(await shop(workerRun)).toMatchObject({ status: 'RECEIVED' });
  const readCopies = (copies.mock.contexts as IDBObjectStore[]).filter(
    ({ name }, i) => name === 'lightPayments' && copies.mock.calls[i]?.[0] === id,
  );
  vi.restoreAllMocks();
  const read = (await Promise.all(lists)).flat() as ({ id?: string } | undefined)[];
  expect(read.filter((record) => record?.id === id)).toEqual([]);
  expect(readCopies.length).toBeGreaterThan(0);
});

test('the next payment replaces a large aborted action', async () => {
  const { workerRun, id, txid } = await withLarge({ noSend: true });
  await called(workerRun, 'abortAction', { reference: txid });
  expect(await shop(workerRun)).toMatchObject({ status: 'RECEIVED' });
  const { payments } = await stored(workerRun);
  const [aborted, paid] = [payments.find((one) => one.id === id), payments.find((one) => one.origin === SHOP)];
  expect(paid!.replaces).toBe(id);
  expect(aborted!.replacedBy).toBe(paid!.id);
  expect(aborted!.signed!.inputs.some((key) => paid!.signed!.inputs.includes(key))).toBe(true);
});

test('the coins and addresses of a large action that waits for its application stay reserved', async () => {
  const { workerRun, id } = await withLarge({ signAndProcess: false });
  const { reservations } = await import('../../coins/holder.ts'); // imported late to get this run's instance
  const { coins, change } = (await stored(workerRun)).payments[0]!.action!.unsigned!;
  expect([coins.length, change.length]).toEqual([1, 1]);
  const reserved = () => workerRun.modules.database.inTransaction(wallet, reservations);
  expect(await reserved()).toEqual([{ id, coins, change }]);
  // Earlier versions stored copies without the reservations.
  const db = await workerRun.modules.database.database(wallet);
  const copy = (await db.get('lightPayments', id))!;
  const { reserved: kept, ...action } = copy.action as NonNullable<LightPayment['action']>;
  expect(kept).toEqual({ coins, change });
  await db.put('lightPayments', { ...copy, action });
  expect(await reserved()).toEqual([{ id, coins, change }]);
});

test('a large action that waits for its application is due when it expires', async () => {
  const { workerRun, id } = await withLarge({ signAndProcess: false });
  const { unfinishedPayments } = await import('../../payments/unfinished.ts'); // imported late to get this run's instance
  const due = (await unfinishedPayments(wallet)).find(({ record }) => record.id === id);
  const [{ action } = expect.fail()] = (await stored(workerRun)).payments;
  expect(due!.at).toBe(action!.expiresAt);
});

test('a large withheld action that its application has broadcast is noticed', async () => {
  const { workerRun, id } = await withLarge({ noSend: true });
  const [record = expect.fail()] = (await stored(workerRun)).payments;
  const { ok } = await fetch(`${network.url}/devnet/woc/v1/bsv/test/tx/raw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ txhex: record.signed!.rawtx }),
  });
  expect(ok).toBe(true);
  await workerRun.modules.transition.transition(wallet, id, 'signed', ({ broadcast }) => ({
    broadcast: { ...broadcast, attempts: 1, nextAt: 0 },
  }));
  await workerRun.modules.drive.processAll(wallet);
  await paymentWhere(workerRun, id, ({ state }) => state !== 'signed');
});
