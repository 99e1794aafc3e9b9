/**
 * Tests that a shop is paid once, regardless of transactions that an application withholds or the network rejects at
 * first.
 */
import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../../../testing/code-of.ts';
import { parseTransactionHex } from '../../../../protocol/bitcoin/transaction.ts';
import { APP, call, called, output } from '../../../../testkit/wallet/applications.ts';
import {
  approvalOf,
  approvals,
  approveAll,
  ask,
  decide,
  decline,
  give,
  openWallet,
  pay,
  paymentView,
  paymentWhere,
  someone,
  stored,
} from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import type { PaymentRecord } from '../../record.ts';
import {
  network,
  AMOUNT,
  handlers,
  paidTo,
  newest,
  byTxid,
  scriptOf,
  broadcastByPage,
  expectPaidOnce,
  walletOf,
  kept,
  abortedOnKept,
} from './testing-paid-once.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

const AUTOMATIC = { automatic: true };
const inputsOf = ({ signed }: PaymentRecord) =>
  parseTransactionHex(signed?.rawtx ?? '').inputs.map(({ txid, vout }) => `${txid}:${vout}`);

describe('change of an action that its application withholds', () => {
  test('the user’s next payment spends no change of a withheld action, and the shop is paid once even if the action is broadcast', async () => {
    const workerRun = await walletOf([1_000_000, 500_000]);
    const [first] = await abortedOnKept(workerRun);
    approveAll(workerRun);
    const shop = someone();
    const answers = [];
    for (const name of ['request-1', 'request-2']) {
      answers.push(await ask(workerRun, name, pay(shop, AMOUNT)));
      if (typeof answers.at(-1) !== 'string') break;
    }
    expect(answers).toMatchObject([{ status: 'RECEIVED' }]);
    const paid = await newest(workerRun);
    expect(inputsOf(paid).filter((key) => key.startsWith(first.signed!.txid))).toEqual([]);
    expect(await broadcastByPage(first)).toBe(200);
    await expectPaidOnce(workerRun, shop);
  });

  test('the same application can spend the change of a withheld action, and both actions are sent', async () => {
    const workerRun = await walletOf([1_000_000]);
    const shop = someone();
    const { noSendChange } = await called(workerRun, 'createAction', kept(shop));
    const { options, ...wanted } = kept(shop, noSendChange, 500);
    const { txid } = await called(workerRun, 'createAction', {
      ...wanted,
      options: { noSendChange: options.noSendChange, acceptDelayedBroadcast: false },
    });
    await paymentWhere(workerRun, (await byTxid(workerRun, txid)).id, ({ state }) => state === 'settled');
    expect((await paidTo(shop)).sort()).toEqual([AMOUNT, 500].sort());
  });
});

test('a payment that replaces an aborted action has no warning, because it also rules out the action that spends its change', async () => {
  const workerRun = await walletOf([1_000_000]);
  const [first, second] = await abortedOnKept(workerRun);
  await called(workerRun, 'abortAction', { reference: first.signed!.txid });
  approveAll(workerRun);
  const shop = someone();
  const asked = ask(workerRun, 'request', pay(shop, AMOUNT), { ...AUTOMATIC, origin: APP });
  expect(await asked).toMatchObject({ status: 'RECEIVED' });
  expect(workerRun.profile.browser.windowsOpened).toBe(0);
  for (const action of [first, second]) expect(await broadcastByPage(action)).not.toBe(200);
  expect(await paidTo(shop)).toEqual([AMOUNT]);
});

