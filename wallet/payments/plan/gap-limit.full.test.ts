import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { call, called, output } from '../../../testkit/wallet/applications.ts';
import { expectFoundElsewhere } from '../../../testkit/wallet/restore-elsewhere.ts';
import { approveAll, ask, openWallet, pay, someone, stored } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { network, SOMEBODY, paid, allowed, ownOutput, referenceOf, signable } from './testing-gap-limit.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const until = (holds: () => unknown) => vi.waitFor(holds);

const balance = async (workerRun: WorkerRun) => (await workerRun.modules.store.balance(wallet)).satoshis;
const highestChange = async (workerRun: WorkerRun) =>
  Math.max(...(await stored(workerRun)).coins.filter(({ chain }) => chain === 'change').map(({ index }) => index));

test.each([3, 5, 6, 7, 8, 12])(
  'a restore finds everything after %d rejected payments and one that is accepted',
  async (count) => {
    const workerRun = await openWallet(network, [500_000]);
    approveAll(workerRun);
    network.faults = Array.from({ length: count }, () => 461);
    for (let i = 0; i < count; i += 1) {
      expect(await ask(workerRun, `refused-${i}`, pay(someone(), 20_000))).toBe('payment-contested');
      await expectFoundElsewhere(network, workerRun);
    }
    await paid(workerRun, 'accepted');
    expect(await balance(workerRun)).toBeGreaterThan(479_000n);
    await expectFoundElsewhere(network, workerRun);
    // A replacement uses the change address of the replaced payment.
    expect(await highestChange(workerRun)).toBeLessThan(4);
  },
);

test('a restore finds everything after five rejected payments, a cancellation and five accepted payments', async () => {
  const workerRun = await openWallet(network, [500_000]);
  approveAll(workerRun);
  network.faults = Array.from({ length: 5 }, () => 461);
  for (let i = 0; i < 5; i += 1)
    expect(await ask(workerRun, `refused-${i}`, pay(someone(), 20_000))).toBe('payment-contested');
  const last = (await stored(workerRun)).payments.toSorted((a, b) => a.createdAt - b.createdAt).at(-1);
  const { walletHandlers } = workerRun.modules.handlers;
  const { cancelFee } = await walletHandlers(wallet)['activity/read']({ id: last?.id ?? '' });
  expect(cancelFee).toMatch(/^\d+$/);
  await walletHandlers(wallet)['activity/cancel']({ id: last?.id ?? '', feeSatoshis: cancelFee ?? '0' });
  await until(async () =>
    expect((await stored(workerRun)).payments.find(({ cancel }) => cancel)?.state).toBe('settled'),
  );
  await expectFoundElsewhere(network, workerRun);
  for (let i = 0; i < 5; i += 1) await paid(workerRun, `honest-${i}`);
  expect(await balance(workerRun)).toBeGreaterThan(399_000n);
  await expectFoundElsewhere(network, workerRun);
});

describe('an application that finishes no actions', () => {
  test.each(['aborts', 'lets expire'])(
    'the change addresses of an application’s actions are assigned again if it %s the actions',
    async (how) => {
      const workerRun = await allowed();
      const outpoint = await ownOutput();
      const references: string[] = [];
      for (let i = 0; i < 5; i += 1) references.push(referenceOf(await signable(workerRun, outpoint)));
      await paid(workerRun, 'between');
      const { giveUpUnsigned } = await import('../network/give-up.ts');
      for (const reference of references) if (how === 'aborts') await called(workerRun, 'abortAction', { reference });
      if (how === 'lets expire')
        for (const { id } of (await stored(workerRun)).payments.filter(({ state }) => state === 'signable'))
          await giveUpUnsigned(wallet, id, 'action-expired');
      for (let i = 0; i < 5; i += 1) {
        await paid(workerRun, `honest-${i}`, 5000);
        await expectFoundElsewhere(network, workerRun);
      }
      const used = new Set(
        (await stored(workerRun)).coins.filter(({ chain }) => chain === 'change').map((c) => c.index),
      );
      for (let index = 0; index < 5; index += 1) expect(used).toContain(index);
    },
  );

  test('a restore finds everything while an application withholds actions that each spend the change of the previous one', async () => {
    const workerRun = await allowed([500_000, 490_000]);
    let noSendChange: string[] = [];
    const kept: string[] = [];
    for (let i = 0; i < 14; i += 1) {
      const made = await called(workerRun, 'createAction', {
        description: 'keep it',
        outputs: [output(30, SOMEBODY)],
        options: { noSend: true, noSendChange },
      });
      noSendChange = made.noSendChange ?? [];
      kept.push(made.txid as string);
      await expectFoundElsewhere(network, workerRun);
    }
    await paid(workerRun, 'while they are kept');
    await expectFoundElsewhere(network, workerRun);
    await called(workerRun, 'createAction', {
      description: 'send the last',
      options: { sendWith: [kept.at(-1) as string], acceptDelayedBroadcast: false },
    });
    await until(async () => {
      const { payments } = await stored(workerRun);
      expect(payments.filter(({ action }) => action).map(({ state }) => state)).toEqual(kept.map(() => 'settled'));
    });
    expect(await balance(workerRun)).toBeGreaterThan(960_000n);
    await expectFoundElsewhere(network, workerRun);
    await paid(workerRun, 'honest');
    await expectFoundElsewhere(network, workerRun);
  });

  test('no sequence of payments that are rejected, accepted, withheld or given up hides a coin from a restore (property)', async () => {
    const step = fc.constantFrom('refused', 'accepted', 'kept', 'signable', 'given up', 'mined');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
        network.reset();
        const workerRun = await allowed([500_000, 400_000]);
        const outpoint = await ownOutput();
        const open: string[] = [];
        for (const [i, one] of steps.entries()) {
          const waiting = open.pop();
          if (one === 'refused') network.faults = [461];
          if (one === 'refused' || one === 'accepted') await ask(workerRun, `payment-${i}`, pay(someone(), 3000));
          network.faults = [];
          if (one === 'signable') {
            const answer = await signable(workerRun, outpoint);
            if (!('code' in answer)) open.push(referenceOf(answer));
          }
          if (one === 'kept') {
            const args = { description: 'keep it', outputs: [output(30, SOMEBODY)], options: { noSend: true } };
            const answer = await call(workerRun, 'createAction', args);
            if ('txid' in answer) open.push(answer.txid as string);
          }
          if (one === 'given up' && waiting) await call(workerRun, 'abortAction', { reference: waiting });
          if (one === 'mined') await network.mine();
          await expectFoundElsewhere(network, workerRun);
        }
      }),
      { numRuns: 3 },
    );
  });
});
