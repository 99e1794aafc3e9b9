import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import type { Payment } from '../../../protocol/payments/payment.ts';
import { normalizedTxidOf, parseTransactionHex, txidOf } from '../../../protocol/bitcoin/transaction.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { type Fault, useNetwork } from '../../../testkit/network/network.ts';
import {
  PASSWORD,
  approvalOf,
  approvals,
  approve,
  ask,
  decide,
  openWallet,
  pay,
  approveAll,
  paymentView,
  paymentWhere,
  stored,
  someone,
} from '../../../testkit/wallet/wallet.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { metadataOf } from '../../../protocol/payments/metadata.ts';
import { timeToRead } from '../../../testkit/wallet/clock.ts';

const network = useNetwork();

const OTHER = { origin: 'https://other.example' };
const statuses = async (workerRun: WorkerRun) => (await stored(workerRun)).coins.map((coin) => coin.status).sort();

/** Asserts that no coin is reserved, and that the balance is as expected. */
async function atRest(workerRun: WorkerRun, expected: bigint): Promise<void> {
  expect((await workerRun.modules.store.balance(wallet)).satoshis).toBe(expected);
  expect((await statuses(workerRun)).filter((status) => status === 'reserved' || status === 'pending')).toEqual([]);
}

async function ageFeePolicy(workerRun: WorkerRun): Promise<void> {
  const { readKey, writeKey } = workerRun.modules.database;
  const { policy: _old, ...known } = (await readKey(wallet, 'network')) ?? {};
  await writeKey(wallet, 'network', known);
}

