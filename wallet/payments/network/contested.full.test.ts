import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import type { Payment } from '../../../protocol/payments/payment.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import {
  ask,
  give,
  openWallet,
  pay,
  approveAll,
  paymentWhere,
  stored,
  someone,
} from '../../../testkit/wallet/wallet.ts';
import type { PaymentRecord } from '../record.ts';
import {
  network,
  AUTOMATIC,
  handlers,
  allowance,
  inputsOf,
  byAge,
  broadcastPastWallet,
  expectConsistent,
  refusedPayment,
  cancel,
} from './testing-contested.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

/** Every nth crash point is tested. */
const STRIDE = 17;

describe('an ARC server that rejects transactions but keeps them', () => {
  test.each([
    ['one coin', [1_000_000]],
    ['a coin for each', [100_000, 100_000, 100_000, 100_000, 100_000, 100_000]],
  ])('an allowance never pays more than its limit in a wallet with %s', async (_, coins) => {
    const workerRun = await openWallet(network, coins);
    await network.mine();
    await workerRun.modules.poll.refresh(wallet);
    const key = await give(workerRun, { currency: 'BSV', limit: 21_000n });
    network.faults = Array.from({ length: 40 }, () => 461);
    const to = someone();
    for (let i = 0; i < 5; i += 1)
      expect(await ask(workerRun, `request-${i}`, pay(to, 20_000), AUTOMATIC)).toBe('payment-contested');
    expect((await allowance(workerRun, key))?.spent).toBeGreaterThanOrEqual(20_000n);
    network.faults = [];
    const payments = await byAge(workerRun);
    expect(payments).toHaveLength(5);
    for (const payment of payments) await broadcastPastWallet(payment);
    expect((await network.unspent(to)).map(({ satoshis }) => satoshis)).toEqual([20_000]);
    await network.mine();
    await vi.waitFor(
      async () =>
        expect(
          (await stored(workerRun)).payments
            .map(({ state, height }) => (state === 'failed' ? 'failed' : height !== null))
            .sort(),
        ).toEqual(['failed', 'failed', 'failed', 'failed', true].sort()),
      { interval: 50 },
    );
    await expectConsistent(workerRun);
  });
});

