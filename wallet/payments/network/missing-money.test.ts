/** Tests payments that spend incoming money whose transaction the network then drops. */
import { afterEach, expect, test, vi } from 'vitest';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { startForking, type ForkingNetwork } from '../../../testkit/network/forking.ts';
import {
  approvalOf,
  approveAll,
  ask,
  give,
  openWallet,
  pay,
  paymentView,
  paymentWhere,
  someone,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import type { PaymentRecord } from '../record.ts';

afterEach(endAllWorkerRuns);

const missing = { status: 462, body: { status: 462, title: 'missing inputs', detail: 'missing inputs' } };
const incomingOf = ({ signed }: PaymentRecord) => signed!.inputs[0]!.slice(0, 64);
const handlers = (run: WorkerRun) => run.modules.handlers.walletHandlers(wallet);
const balance = async (run: WorkerRun) => (await run.modules.store.balance(wallet)).satoshis;
const receiptOf = async (run: WorkerRun, payment: PaymentRecord) =>
  (await run.modules.database.database(wallet)).get('receipts', incomingOf(payment));
const changeOf = async (run: WorkerRun, { signed }: PaymentRecord) =>
  (await stored(run)).coins.filter(({ txid }) => txid === signed!.txid);

async function refresh(run: WorkerRun): Promise<void> {
  await run.modules.poll.refresh(wallet, { all: true });
  await run.modules.drive.processAll(wallet);
}

/** Makes the network drop a payment and the incoming money that it spends. */
async function drop(
  network: ForkingNetwork,
  run: WorkerRun,
  payment: PaymentRecord,
  heirs: readonly PaymentRecord[] = [],
): Promise<void> {
  const incoming = incomingOf(payment);
  const gone = new Set([incoming, ...[payment, ...heirs].map(({ signed }) => signed!.txid)]);
  for (const txid of gone) network.forget(txid);
  network.judge = ({ inputs }) => (inputs.some(({ txid }) => gone.has(txid)) ? missing : null);
  network.mine([]);
  const now = vi.mocked(Date.now).getMockImplementation()!;
  let ahead = 0;
  vi.mocked(Date.now).mockImplementation(() => now() + ahead);
  for (let i = 0; i < 6; i += 1) {
    ahead += 15 * 60_000;
    await refresh(run);
  }
  expect(await receiptOf(run, payment)).toMatchObject({ failed: 'dropped' });
}

/** Opens a wallet with 100,000 unconfirmed satoshis, and pays 20,000 of them. */
async function paid(network: ForkingNetwork) {
  const run = await openWallet(network, [100_000]);
  await give(run, { currency: 'BSV', limit: 1_000_000n });
  const to = someone();
  expect(await ask(run, 'request-1', pay(to, 20_000), { automatic: true })).toMatchObject({ status: 'RECEIVED' });
  const [payment] = (await stored(run)).payments as [PaymentRecord];
  return { run, payment, to, incoming: network.known.get(incomingOf(payment))!.hex };
}

/** Ends a payment, and makes the missing money return. */
async function endAndReturn(network: ForkingNetwork, run: WorkerRun, payment: PaymentRecord, incoming: string) {
  await handlers(run)['activity/end']({ id: payment.id });
  network.judge = () => null;
  network.take(fromHex(incoming));
  await refresh(run);
  expect(await balance(run)).toBe(100_000n);
}

/** Checks that the newest payment and those that have ended can't both be mined. */
async function expectExclusive(run: WorkerRun, ended: readonly PaymentRecord[]): Promise<void> {
  const [latest] = (await stored(run)).payments.filter(({ state }) => state !== 'failed');
  for (const { signed } of ended) {
    expect(latest!.signed!.txid).not.toBe(signed!.txid);
    expect(latest!.signed!.inputs).toEqual(signed!.inputs);
  }
}

test('the change of a payment doesn’t count while the money that the payment spends is missing, and counts once it returns', async () => {
  const network = await startForking(30);
  const { run, payment, incoming } = await paid(network);
  const before = await balance(run);
  await drop(network, run, payment);
  expect(await paymentWhere(run, payment.id, () => true)).toMatchObject({ state: 'broadcast', trouble: 'unseen' });
  expect(await balance(run)).toBe(0n);
  network.take(fromHex(incoming));
  network.mine();
  await refresh(run);
  expect((await receiptOf(run, payment))?.failed).toBeUndefined();
  expect(await changeOf(run, payment)).toEqual(
    expect.arrayContaining([expect.objectContaining({ status: 'pending' })]),
  );
  expect(await balance(run)).toBe(before);
  network.judge = () => null;
  network.take(fromHex(payment.signed!.rawtx));
  network.mine();
  await refresh(run);
  await refresh(run);
  await paymentWhere(run, payment.id, ({ height }) => height !== null);
  expect(await balance(run)).toBe(before);
});

test('the window for a payment requests money instead of waiting for change that depends on missing money', async () => {
  const network = await startForking(30);
  const { run, payment } = await paid(network);
  await drop(network, run, payment);
  void ask(run, 'request-2', pay(someone(), 30_000), { origin: 'https://two.example' });
  const view = await paymentView(run, await approvalOf(run));
  expect(view.problem).toMatchObject({ code: 'insufficient-funds' });
  expect([view.awaitsChange, view.receiveAddress]).toEqual([undefined, expect.any(String)]);
});

test('the user can end a payment that spends only missing money, and the allowance then pays its site again', async () => {
  const network = await startForking(30);
  const run = await openWallet(network, [100_000]);
  await give(run, { currency: 'BSV', limit: 1_000_000n });
  network.judge = () => missing;
  expect(await ask(run, 'request-1', pay(someone(), 20_000), { automatic: true })).toBe('payment-contested');
  const [payment] = (await stored(run)).payments as [PaymentRecord];
  expect((await handlers(run)['activity/read']({ id: payment.id })).canEnd).toBeUndefined();
  await drop(network, run, payment);
  await network.faucet((await run.modules.overview.overview(wallet)).receiveAddress, 50_000);
  network.mine();
  await refresh(run);
  expect((await handlers(run)['activity/read']({ id: payment.id })).canEnd).toBe(true);
  await handlers(run)['activity/end']({ id: payment.id });
  expect(await balance(run)).toBe(50_000n);
  expect(await ask(run, 'request-2', pay(someone(), 1000), { automatic: true })).toMatchObject({ status: 'RECEIVED' });
  expect(run.profile.browser.windowsOpened).toBe(0);
});

test('the user can end a chain of payments at two sites that begins with missing money', async () => {
  const network = await startForking(30);
  const { run, payment } = await paid(network);
  const origin = 'https://two.example';
  await give(run, { origin, currency: 'BSV', limit: 1_000_000n });
  const other = pay(someone(), 70_000);
  expect(await ask(run, 'request-2', other, { origin, automatic: true })).toMatchObject({ status: 'RECEIVED' });
  const heir = (await stored(run)).payments.find((one) => one.origin === origin) as PaymentRecord;
  expect(heir.signed!.inputs.every((key) => key.startsWith(payment.signed!.txid))).toBe(true);
  await drop(network, run, payment, [heir]);
  expect(await balance(run)).toBe(0n);
  await handlers(run)['activity/end']({ id: payment.id });
  expect((await stored(run)).payments.map(({ state }) => state)).toEqual(['failed', 'failed']);
  expect(await balance(run)).toBe(0n);
});

test('a payment that the user ended counts exactly once if its money returns and a block contains both', async () => {
  const network = await startForking(30);
  const { run, payment, incoming } = await paid(network);
  const before = await balance(run);
  await drop(network, run, payment);
  await handlers(run)['activity/end']({ id: payment.id });
  expect(await paymentWhere(run, payment.id, () => true)).toMatchObject({ state: 'failed' });
  expect(new Set((await changeOf(run, payment)).map(({ status }) => status))).toEqual(new Set(['void']));
  network.judge = () => null;
  network.take(fromHex(incoming));
  await refresh(run);
  expect(await balance(run)).toBe(100_000n);
  network.take(fromHex(payment.signed!.rawtx));
  await refresh(run);
  network.mine();
  await refresh(run);
  await refresh(run);
  const mined = await paymentWhere(run, payment.id, ({ height }) => height !== null);
  expect(mined.error).toBeNull();
  expect(await balance(run)).toBe(before);
});

test('a page’s payment can be repeated once its money returns, even if the user has already ended two', async () => {
  const network = await startForking(30);
  const { run, payment, incoming, to } = await paid(network);
  await drop(network, run, payment);
  await endAndReturn(network, run, payment, incoming);
  approveAll(run);
  expect(await ask(run, 'request-2', pay(to, 20_000), { automatic: true })).toMatchObject({ status: 'RECEIVED' });
  const second = (await stored(run)).payments.find(({ id }) => id !== payment.id) as PaymentRecord;
  await drop(network, run, second);
  await endAndReturn(network, run, second, incoming);
  expect(await ask(run, 'request-3', pay(to, 20_000), { automatic: true })).toMatchObject({ status: 'RECEIVED' });
  await expectExclusive(run, [payment, second]);
});

test('a page’s payment can be repeated if the user has ended its first attempt and the network rejects the second', async () => {
  const network = await startForking(30);
  const { run, payment, incoming, to } = await paid(network);
  await drop(network, run, payment);
  await endAndReturn(network, run, payment, incoming);
  approveAll(run);
  network.judge = () => ({ status: 461, body: { status: 461, title: 'Malformed transaction', detail: 'refused' } });
  expect(await ask(run, 'request-2', pay(to, 20_000), { automatic: true })).toBe('payment-contested');
  const second = (await stored(run)).payments.find(({ id }) => id !== payment.id) as PaymentRecord;
  expect(second).toMatchObject({ state: 'signed', trouble: 'refused' });
  network.judge = () => null;
  expect(await ask(run, 'request-3', pay(to, 20_000), { automatic: true })).toMatchObject({ status: 'RECEIVED' });
  const third = (await stored(run)).payments.find(({ replaces }) => replaces === second.id);
  expect(third?.signed?.inputs).toEqual(payment.signed!.inputs);
});

test.each([['0.00020000'], [null]])(
  'a payment of the send form can be repeated once its money returns: amount %s',
  async (amount) => {
    const network = await startForking(30);
    const run = await openWallet(network, [100_000]);
    const recipients = [{ to: someone(), amount, currency: 'BSV' }];
    const send = async (requestId: string) => {
      const { outputs, feeSatoshis, time, problem } = await handlers(run)['send/quote']({ recipients });
      expect(problem).toBeNull();
      return handlers(run)['send/pay']({ requestId, outputs, feeSatoshis: feeSatoshis!, time });
    };
    await send('first');
    const [payment] = (await stored(run)).payments as [PaymentRecord];
    const incoming = network.known.get(incomingOf(payment))!.hex;
    await drop(network, run, payment);
    await endAndReturn(network, run, payment, incoming);
    expect(await send('second')).toMatchObject({ taken: true });
    await expectExclusive(run, [payment]);
  },
);