describe('a payment', () => {
  test('a payment goes from the swipe to the block, and the page gets the payment object', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const to = someone();
    const answer = ask(
      workerRun,
      'request-1',
      pay(to, 250_000, { label: 'Read on', buttonId: 'invoice 7', buttonData: '{"a":1}' }),
    );
    await decide(workerRun, await approvalOf(workerRun));
    const payment = (await answer) as Payment;
    const transaction = parseTransactionHex(payment.rawtx);
    const outputs = [
      {
        type: 'ADDRESS',
        to,
        paymail: null,
        userId: null,
        address: to,
        script: null,
        amount: '0.00250000',
        currency: 'BSV',
        satoshis: '250000',
      },
    ];
    expect(payment).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-/),
      ...metadataOf({ label: 'Read on', buttonId: 'invoice 7', buttonData: '{"a":1}' }),
      status: 'RECEIVED',
      txid: txidOf(fromHex(payment.rawtx)),
      normalizedTxid: normalizedTxidOf(transaction),
      amount: '0.00250000',
      currency: 'BSV',
      satoshis: '250000',
      outputs,
      paymentOutputs: outputs,
      cryptoOperations: [],
      userId: null,
      senderPaymail: null,
      amountUsd: '0.125',
      rawtx: expect.any(String),
    });
    expect(await network.unspent(to)).toEqual([{ txid: payment.txid, satoshis: 250_000 }]);
    await network.mine();
    const record = await paymentWhere(workerRun, payment.id, (p) => p.height !== null);
    expect(record.state).toBe('broadcast');
    await atRest(workerRun, 1_000_000n - 250_000n - (record.signed?.feeSatoshis ?? 0n));
    expect(
      (
        (await ask(
          workerRun,
          'request-1',
          pay(to, 250_000, { label: 'Other words', buttonId: 'invoice 7', buttonData: '{"a":1}' }),
        )) as Payment
      ).status,
    ).toBe('COMPLETED');
  });

  test('[S-07] a payment is converted at the rate of the swipe: 1 USD at 50 USD per BSV is 2,000,000 satoshis', async () => {
    const workerRun = await openWallet(network, [5_000_000]);
    const to = someone();
    const answer = ask(workerRun, 'request-1', { outputs: [{ to, amount: '1', currency: 'USD' }] });
    await decide(workerRun, await approvalOf(workerRun));
    expect(await answer).toMatchObject({ satoshis: '2000000', amount: '1', currency: 'USD', amountUsd: '1.00' });
    expect(await network.unspent(to)).toMatchObject([{ satoshis: 2_000_000 }]);
  });

  test('a payment with an account is reported, and the page gets the payer’s ID', async () => {
    const workerRun = await openWallet(network, [1_000_000], { account: true });
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000));
    await decide(workerRun, await approvalOf(workerRun));
    const payment = (await answer) as Payment;
    expect(payment).toMatchObject({ userId: '75101', senderPaymail: 'alice@localhost' });
    expect(network.reports.get(payment.id)).toMatchObject({
      id: payment.id,
      rawtx: payment.rawtx,
      origin: 'https://shop.example',
      outputs: [{ scripts: [{ satoshis: '1000' }] }],
    });
    await network.mine();
    expect((await paymentWhere(workerRun, payment.id, (p) => p.height !== null)).state).toBe('settled');
    expect(JSON.stringify([...network.reports])).not.toContain('priv');
  });

  test('a payment made before there was an account is reported once there is one', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000));
    await decide(workerRun, await approvalOf(workerRun));
    const { id } = (await answer) as Payment;
    await workerRun.modules.client.registerAccount(wallet, 'alice', 'Alice');
    await workerRun.modules.revive.reviveReports(wallet);
    await paymentWhere(workerRun, id, (p) => p.state === 'settled');
    expect(network.reports.has(id)).toBe(true);
  });

  test.each(['payment-mismatch', 'invalid-transaction', 'payment-conflict'])(
    'a payment whose report is rejected as %s is settled, and the report is not repeated',
    async (code) => {
      const workerRun = await openWallet(network, [1_000_000], { account: true });
      network.refuseReports = code;
      const answer = ask(workerRun, 'request-1', pay(someone(), 1000));
      await decide(workerRun, await approvalOf(workerRun));
      const { id } = (await answer) as Payment;
      expect((await paymentWhere(workerRun, id, (p) => p.state === 'settled')).report.state).toBe('refused');
    },
  );

  test('the page gets its payment although the service is down, and the payment is reported when the service is available again', async () => {
    const workerRun = await openWallet(network, [1_000_000], { account: true });
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000));
    const approval = await approvalOf(workerRun);
    network.down.add('service');
    await decide(workerRun, approval);
    const { id } = (await answer) as Payment;
    expect(network.reports.has(id)).toBe(false);
    network.down.clear();
    await paymentWhere(workerRun, id, (p) => p.state === 'settled');
    expect(network.reports.has(id)).toBe(true);
  });

  test('[R-12] [R-31] [R-32] a payment writes its data and keeps the order of its outputs, with the change last', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const outputs = [30_000, 10_000, 20_000].map((satoshis) => ({
      to: someone(),
      amount: `0.000${satoshis}`,
      currency: 'BSV',
    }));
    const answer = ask(workerRun, 'request-1', { outputs, opReturn: 'grüß dich', preserveOrder: true });
    await decide(workerRun, await approvalOf(workerRun));
    const paid = parseTransactionHex(((await answer) as Payment).rawtx).outputs;
    expect(paid.map((o) => o.satoshis).slice(0, 4)).toEqual([30_000n, 10_000n, 20_000n, 0n]);
    const data = new TextEncoder().encode('grüß dich');
    expect(toHex(paid[3]?.lockingScript ?? data)).toBe(
      `006a${data.length.toString(16).padStart(2, '0')}${toHex(data)}`,
    );
    const change = (await stored(workerRun)).coins.filter((coin) => coin.chain === 'change');
    expect(paid.slice(4).map((o) => toHex(o.lockingScript))).toEqual(
      change.sort((a, b) => a.index - b.index).map((coin) => coin.script),
    );
  });

  test('[R-13] a payment with more data than the limit is rejected before anything is shown', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    expect(await ask(workerRun, 'request-1', pay(someone(), 1000, { opReturn: 'ü'.repeat(49_501) }))).toBe(
      'data-too-large',
    );
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    const answer = ask(workerRun, 'request-2', pay(someone(), 1000, { opReturn: 'ü'.repeat(49_500) }));
    await decide(workerRun, await approvalOf(workerRun));
    expect(((await answer) as Payment).rawtx.length).toBeGreaterThan(2 * 99_000);
  });

  test('a payment needs a wallet', async () => {
    const workerRun = await openWallet(network, []);
    await workerRun.modules.database.deleteKey(wallet, 'vault');
    expect(await ask(workerRun, 'request-1', pay(someone(), 1))).toBe('wallet-not-set-up');
    expect(await stored(workerRun)).toMatchObject({ requests: [], payments: [] });
  });

  test.each([
    ['invalid-recipient', pay('1BoatSLRHtKNngkdXEeobR76b53LETtpyX', 1000)],
    ['invalid-recipient', pay('1BoatSLRHtKNngkdXEeobR76b53LETtpyT', 1000)],
    ['invalid-recipient', pay('OP_FALSE OP_RETURN 6869', 1000)],
    ['network-unavailable', pay('alice@example.com', 1000)],
    ['unknown-recipient', pay('75101', 1000)],
    ['invalid-amount', { outputs: [{ to: 'OP_NOP OP_1', amount: '-1', currency: 'BSV' }] }],
    ['amount-too-small', { outputs: [{ to: 'OP_NOP OP_1', amount: '0.000000004', currency: 'BSV' }] }],
    ['invalid-currency', { outputs: [{ to: 'OP_NOP OP_1', amount: '1', currency: 'ZZZ' }] }],
    [
      'mixed-currencies',
      {
        outputs: [
          { to: 'OP_NOP OP_1', amount: '1', currency: 'BSV' },
          { to: 'OP_NOP OP_1', amount: '1', currency: 'USD' },
        ],
      },
    ],
  ])('a payment is rejected with %s before a window opens, and stores nothing', async (code, options) => {
    const workerRun = await openWallet(network, []);
    expect(await ask(workerRun, 'request-1', options)).toBe(code);
    expect(await stored(workerRun)).toMatchObject({ requests: [], payments: [] });
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
  });
});

