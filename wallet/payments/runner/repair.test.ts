/** Tests the repair of stored payments that contradict the chain. In earlier versions, pages could damage them. */
import { expect, test } from 'vitest';
import type { Payment } from '../../../protocol/payments/payment.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { ask, give, openWallet, pay, paymentWhere, someone, stored } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import type { ActionPart } from '../action.ts';
import { NOT_TRIED } from '../retry.ts';
import type { PaymentRecord } from '../record.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

const allowance = async ({ modules }: WorkerRun) =>
  (await (await modules.database.database(wallet)).getAll('allowances'))[0]!;
const balance = async ({ modules }: WorkerRun) => (await modules.store.balance(wallet)).satoshis;

/** Makes and mines a payment from an allowance, then a second one that spends its change. */
async function paidTwice(): Promise<{ workerRun: WorkerRun; payments: PaymentRecord[] }> {
  const workerRun = await openWallet(network, [500_000]);
  await give(workerRun, { currency: 'BSV', limit: 100_000n });
  const payments: PaymentRecord[] = [];
  for (const name of ['first', 'second']) {
    const { id } = (await ask(workerRun, name, pay(someone(), 20_000), { automatic: true })) as Payment;
    await network.mine();
    await workerRun.modules.drive.processAll(wallet);
    payments.push(await paymentWhere(workerRun, id, ({ height }) => height !== null));
  }
  await workerRun.modules.poll.refresh(wallet);
  return { workerRun, payments };
}

/** Returns the duplicate record that earlier versions stored if a page requested the same transaction again. */
const copyOf = (record: PaymentRecord, more: Partial<PaymentRecord>): PaymentRecord => ({
  ...record,
  id: 'copy',
  requestId: 'action copy',
  origin: 'https://page.example',
  createdAt: record.createdAt + 1,
  allowance: null,
  action: { reference: 'r', digest: 'd', labels: [], inputs: [], outputs: [] } as unknown as ActionPart,
  height: null,
  unfinished: 1,
  broadcast: NOT_TRIED,
  confirmation: NOT_TRIED,
  ...more,
});

test('a duplicate record of a mined transaction ends no other payment, and refunds nothing', async () => {
  const { workerRun, payments } = await paidTwice();
  const [had, { spentSatoshis }] = [await balance(workerRun), await allowance(workerRun)];
  const second = payments[1]!;
  await workerRun.modules.database.inTransaction(wallet, async (tx) => {
    await tx.objectStore('payments').put(copyOf(second, { state: 'signed', trouble: 'held' }));
  });
  await workerRun.modules.drive.processAll(wallet);
  await paymentWhere(workerRun, 'copy', ({ height }) => height !== null);
  expect((await stored(workerRun)).payments.map(({ state }) => state)).not.toContain('failed');
  expect((await allowance(workerRun)).spentSatoshis).toBe(spentSatoshis);
  expect(await balance(workerRun)).toBe(had);
});

test('payments that a duplicate record has ended are restored with their debits by a rescan of all addresses', async () => {
  const { workerRun, payments } = await paidTwice();
  const had = await balance(workerRun);
  const [first] = payments as [PaymentRecord];
  const before = await allowance(workerRun);
  const ended = { txid: first.signed!.txid, height: first.height! };
  await workerRun.modules.database.inTransaction(wallet, async (tx) => {
    for (const one of payments)
      await tx
        .objectStore('payments')
        .put({ ...one, state: 'failed', height: null, ended: { ...ended, state: one.state } });
    await tx.objectStore('payments').put(copyOf(first, { state: 'settled', height: first.height, unfinished: 0 }));
    const coins = tx.objectStore('coins');
    for (const coin of await coins.getAll())
      if (coin.status === 'available') await coins.put({ ...coin, status: 'void', height: null });
    await tx.objectStore('totals').put({ satoshis: 0n, unconfirmed: 0n, available: 0 }, 'coins');
    await tx.objectStore('allowances').put({ ...before, spent: 0n, spentSatoshis: 0n });
  });
  expect(await balance(workerRun)).toBe(0n);
  await workerRun.modules.poll.refresh(wallet, { all: true });
  const now = (await stored(workerRun)).payments;
  expect(now.find(({ id }) => id === 'copy')).toMatchObject({ state: 'failed', signed: null });
  for (const { id } of payments)
    await paymentWhere(workerRun, id, ({ height, state }) => height !== null && state !== 'failed');
  expect(await balance(workerRun)).toBe(had);
  expect(await allowance(workerRun)).toMatchObject({ spent: before.spent, spentSatoshis: before.spentSatoshis });
});

test('wrong totals are corrected by a rescan of all addresses', async () => {
  const workerRun = await openWallet(network, [500_000]);
  await workerRun.modules.database.inTransaction(wallet, async (tx) => {
    await tx.objectStore('totals').put({ satoshis: 1n, unconfirmed: 0n, available: 7 }, 'coins');
  });
  expect(await balance(workerRun)).toBe(1n);
  await workerRun.modules.poll.refresh(wallet, { all: true });
  expect(await balance(workerRun)).toBe(500_000n);
});
