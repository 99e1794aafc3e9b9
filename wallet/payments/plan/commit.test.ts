/** Tests the coins, change and fees of committed payments. */
import { expect, test } from 'vitest';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import type { Payment } from '../../../protocol/payments/payment.ts';
import { parseTransactionHex } from '../../../protocol/bitcoin/transaction.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import {
  approvalOf,
  approvals,
  approve,
  approveAll,
  ask,
  decide,
  openWallet,
  PASSWORD,
  pay,
  paymentView,
  restoreWallet,
  someone,
  stored,
  wordsOf,
} from '../../../testkit/wallet/wallet.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

const change = async (workerRun: WorkerRun) =>
  (await stored(workerRun)).coins.filter((coin) => coin.chain === 'change').sort((a, b) => a.index - b.index);
const inputsOf = (payment: Payment) =>
  parseTransactionHex(payment.rawtx).inputs.map(({ txid, vout }) => `${txid}:${vout}`);

/** Requests a payment and waits until its window shows the cost. */
async function shown(workerRun: WorkerRun, requestId: string, satoshis: number, origin = 'https://shop.example') {
  const open = approvals(workerRun).length;
  const answer = ask(workerRun, requestId, pay(someone(), satoshis), { origin });
  const id = await approvalOf(workerRun, open + 1);
  return { answer, id, fee: BigInt((await paymentView(workerRun, id)).feeSatoshis ?? 0) };
}

test('a wallet with one coin gets its change in several outputs at the next change addresses, and all outputs are sorted by amount', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  const { answer, id, fee } = await shown(workerRun, 'request-1', 40_000);
  await decide(workerRun, id);
  const { outputs } = parseTransactionHex(((await answer) as Payment).rawtx);
  const pieces = await change(workerRun);
  expect(pieces.map((coin) => coin.index)).toEqual([0, 1, 2, 3]);
  expect(pieces.reduce((sum, coin) => sum + coin.satoshis, 0n)).toBe(1_000_000n - 40_000n - fee);
  expect(outputs).toHaveLength(5);
  expect(outputs.map((o) => o.satoshis)).toEqual(outputs.map((o) => o.satoshis).sort((a, b) => Number(a - b)));
  expect(new Set(outputs.map((o) => toHex(o.lockingScript))).size).toBe(5);
});

test('payments split their change until the wallet has enough coins', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  approveAll(workerRun);
  for (let i = 0; i < 6; i += 1)
    expect(await ask(workerRun, `request-${i}`, pay(someone(), 20_000))).toMatchObject({ status: 'RECEIVED' });
  const available = (await stored(workerRun)).coins.filter((coin) => coin.status === 'available');
  expect(available).toHaveLength(8);
  const last = (await ask(workerRun, 'request-7', pay(someone(), 20_000))) as Payment;
  expect(parseTransactionHex(last.rawtx).outputs).toHaveLength(2);
});

test('a restore from the recovery words finds all change outputs', async () => {
  const workerRun = await openWallet(network, [1_000_000]);
  approveAll(workerRun);
  for (let i = 0; i < 6; i += 1) await ask(workerRun, `request-${i}`, pay(someone(), 20_000));
  const before = (await workerRun.modules.store.balance(wallet)).satoshis;
  const words = await wordsOf(workerRun);
  const restored = await restoreWallet(network, words);
  await restored.modules.poll.refresh(wallet);
  expect((await restored.modules.store.balance(wallet)).satoshis).toBe(before);
});

test('a payment keeps the displayed fee, without splitting its change, if coins were spent in the meantime', async () => {
  const workerRun = await openWallet(network, [60_000, ...Array.from({ length: 8 }, () => 50_000)]);
  const small = await shown(workerRun, 'request-1', 20_000); // spends one of nine coins, so its change isn't split
  const large = await shown(workerRun, 'request-2', 259_800, 'https://other.example'); // spends five of nine coins
  await decide(workerRun, large.id);
  await large.answer;
  await approve(workerRun, small.id, { fee: small.fee });
  const { id, rawtx } = (await small.answer) as Payment;
  expect(parseTransactionHex(rawtx).outputs).toHaveLength(2);
  expect((await workerRun.modules.transition.readPayment(wallet, id))?.signed?.feeSatoshis).toBe(small.fee);
  // No fee was shown before, so change is split.
  const { answer, id: next } = await shown(workerRun, 'request-3', 20_000);
  await decide(workerRun, next);
  expect(parseTransactionHex(((await answer) as Payment).rawtx).outputs.length).toBeGreaterThan(2);
});

test('a reserved coin stays reserved after restarts of the browser, and no other payment spends it', async () => {
  const workerRun = await openWallet(network, [100_000, 50_000]);
  const { id, answer } = await shown(workerRun, 'request-1', 60_000);
  network.down.add('arc');
  await decide(workerRun, id).catch(() => undefined);
  expect(await answer).toBe('payment-pending');
  const reserved = async (one: WorkerRun) =>
    (await stored(one)).coins.filter((coin) => coin.status === 'reserved').map((coin) => coin.outpoint);
  const [held] = await reserved(workerRun);
  const rawtx = (await stored(workerRun)).payments[0]?.signed?.rawtx;
  let next = workerRun;
  for (let i = 0; i < 3; i += 1) {
    next.profile.browser.restart();
    next = await workerRun.profile.start();
    await next.modules.revive.reviveReports(wallet);
    expect(await reserved(next)).toEqual([held]);
    expect((await stored(next)).payments[0]?.signed?.rawtx).toBe(rawtx);
  }
  network.down.clear();
  await next.modules.vault.unlock(wallet, PASSWORD);
  approveAll(next);
  const other = (await ask(next, 'request-2', pay(someone(), 20_000))) as Payment;
  expect(inputsOf(other)).not.toContain(held);
});

test('two concurrent payments from different coins never use the same change address', async () => {
  const workerRun = await openWallet(network, [50_000, 200_000]);
  const windows = [
    await shown(workerRun, 'request-1', 30_000),
    await shown(workerRun, 'request-2', 100_000, 'https://other.example'),
  ];
  await Promise.all(windows.map(({ id }) => decide(workerRun, id)));
  const payments = (await Promise.all(windows.map(({ answer }) => answer))) as Payment[];
  expect(new Set(payments.flatMap(inputsOf)).size).toBe(2);
  const pieces = await change(workerRun);
  expect(pieces.map((coin) => coin.index)).toEqual(pieces.map((_, i) => i));
});