describe('repeated requests', () => {
  test('the same request made twenty times concurrently is one payment in one window', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const options = pay(someone(), 1000);
    const answers = Array.from({ length: 20 }, () => ask(workerRun, 'request-1', options));
    await decide(workerRun, await approvalOf(workerRun));
    const payments = (await Promise.all(answers)) as Payment[];
    expect(new Set(payments.map((p) => p.id)).size).toBe(1);
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
    expect(network.broadcasts).toHaveLength(1);
    expect(await ask(workerRun, 'request-1', options)).toMatchObject({ id: payments[0]?.id, txid: payments[0]?.txid });
    expect((await stored(workerRun)).payments).toHaveLength(1);
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
  });

  test('a request with the same ID but different content is rejected, and the order of the keys doesn’t count as content', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const to = someone();
    const answer = ask(workerRun, 'request-1', pay(to, 1000, { buttonId: 'a', opReturn: 'x' }));
    const approval = await approvalOf(workerRun);
    expect(await ask(workerRun, 'request-1', pay(to, 1001, { buttonId: 'a', opReturn: 'x' }))).toBe(
      'request-id-reused',
    );
    const same = ask(workerRun, 'request-1', { opReturn: 'x', buttonId: 'a', ...pay(to, 1000) });
    await decide(workerRun, approval);
    expect(((await same) as Payment).id).toBe(((await answer) as Payment).id);
  });

  test('an identical request from another site is a separate payment', async () => {
    const workerRun = await openWallet(network, [1_000_000, 1_000_000]);
    const options = pay(someone(), 1000);
    const first = ask(workerRun, 'request-1', options);
    await decide(workerRun, await approvalOf(workerRun));
    const second = ask(workerRun, 'request-1', options, OTHER);
    await decide(workerRun, await approvalOf(workerRun, 2));
    expect(((await first) as Payment).id).not.toBe(((await second) as Payment).id);
  });
});

