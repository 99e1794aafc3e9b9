/** Tests the change of payments that ended because a conflicting transaction was mined. */
import { afterEach, expect, test, vi } from 'vitest';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { startForking, type ForkingNetwork } from '../../../testkit/network/forking.ts';
import { approveAll, ask, openWallet, pay, paymentWhere, someone, stored } from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { changeCoin } from '../../coins/records.ts';
import type { PaymentRecord } from '../record.ts';

afterEach(endAllWorkerRuns);

const refused = { status: 466, body: { status: 466, title: 'conflict', detail: 'txn-mempool-conflict' } };
const refresh = (run: WorkerRun) => run.modules.poll.refresh(wallet, { all: true });
const balance = async (run: WorkerRun) => (await run.modules.store.balance(wallet)).satoshis;

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
