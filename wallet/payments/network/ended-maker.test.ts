/** Tests payments that end because a conflicting transaction is mined, and their change, even if the index lists them. */
import { afterEach, expect, test, vi } from 'vitest';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { serializeTransaction } from '../../../protocol/bitcoin/transaction.ts';
import { startForking, type ForkingNetwork } from '../../../testkit/network/forking.ts';
import {
  approveAll,
  ask,
  give,
  openWallet,
  pay,
  paymentWhere,
  someone,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { changeCoin } from '../../coins/records.ts';
import type { PaymentRecord } from '../record.ts';

afterEach(endAllWorkerRuns);

const refused = { status: 466, body: { status: 466, title: 'conflict', detail: 'txn-mempool-conflict' } };
const invalid = { status: 461, body: { status: 461, title: 'Malformed', detail: 'invalid' } };
const refresh = (run: WorkerRun) => run.modules.poll.refresh(wallet, { all: true });
const balance = async (run: WorkerRun) => (await run.modules.store.balance(wallet)).satoshis;

/** Mines another transaction with a payment's coin, although the index still returns the payment. */
function outdo(network: ForkingNetwork, coin: string): void {
  const rival = network.spend(coin);
  const [txid, vout] = coin.split(':');
  network.instead.set(`/tx/${txid}/${vout}/spent`, { body: { txid: rival } });
  network.mine([rival]);
}

/** Opens a wallet with a confirmed coin and an allowance, and with a clock that each refresh advances. */
async function withAllowance() {
  const network = await startForking(30);
  const run = await openWallet(network, [100_000]);
  network.mine();
  await refresh(run);
  await give(run, { currency: 'BSV', limit: 1_000_000n });
  const now = vi.mocked(Date.now).getMockImplementation()!;
  let ahead = 0;
  vi.mocked(Date.now).mockImplementation(() => now() + ahead);
  const shop = someone();
  return {
    network,
    run,
    asked: () => ask(run, 'request-1', pay(shop, 20_000), { automatic: true }),
    payment: async () => (await stored(run)).payments[0] as PaymentRecord,
    async later(times: number) {
      for (let i = 0; i < times; i += 1) {
        ahead += 15 * 60_000;
        await refresh(run);
        await run.modules.drive.processAll(wallet);
      }
    },
  };
}

/** Opens a wallet whose payment of 42,000 satoshis was ended by a block. A coin of 40,000 satoshis remains. */
async function withEndedPayment(network: ForkingNetwork): Promise<{ run: WorkerRun; ended: PaymentRecord }> {
  const run = await openWallet(network, [50_000, 40_000]);
  network.mine();
  await refresh(run);
  approveAll(run);
  network.judge = () => refused;
  expect(await ask(run, 'request-1', pay(someone(), 42_000))).toBe('payment-contested');
  const [first] = (await stored(run)).payments;
  network.mine([network.spend(first!.signed!.inputs[0]!)]);
  const ended = await paymentWhere(run, first!.id, ({ state }) => state === 'failed');
  network.judge = () => null;
  return { run, ended };
}

test('the change of a payment that a block has ended can’t be spent, even if the index lists it', async () => {
  const network = await startForking(30);
  const { run, ended } = await withEndedPayment(network);
  network.take(fromHex(ended.signed!.rawtx));
  await refresh(run);
  await refresh(run);
  expect(await balance(run)).toBe(40_000n);
  const change = (await stored(run)).coins.filter(({ txid }) => txid === ended.signed!.txid);
  expect(new Set(change.map(({ status }) => status))).toEqual(new Set(['void']));
});

test('a payment that spends change of a payment that a block has ended also ends, and releases its other coins', async () => {
  const network = await startForking(30);
  const { run, ended } = await withEndedPayment(network);
  // Earlier versions made this change available when the index listed it.
  await run.modules.database.inTransaction(wallet, async (tx) => {
    const coins = tx.objectStore('coins');
    for (const coin of await coins.index('txid').getAll(ended.signed!.txid))
      await changeCoin(tx, coin, { event: 'accept' });
  });
  void ask(run, 'request-2', pay(someone(), 41_000), { origin: 'https://two.example' });
  const id = await vi.waitFor(async () => {
    const of = (await stored(run)).payments.find(({ origin }) => origin === 'https://two.example');
    return (of as PaymentRecord).id;
  });
  const second = await paymentWhere(run, id, ({ state }) => state === 'failed');
  expect(second.ended).toMatchObject({ txid: ended.ended!.txid, height: ended.ended!.height });
  expect(second.signed!.inputs.some((key) => key.startsWith(ended.signed!.txid))).toBe(true);
  const { coins } = await stored(run);
  expect(coins.find(({ satoshis }) => satoshis === 40_000n)).toMatchObject({ status: 'available', paymentId: null });
});

test.each(['SEEN_ON_NETWORK', 'DOUBLE_SPEND_ATTEMPTED'])(
  'a payment ends once a block contains another transaction with its coin, even if the index returns it and ARC reports %s',
  async (status) => {
    const { network, asked, payment, later } = await withAllowance();
    expect(await asked()).toMatchObject({ status: 'RECEIVED' });
    const { signed } = await payment();
    outdo(network, signed!.inputs[0]!);
    for (let i = 0; i < 6; i += 1) network.mine([]);
    network.arcSays.set(signed!.txid, status);
    await later(4);
    expect(await payment()).toMatchObject({ state: 'failed', error: { code: 'network-rejected' } });
  },
);

test('the page is notified of a failure if operators report a double spend and a block contains the other transaction', async () => {
  const { network, asked, payment, later } = await withAllowance();
  network.judge = () => refused;
  expect(await asked()).toBe('payment-contested');
  const { signed } = await payment();
  outdo(network, signed!.inputs[0]!);
  network.take(fromHex(signed!.rawtx)); // the index got it from the mempool before the block
  network.arcSays.set(signed!.txid, 'DOUBLE_SPEND_ATTEMPTED');
  await later(3);
  expect(await asked()).toBe('network-rejected');
});

test('the page is notified of a failure if all operators reject a payment that the index returns and that lost in a block', async () => {
  const { network, asked } = await withAllowance();
  network.judge = (transaction) => {
    network.arcSays.set(network.take(serializeTransaction(transaction)), 'REJECTED');
    outdo(network, transaction.inputs.map(({ txid, vout }) => `${txid}:${vout}`)[0]!);
    network.judge = () => invalid;
    return invalid;
  };
  expect(await asked()).toBe('network-rejected');
});
