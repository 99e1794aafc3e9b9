/** Payments that a worker finds as another one left them. */
import { expect, test } from 'vitest';
import { useNetwork } from '../testing/network.ts';
import { newPayment } from './record.ts';
import { ask, give, openWallet, pay, paymentWhere, stored } from '../testing/wallet.ts';
import type { Payment } from '../../../protocol/payment.ts';

const network = useNetwork();

test('what an allowance was to pay when the worker died, and no page waits for any more, is withdrawn and blocks nothing', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
  const { receiveAddress } = await workerRun.modules.overview.overview();
  const { id } = (await ask(workerRun, 'request-1', pay(receiveAddress, 3000), { automatic: true })) as Payment;
  const paid = await paymentWhere(workerRun, id, ({ state }) => state === 'broadcast');
  const { database, paymentPrompt } = workerRun.modules;
  await database.inTransaction(async (tx) => {
    const left = newPayment({ ...paid, id: 'left', requestId: 'request-2', state: 'requested', createdAt: Date.now() });
    await tx.objectStore('payments').put(left);
    await paymentPrompt.putPaymentPrompt(tx, left, 'withheld');
  });
  workerRun.end();
  const next = await workerRun.profile.start();
  const withdrawn = await paymentWhere(next, 'left', ({ state }) => state === 'refused');
  expect(withdrawn.error?.code).toBe('page-gone');
  expect(await (await next.modules.database.database()).getAll('prompts')).toEqual([]);
  expect((await stored(next)).payments).toHaveLength(2);
});

test.each(['invalid-request', 'handle-taken', 'unknown-application', 'idempotency-conflict'])(
  'a report that is refused as %s is put off, not given up, and its recipients do not wait for it',
  async (code) => {
    const workerRun = await openWallet(network, [1_000_000], { account: true });
    await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
    network.refuseReports = code;
    const { receiveAddress } = await workerRun.modules.overview.overview();
    const { id } = (await ask(workerRun, 'request-1', pay(receiveAddress, 3000), { automatic: true })) as Payment;
    const tried = await paymentWhere(workerRun, id, ({ report }) => report.attempts > 0);
    expect(tried.report).toMatchObject({ state: 'waiting', attempts: 1, problem: code });
    expect(tried.report.nextAt).toBeGreaterThan(Date.now() + 50 * 60_000);
    network.refuseReports = null;
    await workerRun.modules.revive.reviveReports();
    await paymentWhere(workerRun, id, ({ report }) => report.state === 'done');
  },
);
