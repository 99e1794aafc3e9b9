/**
 * Tests that a rejected payment is undone only when a conflicting transaction is mined, because the payment may still
 * be mined until then.
 */
import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import type { Payment } from '../../../protocol/payments/payment.ts';
import {
  approveAll,
  ask,
  give,
  openWallet,
  PASSWORD,
  pay,
  paymentWhere,
  restoreWallet,
  someone,
  stored,
  wordsOf,
} from '../../../testkit/wallet/wallet.ts';
import type { PaymentRecord } from '../record.ts';
import { parseTransactionHex, serializeTransaction, txidOf } from '../../../protocol/bitcoin/transaction.ts';
import { noteShown } from './shown-rival.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
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

const balanceOf = async ({ modules }: WorkerRun) => (await modules.store.balance(wallet)).satoshis;

describe('an ARC server that rejects transactions but keeps them', () => {
  test('a rejected payment keeps its coins and its debit, and the page gets neither success nor a final failure', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const key = await give(workerRun, { currency: 'BSV', limit: 100_000n });
    network.faults = [461];
    expect(await ask(workerRun, 'request-1', pay(someone(), 20_000), AUTOMATIC)).toBe('payment-contested');
    const [record] = await byAge(workerRun);
    expect(record).toMatchObject({ state: 'signed', trouble: 'refused', error: null });
    expect(
      (await stored(workerRun)).coins.find(({ paymentId, chain }) => paymentId === record?.id && chain === 'receive')
        ?.status,
    ).toBe('reserved');
    expect(await allowance(workerRun, key)).toMatchObject({
      spent: 20_000n + (record?.signed?.feeSatoshis ?? 0n),
      payments: 1,
    });
    expect((await handlers(workerRun)['activity/list']({ limit: 5, direction: 'sent' })).items).toMatchObject([
      { status: 'PENDING', trouble: 'refused' },
    ]);
    await expectConsistent(workerRun);
  });

  test.each([461, 465, 474])('a rejection with status %i is not trusted', async (status) => {
    const workerRun = await openWallet(network, [100_000]);
    approveAll(workerRun);
    network.faults = [status];
    expect(await ask(workerRun, 'request-1', pay(someone(), 20_000))).toBe('payment-contested');
    expect((await stored(workerRun)).payments).toMatchObject([{ state: 'signed', trouble: 'refused' }]);
  });

  test('a rejected payment is broadcast again when the page repeats its request', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const to = someone();
    approveAll(workerRun);
    network.faults = [461];
    expect(await ask(workerRun, 'request-1', pay(to, 20_000))).toBe('payment-contested');
    const payment = (await ask(workerRun, 'request-1', pay(to, 20_000))) as Payment;
    expect(payment).toMatchObject({ status: 'RECEIVED' });
    expect(await network.unspent(to)).toEqual([{ txid: payment.txid, satoshis: 20_000 }]);
    expect((await stored(workerRun)).payments).toHaveLength(1);
  });

  test('a payment rejected by one ARC server is accepted by another', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    // The user's own operator rejects everything, but the service names a different operator.
    const { writeKey, readKey } = workerRun.modules.database;
    await writeKey(wallet, 'settings', {
      ...(await readKey(wallet, 'settings')),
      arcUrl: `${network.url.replace('127.0.0.1', 'localhost')}/devnet/arc`,
      wocUrl: `${network.url}/devnet/woc/v1/bsv/test`,
    });
    network.faults = [461];
    approveAll(workerRun);
    const to = someone();
    const payment = (await ask(workerRun, 'request-1', pay(to, 20_000))) as Payment;
    expect(payment).toMatchObject({ status: 'RECEIVED' });
    expect(await network.unspent(to)).toEqual([{ txid: payment.txid, satoshis: 20_000 }]);
  });
});

