/** Tests payments that another worker left in various states. */
import { afterEach, expect, test, vi } from 'vitest';
import { useNetwork } from '../../../testkit/network/network.ts';
import type { PaymentRecord } from '../record.ts';
import { newPayment } from '../start.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { holdTime, setTime } from '../../../testkit/wallet/clock.ts';
import { ask, give, openWallet, PASSWORD, pay, paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import type { Payment } from '../../../protocol/payments/payment.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

afterEach(() => {
  vi.restoreAllMocks();
});

test('a payment from an allowance is withdrawn if the worker stopped and no page waits for it any longer', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
  const { receiveAddress } = await workerRun.modules.overview.overview(wallet);
  const { id } = (await ask(workerRun, 'request-1', pay(receiveAddress, 3000), { automatic: true })) as Payment;
  const paid = await paymentWhere(workerRun, id, ({ state }) => state === 'broadcast');
  const { database, paymentPrompt } = workerRun.modules;
  await database.inTransaction(wallet, async (tx) => {
    const left = newPayment(wallet, {
      ...paid,
      id: 'left',
      requestId: 'request-2',
      state: 'requested',
      createdAt: Date.now(),
    });
    await tx.objectStore('payments').put(left);
    await paymentPrompt.putPaymentPrompt(wallet, tx, left, 'withheld');
  });
  workerRun.end();
  const next = await workerRun.profile.start();
  const withdrawn = await paymentWhere(next, 'left', ({ state }) => state === 'refused');
  expect(withdrawn.error?.code).toBe('page-gone');
  expect(await (await next.modules.database.database(wallet)).getAll('prompts')).toEqual([]);
  expect((await stored(next)).payments).toHaveLength(2);
});

test.each(['invalid-request', 'handle-taken', 'unknown-application', 'idempotency-conflict'])(
  'a report that is rejected as %s is postponed by about an hour, but can be resumed earlier',
  async (code) => {
    const workerRun = await openWallet(network, [1_000_000], { account: true });
    await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
    network.refuseReports = code;
    const { receiveAddress } = await workerRun.modules.overview.overview(wallet);
    const { id } = (await ask(workerRun, 'request-1', pay(receiveAddress, 3000), { automatic: true })) as Payment;
    const tried = await paymentWhere(workerRun, id, ({ report }) => report.attempts > 0);
    expect(tried.report).toMatchObject({ state: 'waiting', attempts: 1, problem: code });
    expect(tried.report.nextAt).toBeGreaterThan(Date.now() + 50 * 60_000);
    network.refuseReports = null;
    await workerRun.modules.revive.reviveReports(wallet);
    await paymentWhere(workerRun, id, ({ report }) => report.state === 'done');
  },
);

/**
 * Opens a wallet with an account at a service that is down, and makes two unreported payments. The clock is stopped,
 * because the wallet's own retries would overwrite the state that a test sets.
 */
async function unreported(): Promise<{ workerRun: WorkerRun; ids: string[]; goOn: () => void }> {
  const workerRun = await openWallet(network, [1_000_000, 1_000_000], { account: true });
  const goOn = holdTime();
  await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
  const { receiveAddress } = await workerRun.modules.overview.overview(wallet);
  network.down.add('service');
  const ids: string[] = [];
  for (const request of ['request-1', 'request-2']) {
    const { id } = (await ask(workerRun, request, pay(receiveAddress, 3000), { automatic: true })) as Payment;
    await paymentWhere(workerRun, id, ({ report }) => report.problem === 'service-unavailable');
    ids.push(id);
  }
  return { workerRun, ids, goOn };
}

/** Overwrites parts of a payment's report state, such as the number of attempts and the next time. */
const tried = (workerRun: WorkerRun, id: string, more: Partial<PaymentRecord['report']>) =>
  workerRun.modules.transition.transition(wallet, id, 'broadcast', ({ report }) => ({
    report: { ...report, ...more },
  }));

test('reports to a service that is down are retried every five minutes, and all are sent once one is accepted', async () => {
  const { workerRun, ids } = await unreported();
  const [first, second] = ids as [string, string];
  await tried(workerRun, first, { attempts: 30, nextAt: 0 });
  await workerRun.modules.drive.processChanged(wallet, first);
  const { report } = await paymentWhere(workerRun, first, ({ report: { attempts } }) => attempts > 30);
  expect(report.nextAt).toBeLessThanOrEqual(Date.now() + 300_000);

  for (const id of ids) await tried(workerRun, id, { nextAt: Date.now() + 3600_000 });
  network.down.delete('service');
  await tried(workerRun, first, { attempts: 1, nextAt: 0 });
  await workerRun.modules.drive.processAll(wallet);
  await paymentWhere(workerRun, second, ({ report: { state } }) => state === 'done');
});

