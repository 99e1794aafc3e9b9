/**
 * An application requests an exact copy of an existing transaction: the user's own payment, or another party's
 * transaction. Each transaction has only one record, so the copy is rejected, without revealing which transactions are
 * the user's.
 */
import { P2PKH, PrivateKey, Transaction } from '@bsv/sdk';
import { describe, expect, test } from 'vitest';
import { writeAddress } from '../../../protocol/bitcoin/address.ts';
import type { Payment } from '../../../protocol/payments/payment.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import {
  APP,
  appKey,
  appScript,
  call,
  called,
  output,
  signInput,
  transactionIn,
  UNLOCKING_BYTES,
} from '../../../testkit/wallet/applications.ts';
import { copyOf, copyToSign } from '../../../testkit/wallet/copies.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import {
  approvalOf,
  approvals,
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
  swipe,
} from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { hash160 } from '../../keys/keys.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

const balance = async (workerRun: WorkerRun) => (await workerRun.modules.store.balance(wallet)).satoshis;
const hexOf = async (txid: string) => (await fetch(`${network.url}/devnet/woc/v1/bsv/test/tx/${txid}/hex`)).text();
const recordsOf = async (workerRun: WorkerRun, txid: string) =>
  (await stored(workerRun)).payments.filter(({ signed }) => signed?.txid === txid);
const closeWindows = (workerRun: WorkerRun) => {
  for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
};

/** Mines a block, then makes the wallet follow the chain and process every payment. */
async function settle(workerRun: WorkerRun): Promise<void> {
  await network.mine();
  await workerRun.modules.poll.refresh(wallet);
  await workerRun.modules.database.inTransaction(wallet, async (tx) => {
    for (const record of await tx.objectStore('payments').getAll()) {
      const [broadcast, confirmation] = [record.broadcast, record.confirmation].map((one) => ({ ...one, nextAt: 0 }));
      await tx.objectStore('payments').put({ ...record, broadcast: broadcast!, confirmation: confirmation! });
    }
  });
  await workerRun.modules.drive.processAll(wallet);
}

/** Starts a wallet and gives the page a small allowance. */
async function permitted(coins: number[] = [500_000]): Promise<WorkerRun> {
  const workerRun = await openWallet(network, coins);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 1000n });
  return workerRun;
}

/** Makes a payment that can't be broadcast yet. */
async function unsent(workerRun: WorkerRun): Promise<PaymentRecord> {
  network.faults = Array.from({ length: 50 }, () => 'refused' as const);
  const answer = ask(workerRun, 'the purchase', pay(someone(), 20_000));
  answer.catch(() => undefined);
  await decide(workerRun, await approvalOf(workerRun));
  closeWindows(workerRun);
  const [{ id }] = (await stored(workerRun)).payments as [PaymentRecord];
  return paymentWhere(workerRun, id, ({ state }) => state === 'signed');
}

/** Makes the same payment as `unsent`, and confirms it. */
async function paid(workerRun: WorkerRun): Promise<PaymentRecord> {
  const answer = ask(workerRun, 'the purchase', pay(someone(), 20_000));
  await decide(workerRun, await approvalOf(workerRun));
  const { id } = (await answer) as Payment;
  closeWindows(workerRun);
  await settle(workerRun);
  return paymentWhere(workerRun, id, ({ height }) => height !== null);
}

/** Creates a copy that is signed later, and runs `meanwhile` before signing it. */
async function signLater(workerRun: WorkerRun, rawtx: string, meanwhile: () => Promise<unknown>): Promise<object> {
  const { args, spends } = copyToSign(rawtx);
  const { signableTransaction } = await called(workerRun, 'createAction', args);
  await meanwhile();
  const { reference } = signableTransaction!;
  const answer = await call(workerRun, 'signAction', { reference, spends, options: { noSend: true } });
  await call(workerRun, 'abortAction', { reference });
  return answer;
}

/** Sends 5,000 satoshis to the application. @returns the outpoint */
async function fundedOutpoint(): Promise<string> {
  const txid = await network.faucet(writeAddress(hash160(appKey(0).publicKey), 'devnet'), 5000);
  const { outputs } = Transaction.fromHex(await hexOf(txid));
  return `${txid}.${outputs.findIndex(({ lockingScript }) => lockingScript.toHex() === appScript(0))}`;
}

/**
 * Requests a copy twice: first while the index works, then while neither the index nor the operator has the
 * transaction.
 */