describe('approval windows', () => {
  test('a rejection in the window reaches the page immediately, without waiting for a report', async () => {
    const workerRun = await openWallet(network, [1_000_000], { account: true });
    const asked = ask(workerRun, 'request-1', pay(someone(), 1000));
    const approval = await approvalOf(workerRun);
    const waits = vi.spyOn(globalThis, 'setTimeout');
    await decide(workerRun, approval, 'refuse');
    expect(await asked).toBe('refused');
    expect(waits.mock.calls.map(([, ms]) => ms)).not.toContain(2000);
  });

  test('many requests from a site open one window', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const answers = Array.from({ length: 50 }, (_, i) => ask(workerRun, `request-${i}`, pay(someone(), 1000)));
    const approval = await approvalOf(workerRun);
    await decide(workerRun, approval, 'refuse');
    const codes = await Promise.all(answers);
    expect(codes.filter((code) => code === 'refused')).toHaveLength(1);
    expect(codes.filter((code) => code === 'busy')).toHaveLength(49);
    expect(workerRun.profile.browser.windowsOpened).toBe(1);
  });

  test('windows show values that the wallet has computed itself', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const to = someone();
    void ask(workerRun, 'request-1', pay(to, 1000, { opReturn: 'hello' }));
    const view = await paymentView(workerRun, await approvalOf(workerRun));
    expect(view).toMatchObject({
      origin: 'https://shop.example',
      locked: false,
      network: 'devnet',
      satoshis: '1000',
      balanceSatoshis: '1000000',
      problem: null,
      data: { text: 'hello', hex: '68656c6c6f', bytes: 5 },
      rate: { currency: 'USD', price: '50' },
      outputs: [{ type: 'ADDRESS', to, own: false, scripts: [] }],
    });
    expect(BigInt(view.totalSatoshis ?? 0)).toBe(1000n + BigInt(view.feeSatoshis ?? 0));
  });
});