describe('a payment that the network rejected', () => {
  test('a rejected payment can be canceled even if an application has withheld an action since', async () => {
    const workerRun = await walletOf([100_000, 100_000]);
    approveAll(workerRun);
    network.faults = [461];
    const shop = someone();
    expect(await ask(workerRun, 'request-1', pay(shop, AMOUNT))).toBe('payment-contested');
    const refused = await newest(workerRun);
    await called(workerRun, 'createAction', kept(someone()));
    const { cancelFee } = await handlers(workerRun)['activity/read']({ id: refused.id });
    await handlers(workerRun)['activity/cancel']({ id: refused.id, feeSatoshis: cancelFee ?? '0' });
    const cancelling = (await stored(workerRun)).payments.find(({ cancel }) => cancel) as PaymentRecord;
    await paymentWhere(workerRun, cancelling.id, ({ state }) => state === 'settled');
    expect(await broadcastByPage(refused)).not.toBe(200);
    expect(await paidTo(shop)).toEqual([]);
  });

  test('a repeated payment replaces its own rejected attempt rather than an older payment to another shop', async () => {
    const workerRun = await walletOf([100_000, 100_000, 100_000]);
    approveAll(workerRun);
    const shops = [someone(), someone()];
    // The payments are broadcast at the same time, so neither replaces the other.
    network.faults = [461, 461];
    const asked = shops.map((to, n) =>
      ask(workerRun, 'request', pay(to, AMOUNT), { origin: `https://shop${n}.example` }),
    );
    network.before = async (url) => {
      if (!url.endsWith('/devnet/arc/v1/tx')) return;
      while ((await stored(workerRun)).payments.filter(({ state }) => state === 'signed').length < 2)
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    expect(await Promise.all(asked)).toEqual(['payment-contested', 'payment-contested']);
    network.before = () => undefined;
    const refused = (await stored(workerRun)).payments.find(({ origin }) => origin === 'https://shop1.example')!;
    const again = await ask(workerRun, 'again', pay(shops[1]!, AMOUNT), { origin: 'https://shop1.example' });
    expect(again).toMatchObject({ status: 'RECEIVED' });
    expect(await broadcastByPage(refused)).not.toBe(200);
    expect(await paidTo(shops[1]!)).toEqual([AMOUNT]);
  });
});

describe('a payment that ARC reports as contested', () => {
  test('a contested payment is paid once if the user repeats it and the wallet sends the first one later', async () => {
    const workerRun = await walletOf([100_000, 100_000]);
    approveAll(workerRun);
    const shop = someone();
    network.faults = ['409', '409', '409'];
    expect(await ask(workerRun, 'request-1', pay(shop, AMOUNT))).toBe('payment-contested');
    const contested = await newest(workerRun);
    expect(await ask(workerRun, 'request-2', pay(shop, AMOUNT))).toMatchObject({ status: 'RECEIVED' });
    const again = await newest(workerRun);
    expect(inputsOf(contested)).toContain(again.group);
    await expectPaidOnce(workerRun, shop);
    await paymentWhere(workerRun, contested.id, ({ state }) => state === 'failed');
  });

  test('a contested payment is unaffected by a payment to another shop, and is accepted later', async () => {
    const workerRun = await walletOf([100_000, 100_000]);
    approveAll(workerRun);
    const shops = [someone(), someone()] as const;
    network.faults = ['409', '409', '409'];
    expect(await ask(workerRun, 'request-1', pay(shops[0], AMOUNT))).toBe('payment-contested');
    const contested = await newest(workerRun);
    const other = { origin: 'https://other.example' };
    expect(await ask(workerRun, 'request-1', pay(shops[1], AMOUNT), other)).toMatchObject({ status: 'RECEIVED' });
    await paymentWhere(workerRun, contested.id, ({ state }) => state !== 'signed');
    expect([await paidTo(shops[0]), await paidTo(shops[1])]).toEqual([[AMOUNT], [AMOUNT]]);
  });
});

describe('a payment that can’t rule out an earlier one', () => {
  /** Makes two refused payments that spend the same unconfirmed coin. */
  async function refusedTwice(shop: string): Promise<WorkerRun> {
    const workerRun = await openWallet(network, [100_000, 300_000]);
    await give(workerRun, { currency: 'BSV', limit: 1_000_000n });
    network.faults = [461, 461];
    for (const name of ['request-1', 'request-2'])
      expect(await ask(workerRun, name, pay(shop, AMOUNT), AUTOMATIC)).toBe('payment-contested');
    return workerRun;
  }

  test('a payment that may be made twice is not made from an allowance, and its window shows a warning', async () => {
    const shop = someone();
    const workerRun = await refusedTwice(shop);
    const answer = ask(workerRun, 'request-3', pay(shop, AMOUNT), AUTOMATIC);
    const approval = await approvalOf(workerRun);
    expect(await paymentView(workerRun, approval)).toMatchObject({ mayPayTwice: true, problem: null });
    await decline(workerRun, approval);
    expect(await answer).toBe('refused');
    expect(await paidTo(shop)).toEqual([]);
  });

  test('a payment that may be made twice can be approved by the user', async () => {
    const shop = someone();
    const workerRun = await refusedTwice(shop);
    approveAll(workerRun);
    expect(await ask(workerRun, 'request-3', pay(shop, AMOUNT))).toMatchObject({ status: 'RECEIVED' });
    expect(await paidTo(shop)).toEqual([AMOUNT]);
  });

  test('a payment to another shop is made from its allowance without a window', async () => {
    const workerRun = await refusedTwice(someone());
    const origin = 'https://other.example';
    await give(workerRun, { origin, currency: 'BSV', limit: 1_000_000n });
    const before = workerRun.profile.browser.windowsOpened;
    expect(await ask(workerRun, 'request-1', pay(someone(), AMOUNT), { ...AUTOMATIC, origin })).toMatchObject({
      status: 'RECEIVED',
    });
    expect(workerRun.profile.browser.windowsOpened).toBe(before);
  });

  test('a payment from the wallet’s window that may be made twice is sent only after a warning in its review', async () => {
    const shop = someone();
    const workerRun = await refusedTwice(shop);
    const wanted = { to: shop, amount: (AMOUNT / 1e8).toFixed(8), currency: 'BSV' };
    const { outputs, feeSatoshis, time, mayPayTwice } = await handlers(workerRun)['send/quote']({
      recipients: [wanted],
    });
    expect(mayPayTwice).toBe(true);
    const sending = { requestId: 'request-of-the-window', outputs, feeSatoshis: feeSatoshis ?? '0', time };
    expect(await codeOf(handlers(workerRun)['send/pay'](sending))).toBe('fee-changed');
    expect(await paidTo(shop)).toEqual([]);
    expect(await handlers(workerRun)['send/pay']({ ...sending, mayPayTwice })).toMatchObject({ taken: true });
    expect(await paidTo(shop)).toEqual([AMOUNT]);
  });

  test('a payment that repeats one whose page got `payment-pending` needs approval until the network has the first one', async () => {
    const workerRun = await walletOf([100_000, 100_000, 100_000]);
    await give(workerRun, { currency: 'BSV', limit: 1_000_000n });
    const shop = someone();
    network.faults = Array.from({ length: 30 }, () => '500' as const);
    expect(await ask(workerRun, 'request-1', pay(shop, AMOUNT), AUTOMATIC)).toBe('payment-pending');
    // A payment of a different amount doesn't count as a repeat.
    expect(await ask(workerRun, 'request-2', pay(shop, AMOUNT - 1), AUTOMATIC)).toBe('payment-pending');
    const [first] = (await stored(workerRun)).payments.toSorted((a, b) => a.createdAt - b.createdAt);
    const answer = ask(workerRun, 'request-3', pay(shop, AMOUNT), AUTOMATIC);
    const approval = await approvalOf(workerRun);
    expect(await paymentView(workerRun, approval)).toMatchObject({ mayPayTwice: true });
    await decline(workerRun, approval);
    expect(await answer).toBe('refused');
    network.faults = [];
    await workerRun.modules.drive.processPayment(wallet, first!.id);
    await paymentWhere(workerRun, first!.id, ({ state }) => state !== 'signed');
    expect(await ask(workerRun, 'request-4', pay(shop, AMOUNT), AUTOMATIC)).toMatchObject({ status: 'RECEIVED' });
  });

  test('a payment’s window warns while an earlier payment of its site with the same amount is being sent', async () => {
    const workerRun = await walletOf([100_000, 100_000, 100_000]);
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    network.before = (url) => (url.endsWith('/devnet/arc/v1/tx') ? isReleased : undefined);
    const first = ask(workerRun, 'request-1', pay(someone(), AMOUNT));
    const decided = decide(workerRun, await approvalOf(workerRun));
    await vi.waitFor(async () => expect((await stored(workerRun)).payments).toMatchObject([{ state: 'signed' }]));
    const isWarned = async (name: string, amount: number) => {
      for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
      const answer = ask(workerRun, name, pay(someone(), amount));
      const approval = await approvalOf(workerRun);
      const { mayPayTwice = false, problem } = await paymentView(workerRun, approval);
      expect(problem).toBeNull();
      await decline(workerRun, approval);
      expect(await answer).toBe('refused');
      return mayPayTwice;
    };
    expect(await isWarned('request-2', AMOUNT)).toBe(true);
    expect(await isWarned('request-3', AMOUNT - 1)).toBe(false);
    release();
    await decided;
    expect(await first).toMatchObject({ status: 'RECEIVED' });
    expect(await isWarned('request-4', AMOUNT)).toBe(false);
  });

  test('a payment has the warning if the network accepted the earlier payment after the page got another result', async () => {
    const workerRun = await walletOf([100_000, 100_000]);
    await give(workerRun, { currency: 'BSV', limit: 1_000_000n });
    const shop = someone();
    network.faults = ['409', '409', '409'];
    expect(await ask(workerRun, 'request-1', pay(shop, AMOUNT), AUTOMATIC)).toBe('payment-contested');
    await paymentWhere(workerRun, (await newest(workerRun)).id, ({ state }) => state !== 'signed');
    const answer = ask(workerRun, 'request-2', pay(shop, AMOUNT), AUTOMATIC);
    const approval = await approvalOf(workerRun);
    expect(await paymentView(workerRun, approval)).toMatchObject({ mayPayTwice: true });
    await decline(workerRun, approval);
    expect(await answer).toBe('refused');
    expect(await paidTo(shop)).toEqual([AMOUNT]);
  });

  /** Holds back the operators' responses. `asked` resolves at the first request. */
  function holdOperators() {
    let [release, note] = [(): void => undefined, (): void => undefined];
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const asked = new Promise<void>((resolve) => (note = resolve));
    network.before = (url) => {
      if (!url.endsWith('/devnet/arc/v1/tx')) return undefined;
      note();
      return isReleased;
    };
    return { asked, release };
  }

  test.each([
    [
      'an operator failed between the rejection of the earlier payment and its acceptance',
      ['409', '409', '409', '500'] as const,
      async (workerRun: WorkerRun, first: PaymentRecord) => {
        await paymentWhere(workerRun, first.id, ({ state }) => state !== 'signed');
      },
    ],
    [
      'the page repeated the rejected request and was closed before the response',
      [461] as const,
      async (workerRun: WorkerRun, first: PaymentRecord, again: (client: object) => Promise<unknown>) => {
        const client = {};
        const { asked, release } = holdOperators();
        void again(client);
        await asked;
        await workerRun.modules.prompts.withdrawClient(wallet, client);
        release();
        await paymentWhere(workerRun, first.id, ({ state }) => state !== 'signed');
      },
    ],
    [
      'the page repeated the rejected request and the operators have not responded yet',
      [461] as const,
      async (_: WorkerRun, __: PaymentRecord, again: (client: object) => Promise<unknown>) => {
        const { asked, release } = holdOperators();
        void again({});
        await asked;
        return release;
      },
    ],
    [
      'the index was down between the rejection of the earlier payment and its block',
      [461] as const,
      async (workerRun: WorkerRun, first: PaymentRecord) => {
        network.down.add('woc');
        await paymentWhere(workerRun, first.id, ({ broadcast }) => broadcast.attempts > first.broadcast.attempts);
        network.down.clear();
        expect(await broadcastByPage(first)).toBe(200);
        await network.mine();
        await workerRun.modules.poll.refresh(wallet);
        await paymentWhere(workerRun, first.id, ({ height }) => height !== null);
      },
    ],
  ])('a payment has the warning even if %s', async (_, faults, acceptLate) => {
    const workerRun = await walletOf([100_000, 100_000, 100_000]);
    await give(workerRun, { currency: 'BSV', limit: 1_000_000n });
    const shop = someone();
    network.faults = [...faults];
    expect(await ask(workerRun, 'request-1', pay(shop, AMOUNT), AUTOMATIC)).toBe('payment-contested');
    const release = await acceptLate(workerRun, await newest(workerRun), (client) =>
      ask(workerRun, 'request-1', pay(shop, AMOUNT), { ...AUTOMATIC, client }),
    );
    const answer = ask(workerRun, 'request-2', pay(shop, AMOUNT), AUTOMATIC);
    const approval = await approvalOf(workerRun);
    expect(await paymentView(workerRun, approval)).toMatchObject({ mayPayTwice: true });
    await decline(workerRun, approval);
    release?.();
    expect(await answer).toBe('refused');
    await vi.waitFor(async () => expect(await paidTo(shop)).toEqual([AMOUNT]));
  });

  test('a payment has the warning even if another payment replaces the earlier one, until the network has the replacement', async () => {
    const workerRun = await walletOf([100_000, 100_000]);
    await give(workerRun, { currency: 'BSV', limit: 1_000_000n });
    const shop = someone();
    network.faults = [461];
    expect(await ask(workerRun, 'request-1', pay(shop, AMOUNT), AUTOMATIC)).toBe('payment-contested');
    network.faults = Array.from({ length: 30 }, () => '500' as const);
    expect(await ask(workerRun, 'request-2', pay(someone(), AMOUNT), AUTOMATIC)).toBe('payment-pending');
    const replacing = await newest(workerRun);
    expect(replacing).toMatchObject({ state: 'signed', trouble: null, replaces: expect.any(String) });
    const answer = ask(workerRun, 'request-3', pay(shop, AMOUNT), AUTOMATIC);
    const approval = await approvalOf(workerRun);
    expect(await paymentView(workerRun, approval)).toMatchObject({ mayPayTwice: true });
    await decline(workerRun, approval);
    expect(await answer).toBe('refused');
    network.faults = [];
    await paymentWhere(workerRun, replacing.id, ({ state }) => state !== 'signed');
    const before = workerRun.profile.browser.windowsOpened;
    expect(await ask(workerRun, 'request-4', pay(shop, AMOUNT), AUTOMATIC)).toMatchObject({ status: 'RECEIVED' });
    expect(workerRun.profile.browser.windowsOpened).toBe(before);
  });

  test('a payment has the warning once a block contains the earlier payment, until the user has seen the earlier payment’s details', async () => {
    const workerRun = await walletOf([100_000, 100_000, 100_000]);
    await give(workerRun, { currency: 'BSV', limit: 1_000_000n });
    const shop = someone();
    network.faults = [461];
    expect(await ask(workerRun, 'request-1', pay(shop, AMOUNT), AUTOMATIC)).toBe('payment-contested');
    const first = await newest(workerRun);
    expect(await broadcastByPage(first)).toBe(200);
    await network.mine();
    await workerRun.modules.poll.refresh(wallet);
    await paymentWhere(workerRun, first.id, ({ height }) => height !== null);
    const answer = ask(workerRun, 'request-2', pay(shop, AMOUNT), AUTOMATIC);
    const approval = await approvalOf(workerRun);
    expect(await paymentView(workerRun, approval)).toMatchObject({ mayPayTwice: true });
    await decline(workerRun, approval);
    expect(await answer).toBe('refused');
    expect(await paidTo(shop)).toEqual([AMOUNT]);
    await handlers(workerRun)['activity/read']({ id: first.id });
    await paymentWhere(workerRun, first.id, ({ knownPaid, unfinished }) => knownPaid === true && unfinished !== 1);
    const before = workerRun.profile.browser.windowsOpened;
    expect(await ask(workerRun, 'request-4', pay(shop, AMOUNT), AUTOMATIC)).toMatchObject({ status: 'RECEIVED' });
    expect(workerRun.profile.browser.windowsOpened).toBe(before);
  });

  test.each([
    [
      'its page gets that one’s answer',
      async (workerRun: WorkerRun, shop: string) =>
        expect(await ask(workerRun, 'request-1', pay(shop, AMOUNT), AUTOMATIC)).toMatchObject({ status: 'RECEIVED' }),
    ],
    [
      'the user opens that one’s details',
      async (workerRun: WorkerRun) =>
        expect(await handlers(workerRun)['activity/read']({ id: (await newest(workerRun)).id })).toMatchObject({
          item: { status: 'RECEIVED' },
        }),
    ],
  ])('a payment has no warning about an earlier payment accepted late once %s', async (_, learn) => {
    const workerRun = await walletOf([100_000, 100_000]);
    await give(workerRun, { currency: 'BSV', limit: 1_000_000n });
    const shop = someone();
    network.faults = ['409', '409', '409'];
    expect(await ask(workerRun, 'request-1', pay(shop, AMOUNT), AUTOMATIC)).toBe('payment-contested');
    const first = await newest(workerRun);
    await paymentWhere(workerRun, first.id, ({ state }) => state !== 'signed');
    await learn(workerRun, shop);
    await paymentWhere(workerRun, first.id, ({ knownPaid }) => knownPaid === true);
    const answer = ask(workerRun, 'request-2', pay(shop, AMOUNT));
    const approval = await approvalOf(workerRun);
    expect(await paymentView(workerRun, approval)).not.toHaveProperty('mayPayTwice');
    await decline(workerRun, approval);
    expect(await answer).toBe('refused');
  });
});

test('an action can’t be signed once the network has rejected the action whose change it spends', async () => {
  const workerRun = await walletOf([1_000_000, 500_000]);
  const first = await called(workerRun, 'createAction', kept(someone()));
  const { signableTransaction } = await called(workerRun, 'createAction', {
    description: 'signed later',
    outputs: [output(500, scriptOf(someone()))],
    options: { noSendChange: first.noSendChange, signAndProcess: false },
  });
  const { id } = await byTxid(workerRun, first.txid);
  await workerRun.modules.transition.transition(wallet, id, 'signed', () => ({ trouble: 'refused' }));
  const { reference } = signableTransaction!;
  expect(await call(workerRun, 'signAction', { reference, spends: {} })).toMatchObject({ reason: 'unusable-input' });
});

test('a rejected payment with two coins is replaced by the next payment', async () => {
  const workerRun = await openWallet(network, [60_000, 70_000]);
  approveAll(workerRun);
  network.faults = [461];
  expect(await ask(workerRun, 'refused', pay(someone(), 100_000))).toBe('payment-contested');
  expect(await ask(workerRun, 'next', pay(someone(), 110_000))).toMatchObject({ status: 'RECEIVED' });
  const [refused, next] = (await stored(workerRun)).payments.toSorted((a, b) => a.createdAt - b.createdAt);
  expect(refused?.signed?.inputs).toHaveLength(2);
  expect(next).toMatchObject({ replaces: refused?.id });
});
