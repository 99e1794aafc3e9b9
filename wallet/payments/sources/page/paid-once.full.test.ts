import { describe, expect, test } from 'vitest';
import { called } from '../../../../testkit/wallet/applications.ts';
import { approveAll, ask, pay, paymentWhere, someone, stored } from '../../../../testkit/wallet/wallet.ts';
import {
  network,
  AMOUNT,
  handlers,
  newest,
  broadcastByPage,
  expectPaidOnce,
  walletOf,
  kept,
  abortedOnKept,
} from './testing-paid-once.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

describe('change of an action that its application withholds', () => {
  test('payments from a wallet with one coin all succeed, and the next payment replaces an aborted action', async () => {
    const workerRun = await walletOf([1_000_000]);
    const [first, second] = await abortedOnKept(workerRun);
    approveAll(workerRun);
    // All three shops are paid, because the wallet split its coin before the application reserved a piece.
    for (const n of [1, 2, 3]) {
      const origin = `https://shop${n}.example`;
      expect(await ask(workerRun, 'request', pay(someone(), AMOUNT), { origin })).toMatchObject({ status: 'RECEIVED' });
    }
    await called(workerRun, 'abortAction', { reference: first.signed!.txid });
    const shop = someone();
    expect(await ask(workerRun, 'request', pay(shop, AMOUNT))).toMatchObject({ status: 'RECEIVED' });
    expect(await broadcastByPage(first)).not.toBe(200);
    expect(await broadcastByPage(second)).not.toBe(200);
    await expectPaidOnce(workerRun, shop);
    for (const { id } of [first, second]) await paymentWhere(workerRun, id, ({ state }) => state === 'failed');
    const { coins } = await stored(workerRun);
    expect(coins.filter(({ status }) => status === 'reserved' || status === 'pending')).toEqual([]);
  });

  test('an action that spends a withheld action’s change can’t be canceled, but canceling the withheld action ends both', async () => {
    const workerRun = await walletOf([1_000_000]);
    const [first, second] = await abortedOnKept(workerRun);
    expect((await handlers(workerRun)['activity/read']({ id: second.id })).cancelFee ?? null).toBeNull();
    const { cancelFee } = await handlers(workerRun)['activity/read']({ id: first.id });
    await handlers(workerRun)['activity/cancel']({ id: first.id, feeSatoshis: cancelFee ?? '0' });
    const cancelling = await newest(workerRun);
    await paymentWhere(workerRun, cancelling.id, ({ state }) => state === 'settled');
    await network.mine();
    for (const { id } of [first, second]) await paymentWhere(workerRun, id, ({ state }) => state === 'failed');
    // The fees include the split that the wallet made before the application reserved a piece.
    const made = (await stored(workerRun)).payments.filter(({ state }) => state === 'broadcast' || state === 'settled');
    const fees = made.reduce((sum, { signed }) => sum + (signed?.feeSatoshis ?? 0n), 0n);
    expect((await workerRun.modules.store.balance(wallet)).satoshis).toBe(1_000_000n - fees);
  });
});

describe('a payment that the network rejected', () => {
  test.each([
    ['an action that is kept', { noSend: true }],
    ['an action that is sent', { noSend: false }],
    ['no action', null],
  ])('a rejected payment is paid once if the user repeats it after %s', async (_, options) => {
    const workerRun = await walletOf([100_000, 100_000, 100_000]);
    approveAll(workerRun);
    const shop = someone();
    network.faults = [461];
    expect(await ask(workerRun, 'request-1', pay(shop, AMOUNT))).toBe('payment-contested');
    const refused = await newest(workerRun);
    if (options) await called(workerRun, 'createAction', { ...kept(someone()), options });
    if (options?.noSend)
      expect((await handlers(workerRun)['activity/read']({ id: refused.id })).cancelFee).toMatch(/^\d+$/);
    expect(await ask(workerRun, 'request-2', pay(shop, AMOUNT))).toMatchObject({ status: 'RECEIVED' });
    expect(await broadcastByPage(refused)).not.toBe(200);
    await expectPaidOnce(workerRun, shop);
  });
});