describe('the next payment', () => {
  test('the next payment replaces a rejected one: both spend the same coin, the allowance pays for the larger, and a block decides', async () => {
    const workerRun = await openWallet(network, [100_000, 300_000]);
    const key = await give(workerRun, { currency: 'BSV', limit: 200_000n });
    const [first, second] = [someone(), someone()];
    network.faults = [461];
    expect(await ask(workerRun, 'request-1', pay(first, 50_000), AUTOMATIC)).toBe('payment-contested');
    const paid = (await ask(workerRun, 'request-2', pay(second, 20_000), AUTOMATIC)) as Payment;
    const [refused, later] = (await byAge(workerRun)) as [PaymentRecord, PaymentRecord];
    expect(inputsOf(later)).toEqual(expect.arrayContaining([refused.group]));
    expect(inputsOf(refused)).toContain(refused.group);
    const cost = ({ signed, quote }: PaymentRecord) => quote.satoshis + (signed?.feeSatoshis ?? 0n);
    expect((await allowance(workerRun, key))?.spent).toBe(cost(refused));
    expect((await handlers(workerRun)['activity/read']({ id: refused.id })).item.trouble).toBe('replaced');
    expect(await broadcastPastWallet(refused)).not.toBe(200);
    await network.mine();
    await paymentWhere(workerRun, paid.id, ({ height }) => height !== null);
    expect(await workerRun.modules.transition.readPayment(wallet, refused.id)).toMatchObject({
      state: 'failed',
      error: { code: 'network-rejected' },
      unfinished: 0,
    });
    expect(await ask(workerRun, 'request-1', pay(first, 50_000), AUTOMATIC)).toBe('network-rejected');
    expect(await allowance(workerRun, key)).toMatchObject({ spent: cost(later), totalSpent: cost(later), payments: 1 });
    expect((await workerRun.modules.store.balance(wallet)).satoshis).toBe(400_000n - cost(later));
    expect(
      (await stored(workerRun)).coins.filter(({ status }) => status === 'reserved' || status === 'pending'),
    ).toEqual([]);
    await expectConsistent(workerRun);
  });

  test('a replacement fails if a block contains the rejected payment, and releases its coins and debit', async () => {
    const workerRun = await openWallet(network, [100_000, 300_000]);
    const key = await give(workerRun, { currency: 'BSV', limit: 200_000n });
    const to = someone();
    network.faults = [461, 466, 466, 466, 466, 466, 466, 466];
    expect(await ask(workerRun, 'request-1', pay(to, 20_000), AUTOMATIC)).toBe('payment-contested');
    expect(await ask(workerRun, 'request-2', pay(to, 150_000), AUTOMATIC)).toBe('payment-contested');
    const [refused, later] = (await byAge(workerRun)) as [PaymentRecord, PaymentRecord];
    expect((await allowance(workerRun, key))?.spent).toBe(150_000n + (later.signed?.feeSatoshis ?? 0n));
    network.faults = [];
    expect(await broadcastPastWallet(refused)).toBe(200);
    await network.mine();
    await paymentWhere(workerRun, refused.id, ({ height }) => height !== null);
    expect(await workerRun.modules.transition.readPayment(wallet, later.id)).toMatchObject({ state: 'failed' });
    const fee = refused.signed?.feeSatoshis ?? 0n;
    expect((await allowance(workerRun, key))?.spent).toBe(20_000n + fee);
    expect((await workerRun.modules.store.balance(wallet)).satoshis).toBe(400_000n - 20_000n - fee);
    await expectConsistent(workerRun);
  });

  test('a payment uses other coins if two payments with the same unconfirmed coin were rejected, because that coin may not exist', async () => {
    const workerRun = await openWallet(network, [100_000, 300_000]);
    approveAll(workerRun);
    network.faults = [461, 461];
    expect(await ask(workerRun, 'request-1', pay(someone(), 20_000))).toBe('payment-contested');
    expect(await ask(workerRun, 'request-2', pay(someone(), 20_000))).toBe('payment-contested');
    expect(await ask(workerRun, 'request-3', pay(someone(), 20_000))).toMatchObject({ status: 'RECEIVED' });
    const [a, b, c] = (await byAge(workerRun)) as [PaymentRecord, PaymentRecord, PaymentRecord];
    expect(inputsOf(b)).toEqual(inputsOf(a));
    expect(inputsOf(c)).not.toEqual(inputsOf(a));
  });
});