describe('a payment that fails', () => {
  const after = async (workerRun: WorkerRun) => {
    expect(await statuses(workerRun)).toEqual(['available']);
    expect(network.broadcasts).toEqual([]);
    const { payments } = await stored(workerRun);
    expect(payments.map((p) => p.unfinished)).toEqual(payments.map(() => 0));
    const answer = ask(workerRun, 'request-later', pay(someone(), 1000));
    approveAll(workerRun);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
  };

  test('a payment ends when its page is closed, even while its price is being fetched', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const client = {};
    await workerRun.modules.database.deleteKey(wallet, 'rates');
    network.before = async (url) => {
      if (url === '/api/v2/rates') await workerRun.modules.prompts.withdrawClient(wallet, client);
    };
    expect(
      await ask(workerRun, 'request-1', { outputs: [{ to: someone(), amount: '0.01', currency: 'USD' }] }, { client }),
    ).toBe('page-gone');
    expect(approvals(workerRun)).toEqual([]);
    network.reset();
    await after(workerRun);
  });

  test('a payment with insufficient funds shows the problem in its window, and can’t be approved', async () => {
    const workerRun = await openWallet(network, [10_000]);
    const answer = ask(workerRun, 'request-1', pay(someone(), 10_000));
    const id = await approvalOf(workerRun);
    expect(await paymentView(workerRun, id)).toMatchObject({
      problem: { code: 'insufficient-funds' },
      feeSatoshis: null,
      totalSatoshis: null,
    });
    await timeToRead();
    expect(await codeOf(approve(workerRun, id))).toBe('insufficient-funds');
    await decide(workerRun, id, 'refuse');
    expect(await answer).toBe('refused');
    workerRun.profile.browser.closeWindow(approvals(workerRun)[0]?.windowId ?? 0);
    await after(workerRun);
  });

  test('a payment while the network is down shows the problem in its window, and can be approved later', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    network.down.add('arc');
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000));
    const id = await approvalOf(workerRun);
    expect(await paymentView(workerRun, id)).toMatchObject({
      problem: { code: 'network-unavailable' },
      feeSatoshis: null,
    });
    await timeToRead();
    expect(await codeOf(approve(workerRun, id))).toBe('network-unavailable');
    network.down.clear();
    await decide(workerRun, id);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
  });

  test('a payment that costs more than its window showed is shown again, and can then be paid', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000));
    const id = await approvalOf(workerRun);
    const { feeSatoshis } = await paymentView(workerRun, id);
    network.policy = { satoshis: 500, bytes: 1000 };
    await ageFeePolicy(workerRun);
    await timeToRead();
    expect(await codeOf(approve(workerRun, id))).toBe('fee-changed');
    expect(Number((await paymentView(workerRun, id)).feeSatoshis)).toBeGreaterThan(Number(feeSatoshis) * 4);
    // The window still shows its first view, so that view's fee is the limit, although a later view had a higher fee.
    expect(await codeOf(approve(workerRun, id, { fee: BigInt(feeSatoshis ?? 0) }))).toBe('fee-changed');
    await approve(workerRun, id);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
  });

  test('a payment costs less than its window showed if the fee rate has fallen', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    network.policy = { satoshis: 500, bytes: 1000 };
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000));
    const id = await approvalOf(workerRun);
    const { feeSatoshis } = await paymentView(workerRun, id);
    network.policy = null;
    await ageFeePolicy(workerRun);
    await decide(workerRun, id);
    const { id: paymentId } = (await answer) as Payment;
    expect((await workerRun.modules.transition.readPayment(wallet, paymentId))?.signed?.feeSatoshis).toBeLessThan(
      BigInt(feeSatoshis ?? 0) / 4n,
    );
  });
});

describe('a locked wallet', () => {
  test('a locked wallet shows the payment, requests the password, and pays', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const { vault } = workerRun.modules;
    await vault.lock(wallet);
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000));
    const id = await approvalOf(workerRun);
    expect(await paymentView(workerRun, id)).toMatchObject({ locked: true, problem: null });
    await timeToRead();
    expect(await codeOf(approve(workerRun, id))).toBe('wallet-locked');
    expect(await codeOf(vault.unlock(wallet, 'wrong horse battery'))).toBe('wrong-password');
    expect(await codeOf(approve(workerRun, id))).toBe('wallet-locked');
    expect(network.broadcasts).toEqual([]);
    await vault.unlock(wallet, PASSWORD);
    await approve(workerRun, id);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
  });

  test('a locked wallet completes a signed payment, because later steps need no key', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    network.faults = ['refused'];
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000));
    await decide(workerRun, await approvalOf(workerRun));
    await workerRun.modules.vault.lock(wallet);
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
  });
});