describe('cancellation', () => {
  test('a rejected cancellation can be repeated with another coin if there is one', async () => {
    const workerRun = await openWallet(network, [30_000, 30_000]);
    const refused = await refusedPayment(workerRun, 40_000);
    expect(inputsOf(refused)).toHaveLength(2);
    network.faults = [461];
    await cancel(workerRun, refused.id);
    await vi.waitFor(async () =>
      expect((await handlers(workerRun)['activity/read']({ id: refused.id })).item.trouble).toBe('refused'),
    );
    await cancel(workerRun, refused.id);
    const [, first, second] = (await byAge(workerRun)) as [PaymentRecord, PaymentRecord, PaymentRecord];
    expect(inputsOf(first)).not.toEqual(inputsOf(second));
    await network.mine();
    await paymentWhere(workerRun, second.id, ({ state }) => state === 'settled');
    await network.mine();
    await paymentWhere(workerRun, refused.id, ({ state }) => state === 'failed');
    await expectConsistent(workerRun);
    // No other live transaction spends the first cancellation's coin, so rebroadcasting that cancellation frees the
    // coin.
    await paymentWhere(workerRun, first.id, ({ state }) => state === 'settled');
    await network.mine();
    await paymentWhere(workerRun, first.id, ({ height }) => height !== null);
    await expectConsistent(workerRun);
    const fees = (first.signed?.feeSatoshis ?? 0n) + (second.signed?.feeSatoshis ?? 0n);
    expect((await stored(workerRun)).coins.filter(({ status }) => status === 'reserved')).toEqual([]);
    expect((await workerRun.modules.store.balance(wallet)).satoshis).toBe(60_000n - fees);
  });

  test('a cancellation is reinstated if a third party spends a coin of the cancellation that replaced it', async () => {
    const workerRun = await openWallet(network, [30_000, 30_000]);
    const refused = await refusedPayment(workerRun, 40_000);
    for (let times = 0; times < 2; times += 1) {
      network.faults = [461];
      await cancel(workerRun, refused.id);
      await vi.waitFor(async () =>
        expect((await handlers(workerRun)['activity/read']({ id: refused.id })).item.trouble).toBe('refused'),
      );
    }
    const [, first, second] = (await byAge(workerRun)) as [PaymentRecord, PaymentRecord, PaymentRecord];
    const { markConflicted } = await import('./conflicts.ts');
    const [header] = await (await workerRun.modules.database.database(wallet)).getAll('headers');
    await markConflicted(wallet, second.id, inputsOf(second)[0] ?? '', 'ab'.repeat(32), header!);
    await paymentWhere(workerRun, first.id, ({ state }) => state === 'settled');
    expect((await byAge(workerRun)).map(({ state }) => state)).toEqual(['failed', 'settled', 'failed']);
    await expectConsistent(workerRun);
    expect((await workerRun.modules.store.balance(wallet)).satoshis).toBe(30_000n - (first.signed?.feeSatoshis ?? 0n));
  });

  test('only payments that the network does not have can be canceled', async () => {
    const workerRun = await openWallet(network, [100_000]);
    approveAll(workerRun);
    const { id } = (await ask(workerRun, 'request-1', pay(someone(), 20_000))) as Payment;
    expect((await handlers(workerRun)['activity/read']({ id })).cancelFee ?? null).toBeNull();
    expect(await codeOf(handlers(workerRun)['activity/cancel']({ id, feeSatoshis: '100' }))).toBe('approval-unknown');
  });

  test('a cancellation leaves nothing incomplete when the worker is stopped at any crash point', async () => {
    const failures: string[] = [];
    let tried = 0;
    for (let n = 1, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints && failures.length < 5; n += STRIDE) {
      network.reset();
      const workerRun = await openWallet(network, [50_000, 50_000]);
      const key = await give(workerRun, { currency: 'BSV', limit: 100_000n });
      network.faults = [461];
      expect(await ask(workerRun, 'request-1', pay(someone(), 60_000), AUTOMATIC)).toBe('payment-contested');
      const [refused] = (await byAge(workerRun)) as [PaymentRecord];
      workerRun.dieAt(n);
      const done = (one: WorkerRun) =>
        cancel(one, refused.id).then(async () => {
          await vi.waitFor(
            async () =>
              expect((await stored(one)).payments.some(({ cancel: yes, state }) => yes && state === 'settled')).toBe(
                true,
              ),
            { interval: 5 },
          );
          await network.mine();
          await paymentWhere(one, refused.id, ({ state }) => state === 'failed');
        });
      try {
        await workerRun.untilDeath(() =>
          done(workerRun).catch((error) => {
            if (!workerRun.dead) throw error;
          }),
        );
        if (!workerRun.dead) crashPoints = workerRun.crashPoints.length;
        let last = workerRun;
        if (workerRun.dead) {
          last = await workerRun.profile.start();
          await last.modules.vault.unlock(wallet, 'correct horse battery').catch(() => undefined);
          await last.modules.drive.processAll(wallet);
          // If the worker crashed before the cancellation was stored, the user cancels again.
          await vi.waitFor(
            async () => {
              const now = (await last.modules.transition.readPayment(wallet, refused.id)) as PaymentRecord;
              if (now.state === 'failed') return;
              if (
                !(await stored(last)).payments.some(
                  ({ cancel: yes, state }) =>
                    yes && (state === 'approved' || state === 'signed' || state === 'settled'),
                )
              )
                await cancel(last, refused.id);
              await network.mine();
              throw new Error('open');
            },
            { interval: 50 },
          );
        }
        const { payments, coins } = await stored(last);
        const costs = payments
          .filter(({ cancel: yes, height }) => yes && height !== null)
          .reduce((sum, { signed }) => sum + (signed?.feeSatoshis ?? 0n), 0n);
        expect((await last.modules.store.balance(wallet)).satoshis).toBe(100_000n - costs);
        expect(await allowance(last, key)).toMatchObject({ spent: 0n, totalSpent: 0n, payments: 0 });
        expect(coins.filter(({ status }) => status === 'reserved' || status === 'pending')).toEqual([]);
        await expectConsistent(last);
      } catch (error) {
        failures.push(`crash point ${n} (${workerRun.crashPoints.at(-1)}): ${(error as Error).message}`);
      }
      tried += 1;
      endAllWorkerRuns();
    }
    expect(failures).toEqual([]);
    expect(tried).toBeGreaterThan(15 / STRIDE);
  });
});

test('a payment that ARC and the index report as unknown does not fail, and is broadcast again', async () => {
  const workerRun = await openWallet(network, [100_000]);
  approveAll(workerRun);
  const to = someone();
  network.faults = [466, 466, 466, 466, 466];
  network.down.add('memory');
  expect(await ask(workerRun, 'request-1', pay(to, 20_000))).toBe('payment-contested');
  const [record] = (await byAge(workerRun)) as [PaymentRecord];
  await paymentWhere(workerRun, record.id, ({ broadcast }) => broadcast.attempts >= 5);
  expect(await workerRun.modules.transition.readPayment(wallet, record.id)).toMatchObject({
    state: 'signed',
    trouble: 'contested',
  });
  network.reset();
  await workerRun.modules.drive.processAll(wallet);
  await paymentWhere(workerRun, record.id, ({ state }) => state !== 'signed');
  expect(await network.unspent(to)).toHaveLength(1);
});