test('a payment is reinstated when a third party’s transaction ends its replacement', async () => {
  const workerRun = await openWallet(network, [30_000, 30_000]);
  const refused = await refusedPayment(workerRun);
  const before = await stored(workerRun);
  network.faults = [461];
  expect(await ask(workerRun, 'request-2', pay(someone(), 40_000))).toBe('payment-contested');
  const [, later] = (await byAge(workerRun)) as [PaymentRecord, PaymentRecord];
  const other = inputsOf(later).find((key) => !inputsOf(refused).includes(key)) ?? '';
  const { markConflicted } = await import('./conflicts.ts');
  const [header] = await (await workerRun.modules.database.database(wallet)).getAll('headers');
  await markConflicted(wallet, later.id, other, 'ab'.repeat(32), header!);
  expect(await byAge(workerRun)).toMatchObject([
    { id: refused.id, state: 'signed', trouble: 'refused', replacedBy: null },
    { id: later.id, state: 'failed' },
  ]);
  const shown = ({ outpoint, status, paymentId }: (typeof before.coins)[number]) => [
    outpoint,
    outpoint === other ? 'spent' : status,
    paymentId,
  ];
  expect(
    (await stored(workerRun)).coins
      .filter(({ status }) => status !== 'void')
      .map(shown)
      .sort(),
  ).toEqual(before.coins.map(shown).sort());
  expect((await handlers(workerRun)['activity/read']({ id: refused.id })).cancelFee).toMatch(/^\d+$/);
  await expectConsistent(workerRun);
});

describe('cancellation', () => {
  test('a rejected cancellation can be repeated in a wallet with one coin', async () => {
    const workerRun = await openWallet(network, [100_000]);
    const refused = await refusedPayment(workerRun);
    network.faults = [461];
    await cancel(workerRun, refused.id);
    await vi.waitFor(async () =>
      expect((await handlers(workerRun)['activity/read']({ id: refused.id })).item.trouble).toBe('refused'),
    );
    await cancel(workerRun, refused.id);
    const [, first, second] = (await byAge(workerRun)) as [PaymentRecord, PaymentRecord, PaymentRecord];
    expect(inputsOf(first)).toEqual(inputsOf(second));
    await paymentWhere(workerRun, second.id, ({ state }) => state === 'settled');
    await network.mine();
    await paymentWhere(workerRun, refused.id, ({ state }) => state === 'failed');
    await paymentWhere(workerRun, first.id, ({ state }) => state === 'failed');
    await expectConsistent(workerRun);
  });

  test('a cancellation spends the payment’s coin, and the payment fails once a block contains the cancellation', async () => {
    const workerRun = await openWallet(network, [100_000]);
    const refused = await refusedPayment(workerRun);
    await cancel(workerRun, refused.id);
    expect(await handlers(workerRun)['activity/read']({ id: refused.id })).toMatchObject({
      item: { status: 'PENDING', trouble: 'cancelling' },
      cancelFee: null,
    });
    // The list shows the same `trouble` as the details.
    expect((await handlers(workerRun)['activity/list']({ limit: 5, direction: 'sent' })).items).toMatchObject([
      { isCancellation: true },
      { id: refused.id, trouble: 'cancelling' },
    ]);
    const cancelling = (await byAge(workerRun)).find((one) => one.cancel) as PaymentRecord;
    await paymentWhere(workerRun, cancelling.id, ({ state }) => state === 'settled');
    expect(await broadcastPastWallet(refused)).not.toBe(200);
    expect((await workerRun.modules.store.balance(wallet)).satoshis).toBe(
      100_000n - (cancelling.signed?.feeSatoshis ?? 0n),
    );
    await network.mine();
    await paymentWhere(
      workerRun,
      refused.id,
      ({ state, error }) => state === 'failed' && error?.code === 'payment-cancelled',
    );
    expect((await handlers(workerRun)['activity/list']({ limit: 5, direction: 'sent' })).items).toMatchObject([
      { isCancellation: true, status: 'COMPLETED' },
      { status: 'FAILED', trouble: null },
    ]);
    await expectConsistent(workerRun);
  });

  test('a payment canceled just as the index reports it stays replaced until a block decides between it and the cancellation', async () => {
    const workerRun = await openWallet(network, [100_000]);
    const refused = await refusedPayment(workerRun);
    await broadcastPastWallet(refused);
    let isCancelled: Promise<void> | undefined;
    network.before = async (url) => {
      if (isCancelled || !url.includes(refused.signed?.txid ?? '')) return;
      isCancelled = cancel(workerRun, refused.id).catch(() => undefined);
      await paymentWhere(workerRun, refused.id, ({ replacedBy }) => replacedBy !== null);
    };
    const { transition } = workerRun.modules.transition;
    await transition(wallet, refused.id, 'signed', ({ broadcast }) => ({ broadcast: { ...broadcast, nextAt: 0 } }));
    await workerRun.modules.drive.processChanged(wallet, refused.id);
    network.before = () => undefined;
    await isCancelled;
    expect(await workerRun.modules.transition.readPayment(wallet, refused.id)).toMatchObject({ state: 'signed' });
    const { coins } = await stored(workerRun);
    const own = coins.filter(({ outpoint }) => refused.signed?.ownOutputs.includes(outpoint));
    expect(own.map(({ status }) => status)).toEqual(own.map(() => 'void'));
    await network.mine();
    await paymentWhere(workerRun, refused.id, ({ height }) => height !== null);
    await expectConsistent(workerRun);
  });

  test('two clicks make one cancellation, and a locked wallet cancels nothing', async () => {
    const workerRun = await openWallet(network, [100_000]);
    const refused = await refusedPayment(workerRun);
    const { cancelFee } = await handlers(workerRun)['activity/read']({ id: refused.id });
    const wanted = { id: refused.id, feeSatoshis: cancelFee ?? '0' };
    await workerRun.modules.vault.lock(wallet);
    expect(await codeOf(handlers(workerRun)['activity/cancel'](wanted))).toBe('wallet-locked');
    await workerRun.modules.vault.unlock(wallet, 'correct horse battery');
    await Promise.allSettled([
      handlers(workerRun)['activity/cancel'](wanted),
      handlers(workerRun)['activity/cancel'](wanted),
    ]);
    expect((await stored(workerRun)).payments.filter((one) => one.cancel && one.signed)).toHaveLength(1);
  });
});