describe('a signed payment', () => {
  test.each<Fault[]>(
    [
      ['refused'],
      ['answer-lost'],
      ['500'],
      ['409-taken'],
      ['409'],
      ['refused', '500'],
      ['answer-lost', '409'],
      ['409', '409'],
      [466],
      [462],
      [466, 462],
    ].map((one) => [one] as never),
  )('a signed payment succeeds although its first broadcasts get: %j', async (...faults) => {
    const workerRun = await openWallet(network, [1_000_000]);
    network.faults = (faults as unknown as Fault[][])[0] as Fault[];
    const to = someone();
    const answer = ask(workerRun, 'request-1', pay(to, 1000));
    await decide(workerRun, await approvalOf(workerRun));
    const { id, txid } = (await answer) as Payment;
    expect(await network.unspent(to)).toEqual([{ txid, satoshis: 1000 }]);
    const record = await workerRun.modules.transition.readPayment(wallet, id);
    await atRest(workerRun, 1_000_000n - 1000n - (record?.signed?.feeSatoshis ?? 0n));
  });

  test('a payment that cannot be broadcast is pending, keeps its coins, and is sent later under the same ID', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const to = someone();
    const options = pay(to, 1000);
    const answer = ask(workerRun, 'request-1', options);
    const approval = await approvalOf(workerRun);
    await paymentView(workerRun, approval);
    network.down.add('arc');
    await decide(workerRun, approval);
    expect(await answer).toBe('payment-pending');
    expect(new Set(await statuses(workerRun))).toEqual(new Set(['pending', 'reserved']));
    expect((await workerRun.modules.store.balance(wallet)).satoshis).toBeLessThan(1_000_000n);
    const [record] = (await stored(workerRun)).payments;
    network.down.clear();
    const payment = (await ask(workerRun, 'request-1', options)) as Payment;
    expect(payment.id).toBe(record?.id);
    expect(await network.unspent(to)).toEqual([{ txid: payment.txid, satoshis: 1000 }]);
    await atRest(workerRun, 1_000_000n - 1000n - (record?.signed?.feeSatoshis ?? 0n));
    expect((await workerRun.modules.transition.readPayment(wallet, payment.id))?.signed).toEqual(record?.signed);
  });

  test('a reloaded page gets the result of its pending payment from a new worker once the network has the payment', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const to = someone();
    const answer = ask(workerRun, 'request-1', pay(to, 1000));
    const approval = await approvalOf(workerRun);
    await paymentView(workerRun, approval);
    network.down.add('arc');
    await decide(workerRun, approval);
    expect(await answer).toBe('payment-pending');
    const outcomeIn = (run: WorkerRun, origin: string, id: string, known?: string) =>
      run.modules.request.paymentOutcome(wallet, origin, id, {}, known).catch(({ code }: { code: string }) => code);
    // Another site can't find out whether the payment exists.
    expect(await outcomeIn(workerRun, 'https://other.example', 'request-1')).toBe('not-found');
    expect(await outcomeIn(workerRun, 'https://shop.example', 'request-2')).toBe('not-found');
    expect(await outcomeIn(workerRun, 'https://shop.example', 'request-1')).toBe('payment-pending');
    workerRun.end();
    const next = await workerRun.profile.start();
    const windows = approvals(next).length;
    const outcome = outcomeIn(next, 'https://shop.example', 'request-1', 'payment-pending');
    network.down.clear();
    await next.modules.drive.processAll(wallet);
    const [record] = (await stored(next)).payments;
    await next.modules.drive.processPayment(wallet, record!.id);
    const { payment } = (await outcome) as { payment: Payment };
    expect(await network.unspent(to)).toEqual([{ txid: payment.txid, satoshis: 1000 }]);
    // Another query creates neither a payment nor a window.
    expect(await outcomeIn(next, 'https://shop.example', 'request-1')).toMatchObject({ payment: { id: payment.id } });
    expect((await stored(next)).payments).toHaveLength(1);
    expect(approvals(next)).toHaveLength(windows);
  });

  test('a rejected payment is reported as rejected to the waiting page', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const answer = ask(workerRun, 'request-1', pay(someone(), 1000));
    const approval = await approvalOf(workerRun);
    const outcome = workerRun.modules.request
      .paymentOutcome(wallet, 'https://shop.example', 'request-1', {})
      .catch(({ code }: { code: string }) => code);
    await decide(workerRun, approval, 'refuse');
    expect([await answer, await outcome]).toEqual(['refused', 'refused']);
  });

  test('a request repeated while the network is down gets `payment-pending` again', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const options = pay(someone(), 1000);
    const answer = ask(workerRun, 'request-1', options);
    const approval = await approvalOf(workerRun);
    await paymentView(workerRun, approval);
    network.down.add('arc');
    await decide(workerRun, approval);
    expect(await answer).toBe('payment-pending');
    expect(await ask(workerRun, 'request-1', options)).toBe('payment-pending');
  });

  test('a payment whose first response was lost does not fail due to a later rejection, because the network has it', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const to = someone();
    let statusAsked = 0;
    network.faults = ['answer-lost', 461];
    network.before = (url) => {
      // The first status request also fails.
      if (/\/arc\/v1\/tx\/[0-9a-f]{64}$/.test(url) && (statusAsked += 1) === 1) network.down.add('arc');
      else network.down.delete('arc');
    };
    const answer = ask(workerRun, 'request-1', pay(to, 1000));
    await decide(workerRun, await approvalOf(workerRun));
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
    expect(statusAsked).toBeGreaterThan(1);
    expect(await network.unspent(to)).toHaveLength(1);
  });
});

