/** A shop is paid once, whatever an application keeps from the network, and whatever the network refuses at first. */
import { describe, expect, test } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import { p2pkhScript, readAddress } from '../../../protocol/address.ts';
import { toHex } from '../../../protocol/bytes.ts';
import { parseTransactionHex } from '../../../protocol/transaction.ts';
import { APP, call, called, output } from '../testing/applications.ts';
import { expectKnownInputs, useNetwork } from '../testing/network.ts';
import {
  approvalOf,
  approveAll,
  ask,
  decline,
  give,
  openWallet,
  pay,
  paymentView,
  paymentWhere,
  someone,
  stored,
} from '../testing/wallet.ts';
import type { WorkerRun } from '../testing/worker-run.ts';
import type { PaymentRecord } from './record.ts';

const network = useNetwork();
expectKnownInputs(network);

const AMOUNT = 20_000;
const AUTOMATIC = { automatic: true };

const scriptOf = (address: string) => toHex(p2pkhScript(readAddress(address)!.hash));
const inputsOf = ({ signed }: PaymentRecord) =>
  parseTransactionHex(signed?.rawtx ?? '').inputs.map(({ txid, vout }) => `${txid}:${vout}`);
const handlers = ({ modules }: WorkerRun) => modules.handlers.walletHandlers;
const paidTo = async (address: string) => (await network.unspent(address)).map(({ satoshis }) => satoshis);
const newest = async (workerRun: WorkerRun) =>
  (await stored(workerRun)).payments.sort((a, b) => a.createdAt - b.createdAt).at(-1) as PaymentRecord;
const byTxid = async (workerRun: WorkerRun, txid: string | undefined) =>
  (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === txid) as PaymentRecord;

/** Broadcasts a payment as its page can, which has the bytes. @returns the status of the answer */
async function broadcastByPage({ signed }: Pick<PaymentRecord, 'signed'>): Promise<number> {
  const answer = await fetch(`${network.url}/devnet/arc/v1/tx`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rawTx: signed?.rawtx }),
  });
  return answer.status;
}

/** Everything is tried again that is not on the network, and a block holds what is. */
async function settle({ modules }: WorkerRun): Promise<void> {
  const db = await modules.database.database();
  for (const id of await db.getAllKeysFromIndex('payments', 'state', 'signed')) {
    await modules.transition.transition(id, 'signed', ({ broadcast }) => ({ broadcast: { ...broadcast, nextAt: 0 } }));
    await modules.drive.processPayment(id);
  }
  await network.mine();
}

async function walletOf(coins: readonly number[]): Promise<WorkerRun> {
  const workerRun = await openWallet(network, coins);
  await network.mine();
  await workerRun.modules.poll.refresh();
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  return workerRun;
}

/** An action that its application keeps from the network. */
const kept = (to: string, noSendChange: readonly string[] = [], satoshis = AMOUNT) => ({
  description: 'kept for later',
  outputs: [output(satoshis, scriptOf(to))],
  options: { noSend: true, ...(noSendChange.length > 0 && { noSendChange }) },
});

/** The application keeps one action, has another spend its change, and gives that one up. */
async function abortedOnKept(workerRun: WorkerRun, to = someone()): Promise<[PaymentRecord, PaymentRecord]> {
  const first = await called(workerRun, 'createAction', kept(to));
  const second = await called(workerRun, 'createAction', kept(to, first.noSendChange, 500));
  await called(workerRun, 'abortAction', { reference: second.txid! });
  return [await byTxid(workerRun, first.txid), await byTxid(workerRun, second.txid)];
}