test('a payment’s change doesn’t count while the index lists a payment by another browser that spends the same coin', async () => {
  const first = await openWallet(network, [100_000]);
  const words = await wordsOf(first);
  const second = await restoreWallet(network, words);
  await second.modules.poll.refresh(wallet, { all: true });
  approveAll(second);
  expect(await ask(second, 'request-1', pay(someone(), 20_000))).toMatchObject({ status: 'RECEIVED' });
  const change = await balanceOf(second);
  second.end();
  const run = await first.profile.start();
  await handlers(run)['vault/unlock']({ password: PASSWORD });
  approveAll(run);
  const [shop, amount] = [someone(), 30_000];
  expect(await ask(run, 'request-2', pay(shop, amount))).toBe('payment-contested');
  expect(await byAge(run)).toMatchObject([{ state: 'signed', trouble: 'contested' }]);
  for (const all of [false, true]) {
    await run.modules.poll.refresh(wallet, { all });
    expect(await balanceOf(run)).toBe(change);
  }
  await cancel(run, (await byAge(run))[0]!.id);
  expect(await byAge(run)).toMatchObject([{ replacedBy: expect.any(String) as string }, { cancel: true }]);
  expect(await balanceOf(run)).toBe(change);
  await expectConsistent(run);
});

test('the index can’t remove a payment’s change from the balance with a forged transaction', async () => {
  const workerRun = await openWallet(network, [100_000]);
  const { signed } = await refusedPayment(workerRun);
  const before = await balanceOf(workerRun);
  const { outputs, ...rest } = parseTransactionHex(signed!.rawtx);
  const forged = { ...rest, outputs: outputs.map((one) => ({ ...one, satoshis: one.satoshis - 1n })) };
  await noteShown(wallet, txidOf(serializeTransaction(forged)), forged);
  expect(await balanceOf(workerRun)).toBe(before);
  await noteShown(wallet, 'ab'.repeat(32), parseTransactionHex(signed!.rawtx));
  expect(await balanceOf(workerRun)).toBe(0n);
  await noteShown(wallet, signed!.txid, parseTransactionHex(signed!.rawtx));
  expect(await balanceOf(workerRun)).toBe(before);
});