async function copied(
  workerRun: WorkerRun,
  { rawtx, txid }: { rawtx: string; txid: string },
  answerWindow: (workerRun: WorkerRun, approvalId: string) => Promise<unknown> = decline,
): Promise<object[]> {
  const seen = await call(workerRun, 'createAction', copyOf(rawtx));
  network.hidden.add(txid);
  closeWindows(workerRun);
  const answer = call(workerRun, 'createAction', copyOf(rawtx));
  const window = await Promise.race([answer.then(() => null), approvalOf(workerRun).catch(() => null)]);
  if (window) await answerWindow(workerRun, window);
  const unseen = await answer;
  closeWindows(workerRun);
  network.hidden.delete(txid);
  return [seen, unseen];
}

/** Pays a shop, which then refunds the payment. */
async function refunded(workerRun: WorkerRun): Promise<{ rawtx: string; txid: string }> {
  const shop = PrivateKey.fromHex('07'.repeat(32));
  const answer = ask(workerRun, 'a purchase to give back', pay(shop.toAddress('testnet'), 20_000));
  await decide(workerRun, await approvalOf(workerRun));
  const { txid } = (await answer) as Payment;
  closeWindows(workerRun);
  const sourceTransaction = Transaction.fromHex(await hexOf(txid as string));
  const lock = new P2PKH().lock(shop.toAddress('testnet')).toHex();
  const refund = new Transaction();
  refund.addInput({
    sourceTransaction,
    sourceOutputIndex: sourceTransaction.outputs.findIndex(({ lockingScript }) => lockingScript.toHex() === lock),
    unlockingScriptTemplate: new P2PKH().unlock(shop),
  });
  const { receiveAddress } = await workerRun.modules.handlers.walletHandlers(wallet)['wallet/overview']({});
  // Leaves exactly the fee that the wallet would pay, so a copy has no change.
  refund.addOutput({ satoshis: 19_980, lockingScript: new P2PKH().lock(receiveAddress) });
  await refund.sign();
  const { ok } = await fetch(`${network.url}/devnet/woc/v1/bsv/test/tx/raw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ txhex: refund.toHex() }),
  });
  expect(ok).toBe(true);
  await settle(workerRun);
  return { rawtx: refund.toHex(), txid: refund.id('hex') };
}

/** Returns the number of records for each of the wallet's transactions. */
const recordsOfEach = async (workerRun: WorkerRun): Promise<number[]> => {
  const txids = (await stored(workerRun)).payments.flatMap(({ signed }) => signed?.txid ?? []);
  return [...new Set(txids)].map((txid) => txids.filter((one) => one === txid).length);
};

const nothing = () => Promise.resolve();
const got = (answer: object, ...txids: string[]) =>
  txids.reduce((text, txid) => text.replaceAll(txid, 'txid'), JSON.stringify(answer));

describe('a copy of the user’s own payment', () => {
  test('a copy of a mined payment is rejected without changing the balance, records or coins, and the user can still pay', async () => {
    const workerRun = await permitted();
    const { id, height, signed } = await paid(workerRun);
    const [had, coins] = [await balance(workerRun), (await stored(workerRun)).coins];
    for (const args of [copyOf(signed!.rawtx), copyOf(signed!.rawtx, {}), copyToSign(signed!.rawtx).args])
      expect(await call(workerRun, 'createAction', args)).toMatchObject({ parameter: 'outpoint' });
    await settle(workerRun);
    expect(await recordsOf(workerRun, signed!.txid)).toMatchObject([{ id, height, state: 'broadcast' }]);
    expect([await balance(workerRun), (await stored(workerRun)).coins]).toEqual([had, coins]);
    const next = ask(workerRun, 'the next purchase', pay(someone(), 20_000));
    await decide(workerRun, await approvalOf(workerRun));
    expect(await next).toMatchObject({ status: 'RECEIVED' });
    expect(await ask(workerRun, 'the purchase', pay(someone(), 20_000))).not.toMatchObject({ status: 'FAILED' });
  });

  test('a copy of an unsent payment is rejected, and only the window shows why', async () => {
    const workerRun = await permitted();
    const { id, signed } = await unsent(workerRun);
    const answer = call(workerRun, 'createAction', copyOf(signed!.rawtx), { userActivation: 'new' });
    const window = await approvalOf(workerRun);
    expect((await paymentView(workerRun, window)).problem).toMatchObject({ code: 'own-input' });
    await decline(workerRun, window);
    expect(await answer).toMatchObject({ reason: 'refused' });
    network.faults = [];
    await settle(workerRun);
    expect(await recordsOf(workerRun, signed!.txid)).toMatchObject([{ id, state: 'broadcast' }]);
    expect(await balance(workerRun)).toBe(480_000n - signed!.feeSatoshis);
  });

  test('a copy of an unsent payment that is signed later gets the error for a wrong signature', async () => {
    const workerRun = await permitted();
    const { id, signed } = await unsent(workerRun);
    const had = (await stored(workerRun)).coins;
    const answer = await signLater(workerRun, signed!.rawtx, nothing);
    expect(answer).toMatchObject({ parameter: 'unlockingScript' });
    expect((await stored(workerRun)).coins).toEqual(had);
    network.faults = [];
    await settle(workerRun);
    expect(await recordsOf(workerRun, signed!.txid)).toMatchObject([{ id, state: 'broadcast' }]);
    expect(await balance(workerRun)).toBe(480_000n - signed!.feeSatoshis);
  });

  test('copies of the user’s own and another user’s payment get the same error once the network has both', async () => {
    const foreign = await unsent(await permitted());
    const workerRun = await permitted();
    const own = await unsent(workerRun);
    const answers: string[] = [];
    for (const { signed } of [foreign, own]) {
      const answer = await signLater(workerRun, signed!.rawtx, async () => {
        await fetch(`${network.url}/devnet/woc/v1/bsv/test/tx/raw`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ txhex: signed!.rawtx }),
        });
      });
      answers.push(got(answer, signed!.txid));
      expect(answer).toMatchObject({ reason: 'unusable-input' });
    }
    expect(new Set(answers).size).toBe(1);
  });
});

describe('the copy of a transaction', () => {
  test("copies of a receipt, another application's action and the user's payment get the same error", async () => {
    const workerRun = await permitted();
    const other = 'https://other.example';
    await give(workerRun, { origin: other, currency: 'BSV', limit: 100_000n, id: 'token-of-the-other' });
    const action = { description: 'a thing', outputs: [output(20_000, appScript(0))] };
    const { txid } = await called(workerRun, 'createAction', action, { origin: other });
    const own = await paid(workerRun);
    const before = await stored(workerRun);
    const receipt = await hexOf(before.coins[0]!.txid);
    const answers = [];
    for (const hex of [receipt, await hexOf(txid!), own.signed!.rawtx]) {
      const args = copyOf(hex);
      const answer = await call(workerRun, 'createAction', args);
      answers.push(got(answer, ...args.inputs.map(({ outpoint }) => outpoint)));
    }
    expect(new Set(answers).size).toBe(1);
    expect((await stored(workerRun)).payments).toEqual(before.payments);
    expect((await stored(workerRun)).coins).toEqual(before.coins);
  });
});

describe('a copy unknown to the network', () => {
  test('the wallet rejects copies of a refund and of the site’s own action because of its own records', async () => {
    const workerRun = await permitted();
    const refund = await refunded(workerRun);
    expect((await stored(workerRun)).coins.map(({ txid }) => txid)).toContain(refund.txid);
    const outpoint = await fundedOutpoint();
    const { signableTransaction } = await called(workerRun, 'createAction', {
      description: 'move it',
      inputs: [{ outpoint, inputDescription: 'a coin of mine', unlockingScriptLength: UNLOCKING_BYTES }],
      // Leaves only the fee, so a copy has no change either.
      outputs: [output(4979, appScript(1))],
    });
    const { reference, tx } = signableTransaction!;
    const spends = { 0: { unlockingScript: signInput(transactionIn(tx), 0, 5000) } };
    const { txid } = await called(workerRun, 'signAction', { reference, spends });
    const before = await stored(workerRun);
    const own = before.payments.find(({ signed }) => signed?.txid === txid)!.signed!;
    const approve = (run: WorkerRun, approvalId: string) =>
      expect(decide(run, approvalId)).rejects.toMatchObject({ code: 'unusable-input' });
    for (const one of [refund, own])
      expect(await copied(workerRun, one, approve)).toMatchObject([{}, { reason: 'unusable-input' }]);
    expect(new Set(await recordsOfEach(workerRun))).toEqual(new Set([1]));
    const signed = (await stored(workerRun)).payments.filter((one) => one.signed);
    expect(signed).toHaveLength(before.payments.length);
    expect((await stored(workerRun)).coins).toEqual(before.coins);
  });
});

describe('copies between payments', () => {
  // At the test's rate of $50 per BSV, $0.12 equals 240,000 satoshis.
  test.each<[string, Parameters<typeof give>[1], { satoshis: number; most: number }]>([
    ['an allowance of $0.12', { currency: 'USD', limit: 12_000_000n }, { satoshis: 200_000, most: 240_000 }],
    ['a limit of 60,000 a week', { currency: 'BSV', limit: 60_000n }, { satoshis: 20_000, most: 60_000 }],
  ])(
    'copies never let a shop get more than %s',
    async (_, terms, { satoshis, most }) => {
      const workerRun = await permitted([1_000_000, 400_000]);
      await give(workerRun, terms);
      const shop = someone();
      for (let n = 1; n <= 4; n += 1) {
        closeWindows(workerRun); // closes windows left over from rejected copies
        const answer = ask(workerRun, `purchase ${n}`, pay(shop, satoshis), { automatic: true });
        const isPaid = await Promise.race([
          answer.then(() => true),
          approvalOf(workerRun).then(
            () => false,
            () => false,
          ),
        ]);
        if (!isPaid) {
          await decline(workerRun, await approvalOf(workerRun));
          expect(await answer).toBe('refused');
        }
        await settle(workerRun);
        const copies = (await stored(workerRun)).payments.flatMap(({ signed }) => signed ?? []);
        for (const { rawtx } of copies)
          expect(await call(workerRun, 'createAction', copyOf(rawtx))).toHaveProperty('parameter');
        if (n === 1) expect(await copied(workerRun, copies[0]!)).toMatchObject([{}, { reason: 'refused' }]);
        await settle(workerRun);
      }
      expect(new Set(await recordsOfEach(workerRun))).toEqual(new Set([1]));
      const paidToShop = (await network.unspent(shop)).reduce((sum, one) => sum + one.satoshis, 0);
      expect(paidToShop).toBeGreaterThanOrEqual(satoshis);
      expect(paidToShop).toBeLessThanOrEqual(most);
    },
    120_000,
  );

  test('copies never make a user pay a shop twice', async () => {
    const workerRun = await permitted();
    const shop = someone();
    const first = ask(workerRun, 'the purchase', pay(shop, 20_000));
    await decide(workerRun, await approvalOf(workerRun));
    const { id } = (await first) as Payment;
    closeWindows(workerRun);
    await settle(workerRun);
    const { signed } = await paymentWhere(workerRun, id, ({ height }) => height !== null);
    expect(await copied(workerRun, signed!)).toMatchObject([{ parameter: 'outpoint' }, { reason: 'refused' }]);
    await settle(workerRun);
    expect(await recordsOfEach(workerRun)).toEqual([1]);
    expect(await ask(workerRun, 'the purchase', pay(shop, 20_000))).toMatchObject({ id, status: 'COMPLETED' });
    expect((await network.unspent(shop)).map((one) => one.satoshis)).toEqual([20_000]);
  });
});

describe('a payment from an allowance', () => {
  const LIMIT = 30_000n;
  const limited: [string, (workerRun: WorkerRun) => Promise<unknown>, typeof ask | typeof swipe][] = [
    ['an allowance for a week', (workerRun) => give(workerRun, { currency: 'BSV', limit: LIMIT }), ask],
    [
      'the limit of one-swipe payments',
      ({ modules }) =>
        modules.swipeLimits.setSwipeLimits(wallet, {
          amount: '0.0003',
          perPayment: '0.0003',
          currency: 'BSV',
          rate: null,
        }),
      swipe,
    ],
  ];

  test.each(limited)('copies never restore the allowance: %s', async (_, begin, payBy) => {
    const workerRun = await permitted([500_000, 400_000]);
    await begin(workerRun);
    const buy = (name: string) => payBy(workerRun, name, pay(someone(), 20_000), { automatic: payBy === ask });
    const { id } = (await buy('the first')) as Payment;
    await settle(workerRun);
    const { signed } = await paymentWhere(workerRun, id, ({ height }) => height !== null);
    expect(await copied(workerRun, signed!)).toMatchObject([{ parameter: 'outpoint' }, { reason: 'refused' }]);
    await settle(workerRun);
    expect(await recordsOfEach(workerRun)).toEqual([1]);
    const second = buy('the second');
    await decline(workerRun, await approvalOf(workerRun));
    expect(await second).toBe('refused');
    expect(await paymentWhere(workerRun, id, ({ state }) => state !== 'failed')).toMatchObject({ ended: null });
  });
});