describe('change of an action that its application keeps', () => {
  test('is not spent by the user’s next payment, which the network takes before and after the action is broadcast', async () => {
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
    await settle(workerRun);
    expect(await paidTo(shop)).toEqual([AMOUNT]);
  });

  test('is spent by the same application, which sends both', async () => {
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

  test('in a wallet of one coin leaves each payment with an answer; once it is given up, the next takes its place', async () => {
    const workerRun = await walletOf([1_000_000]);
    const [first, second] = await abortedOnKept(workerRun);
    approveAll(workerRun);
    // The wallet has split its coin before the application set some of it aside.
    for (const n of [1, 2, 3]) {
      const origin = `https://shop${n}.example`;
      expect(await ask(workerRun, 'request', pay(someone(), AMOUNT), { origin })).toMatchObject({ status: 'RECEIVED' });
    }
    await called(workerRun, 'abortAction', { reference: first.signed!.txid });
    const shop = someone();
    expect(await ask(workerRun, 'request', pay(shop, AMOUNT))).toMatchObject({ status: 'RECEIVED' });
    expect(await broadcastByPage(first)).not.toBe(200);
    expect(await broadcastByPage(second)).not.toBe(200);
    await settle(workerRun);
    expect(await paidTo(shop)).toEqual([AMOUNT]);
    for (const { id } of [first, second]) await paymentWhere(workerRun, id, ({ state }) => state === 'failed');
    const { coins } = await stored(workerRun);
    expect(coins.filter(({ status }) => status === 'reserved' || status === 'pending')).toEqual([]);
  });

  test('is not what cancels a payment: the user cancels the action that makes it, and both end', async () => {
    const workerRun = await walletOf([1_000_000]);
    const [first, second] = await abortedOnKept(workerRun);
    expect((await handlers(workerRun)['activity/read']({ id: second.id })).cancelFee ?? null).toBeNull();
    const { cancelFee } = await handlers(workerRun)['activity/read']({ id: first.id });
    await handlers(workerRun)['activity/cancel']({ id: first.id, feeSatoshis: cancelFee ?? '0' });
    const cancelling = await newest(workerRun);
    await paymentWhere(workerRun, cancelling.id, ({ state }) => state === 'settled');
    await network.mine();
    for (const { id } of [first, second]) await paymentWhere(workerRun, id, ({ state }) => state === 'failed');
    // The wallet has split its coin before the application set some of it aside.
    const made = (await stored(workerRun)).payments.filter(({ state }) => state === 'broadcast' || state === 'settled');
    const fees = made.reduce((sum, { signed }) => sum + (signed?.feeSatoshis ?? 0n), 0n);
    expect((await workerRun.modules.store.balance()).satoshis).toBe(1_000_000n - fees);
  });

  test('is spent by no action that was signed after the first was given up', async () => {
    const workerRun = await walletOf([1_000_000, 500_000]);
    const first = await called(workerRun, 'createAction', kept(someone()));
    const { signableTransaction } = await called(workerRun, 'createAction', {
      description: 'signed later',
      outputs: [output(500, scriptOf(someone()))],
      options: { noSendChange: first.noSendChange, signAndProcess: false },
    });
    const { id } = await byTxid(workerRun, first.txid);
    await workerRun.modules.transition.transition(id, 'signed', () => ({ trouble: 'refused' }));
    const { reference } = signableTransaction!;
    expect(await call(workerRun, 'signAction', { reference, spends: {} })).toMatchObject({ reason: 'unusable-input' });
  });
});

describe('a payment that the network refused', () => {
  test.each([
    ['an action that is kept', { noSend: true }],
    ['an action that is sent', { noSend: false }],
    ['no action', null],
  ])('is paid once where the user tries again after %s', async (_, options) => {
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
    await settle(workerRun);
    expect(await paidTo(shop)).toEqual([AMOUNT]);
  });

  test('is cancelled although an action was kept since', async () => {
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

  test('is replaced by the attempt that repeats it, before an older one of another shop', async () => {
    const workerRun = await walletOf([100_000, 100_000, 100_000]);
    approveAll(workerRun);
    const shops = [someone(), someone()];
    // Both are on their way at once, so that neither replaces the other.
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

describe('a payment that ARC calls contested', () => {
  test('is paid once where the user tries again and the wallet itself sends the first later', async () => {
    const workerRun = await walletOf([100_000, 100_000]);
    approveAll(workerRun);
    const shop = someone();
    network.faults = ['409', '409', '409'];
    expect(await ask(workerRun, 'request-1', pay(shop, AMOUNT))).toBe('payment-contested');
    const contested = await newest(workerRun);
    expect(await ask(workerRun, 'request-2', pay(shop, AMOUNT))).toMatchObject({ status: 'RECEIVED' });
    const again = await newest(workerRun);
    expect(inputsOf(contested)).toContain(again.group);
    await settle(workerRun);
    expect(await paidTo(shop)).toEqual([AMOUNT]);
    await paymentWhere(workerRun, contested.id, ({ state }) => state === 'failed');
  });

  test('is left alone by a payment to another shop, and taken later', async () => {
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

describe('a payment that can’t exclude an earlier one', () => {
  /** Both spend the same unconfirmed coin, and are refused. */
  async function refusedTwice(shop: string): Promise<WorkerRun> {
    const workerRun = await openWallet(network, [100_000, 300_000]);
    await give(workerRun, { currency: 'BSV', limit: 1_000_000n });
    network.faults = [461, 461];
    for (const name of ['request-1', 'request-2'])
      expect(await ask(workerRun, name, pay(shop, AMOUNT), AUTOMATIC)).toBe('payment-contested');
    return workerRun;
  }

  test('is not made from an allowance: the window says that both could be paid', async () => {
    const shop = someone();
    const workerRun = await refusedTwice(shop);
    const answer = ask(workerRun, 'request-3', pay(shop, AMOUNT), AUTOMATIC);
    const approval = await approvalOf(workerRun);
    expect(await paymentView(workerRun, approval)).toMatchObject({ mayPayTwice: true, problem: null });
    await decline(workerRun, approval);
    expect(await answer).toBe('refused');
    expect(await paidTo(shop)).toEqual([]);
  });

  test('is made by the user who has read that', async () => {
    const shop = someone();
    const workerRun = await refusedTwice(shop);
    approveAll(workerRun);
    expect(await ask(workerRun, 'request-3', pay(shop, AMOUNT))).toMatchObject({ status: 'RECEIVED' });
    expect(await paidTo(shop)).toEqual([AMOUNT]);
  });

  test('to another shop is made from its allowance without a window', async () => {
    const workerRun = await refusedTwice(someone());
    const origin = 'https://other.example';
    await give(workerRun, { origin, currency: 'BSV', limit: 1_000_000n });
    const before = workerRun.profile.browser.windowsOpened;
    expect(await ask(workerRun, 'request-1', pay(someone(), AMOUNT), { ...AUTOMATIC, origin })).toMatchObject({
      status: 'RECEIVED',
    });
    expect(workerRun.profile.browser.windowsOpened).toBe(before);
  });

  test('is sent from the wallet’s own window only once its review has said so', async () => {
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

  test('warns as well where the network took the earlier one only after its page was told otherwise', async () => {
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
});