test('an overdue report isn’t sent once another one has found the service down', async () => {
  const { workerRun, ids } = await unreported();
  const [first, second] = ids as [string, string];
  for (const id of ids) await tried(workerRun, id, { attempts: 30, nextAt: Date.now() + 3600_000 });
  const asked = () => workerRun.crashPoints.filter((point) => point.includes('/api/v2/')).length;
  await tried(workerRun, first, { attempts: 1, nextAt: 0 });
  await workerRun.modules.drive.processChanged(wallet, first);
  const before = asked();
  await tried(workerRun, second, { nextAt: 0 });
  await workerRun.modules.drive.processChanged(wallet, second);
  expect(asked()).toBe(before);
  expect(before).toBeGreaterThan(0);
  expect((await workerRun.modules.transition.readPayment(wallet, second))?.report).toMatchObject({
    attempts: 31,
    problem: 'service-unavailable',
  });
});

test('reports that failed while the wallet was locked are sent when it is unlocked', async () => {
  const { workerRun, ids } = await unreported();
  await workerRun.modules.handlers.walletHandlers(wallet)['vault/lock']({});
  network.down.delete('service');
  for (const id of ids) {
    await tried(workerRun, id, { problem: 'wallet-locked', attempts: 30, nextAt: Date.now() + 3600_000 });
  }
  await workerRun.modules.handlers.walletHandlers(wallet)['vault/unlock']({ password: PASSWORD });
  for (const id of ids) await paymentWhere(workerRun, id, ({ report: { state } }) => state === 'done');
});

test('many concurrent calls to schedule work share a few checks of the remaining work', async () => {
  const { workerRun, ids } = await unreported();
  // Nothing else is due, so nothing else starts a check.
  const later = { attempts: 1, nextAt: Date.now() + 3600_000, problem: null };
  for (const id of ids) {
    await workerRun.modules.drive.processChanged(wallet, id);
    await tried(workerRun, id, { nextAt: later.nextAt });
    await workerRun.modules.transition.transition(wallet, id, 'broadcast', () => ({ confirmation: later }));
  }
  const { scheduleWork } = await import('../schedule.ts');
  await scheduleWork(wallet);
  const read = vi.spyOn(IDBIndex.prototype, 'getAll');
  await Promise.all(Array.from({ length: 50 }, () => scheduleWork(wallet)));
  expect(read).toHaveBeenCalled();
  expect(read.mock.calls.length).toBeLessThan(10);
});

test('constant checks do not postpone the timer', async () => {
  const { workerRun, ids, goOn } = await unreported();
  const [id = ''] = ids;
  network.down.delete('service');
  await tried(workerRun, id, { attempts: 1, nextAt: Date.now() + 5000 });
  const { scheduleWork } = await import('../schedule.ts');
  goOn();
  for (let state = 'waiting'; state !== 'done';) {
    await scheduleWork(wallet);
    state = (await workerRun.modules.transition.readPayment(wallet, id))?.report.state ?? '';
  }
});

test('constant checks do not postpone the alarm', async () => {
  const { workerRun } = await unreported();
  const { scheduleWork } = await import('../schedule.ts');
  const now = Date.now();
  const alarmAt = async (time: number) => {
    setTime(time);
    await scheduleWork(wallet);
    return workerRun.profile.browser.alarms.get('payments')?.when;
  };
  const first = await alarmAt(now);
  expect(first).toBeLessThanOrEqual(now + 30_000);
  expect([await alarmAt(now + 10_000), await alarmAt(now + 20_000)]).toEqual([first, first]);
  expect(await alarmAt(now + 30_001)).toBe(now + 60_001);
});

test('work is found even if records of earlier versions can’t be reindexed', async () => {
  const { workerRun, ids, goOn } = await unreported();
  const [id = ''] = ids;
  for (const each of ids) await tried(workerRun, each, { nextAt: Date.now() + 3600_000 });
  goOn();
  network.down.delete('service');
  await network.mine();
  await paymentWhere(workerRun, id, ({ height }) => height !== null);
  const { database, transition } = workerRun.modules;
  const db = await database.database(wallet);
  const record = (await transition.readPayment(wallet, id)) as PaymentRecord;
  await db.put('payments', { ...record, unfinished: 1 });
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  workerRun.profile.browser.alarms.clear();
  workerRun.end();
  const next = await workerRun.profile.start();
  await next.modules.drive.processAll(wallet);
  expect(next.profile.browser.alarms.has('payments')).toBe(true);
});