describe('two concurrent payments', () => {
  async function both(
    coins: number[],
    satoshis: number,
  ): Promise<{ workerRun: WorkerRun; answers: (Payment | string)[] }> {
    const workerRun = await openWallet(network, coins);
    const asked = [
      ask(workerRun, 'request-1', pay(someone(), satoshis)),
      ask(workerRun, 'request-1', pay(someone(), satoshis), OTHER),
    ];
    await approvalOf(workerRun, 2);
    const ids = approvals(workerRun).map((one) => one.id);
    await Promise.all(ids.map((id) => paymentView(workerRun, id)));
    await timeToRead();
    await Promise.allSettled(ids.map((id) => approve(workerRun, id)));
    for (const { windowId } of approvals(workerRun)) workerRun.profile.browser.closeWindow(windowId);
    return { workerRun, answers: await Promise.all(asked) };
  }

  test('two payments never share a coin, and both are paid if there are enough coins', async () => {
    const { workerRun, answers } = await both([100_000, 100_000, 100_000], 50_000);
    const payments = answers as Payment[];
    expect(payments.map((p) => p.status)).toEqual(['RECEIVED', 'RECEIVED']);
    const inputs = payments.flatMap((p) => parseTransactionHex(p.rawtx).inputs.map((i) => `${i.txid}:${i.vout}`));
    expect(new Set(inputs).size).toBe(inputs.length);
    const scripts = payments.flatMap((p) =>
      parseTransactionHex(p.rawtx)
        .outputs.filter((o) => o.satoshis !== 50_000n)
        .map((o) => toHex(o.lockingScript)),
    );
    expect(new Set(scripts).size).toBe(scripts.length);
    const fees = (await stored(workerRun)).payments.reduce((sum, p) => sum + (p.signed?.feeSatoshis ?? 0n), 0n);
    await atRest(workerRun, 300_000n - 100_000n - fees);
  });

  test('one of two payments with one coin is paid, and the other fails with a reason', async () => {
    const { workerRun, answers } = await both([100_000], 50_000);
    const paid = answers.filter((a) => typeof a !== 'string');
    expect(paid).toHaveLength(1);
    expect(answers.filter((a) => typeof a === 'string')).toEqual([
      expect.stringMatching(/^(insufficient-funds|approval-closed)$/),
    ]);
    const record = await workerRun.modules.transition.readPayment(wallet, (paid[0] as Payment).id);
    await atRest(workerRun, 50_000n - (record?.signed?.feeSatoshis ?? 0n));
    expect(network.broadcasts).toHaveLength(1);
  });

  test('consecutive payments spend unconfirmed change', async () => {
    const workerRun = await openWallet(network, [100_000]);
    approveAll(workerRun);
    for (let i = 0; i < 5; i += 1)
      expect(await ask(workerRun, `request-${i}`, pay(someone(), 10_000))).toMatchObject({ status: 'RECEIVED' });
    expect(network.broadcasts).toHaveLength(5);
    await network.mine();
    const { payments } = await stored(workerRun);
    for (const { id } of payments) await paymentWhere(workerRun, id, (p) => p.height !== null);
    await atRest(workerRun, 50_000n - payments.reduce((sum, p) => sum + (p.signed?.feeSatoshis ?? 0n), 0n));
  });
});
