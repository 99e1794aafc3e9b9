/** Tests the balance of a wallet whose words are also used in another browser that spends the same coins. */
import { afterEach, expect, test, vi } from 'vitest';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import {
  parseTransactionHex,
  serializeTransaction,
  txidOf,
  type Transaction,
} from '../../../protocol/bitcoin/transaction.ts';
import { startForking } from '../../../testkit/network/forking.ts';
import { called } from '../../../testkit/wallet/applications.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import {
  approveAll,
  ask,
  openWallet,
  PASSWORD,
  pay,
  paymentWhere,
  restoreWallet,
  someone,
  stored,
  wordsOf,
} from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { lockedTo, REMITTANCE } from '../../brc100/actions/testing-derived.ts';
import { noteShown } from './shown-rival.ts';

afterEach(endAllWorkerRuns);

const balanceOf = async ({ modules }: WorkerRun) => (await modules.store.balance(wallet)).satoshis;
const refuse = () => ({ status: 467, body: { status: 467, title: 'Conflict', detail: 'double spend' } });
const unlock = ({ modules }: WorkerRun) =>
  modules.handlers.walletHandlers(wallet)['vault/unlock']({ password: PASSWORD });

test('a sweep’s output doesn’t count while the index lists another browser’s sweep of the same payment', async () => {
  const network = await startForking(30);
  const first = await openWallet(network, []);
  const words = await wordsOf(first);
  const lockingScript = await lockedTo(first);
  const transaction: Transaction = {
    version: 1,
    lockTime: 0,
    inputs: [{ txid: 'ab'.repeat(32), vout: 0, unlockingScript: new Uint8Array(2), sequence: 1 }],
    outputs: Array.from({ length: 2 }, () => ({ satoshis: 50_000n, lockingScript })),
  };
  const bytes = serializeTransaction(transaction);
  const paid = network.take(bytes);
  const internalize = (run: WorkerRun, vouts: number[]) =>
    called(run, 'internalizeAction', {
      tx: [...fromHex('01010101'), ...fromHex(paid).reverse(), ...fromHex('0100beef'), 0, 1, ...bytes, 0],
      outputs: vouts.map((outputIndex) => ({
        outputIndex,
        protocol: 'wallet payment',
        paymentRemittance: REMITTANCE,
      })),
      description: 'what was sent',
      labels: ['inbox'],
    });
  network.judge = () => ({ status: 503, body: { status: 503, title: 'Busy', detail: 'busy' } });
  await internalize(first, [0]);
  await internalize(first, [1]);
  const before = await balanceOf(first);
  expect(before).toBeGreaterThan(99_000n);
  first.end();
  network.judge = () => null;
  const second = await restoreWallet(network, words);
  await internalize(second, [0, 1]);
  const { signed } = await paymentWhere(
    second,
    (await stored(second)).payments[0]!.id,
    ({ state }) => state === 'settled',
  );
  const theirs = await balanceOf(second);
  second.end();
  network.judge = refuse;
  const run = await first.profile.start();
  await unlock(run);
  const { outputs, ...rest } = parseTransactionHex(signed!.rawtx);
  const forged = { ...rest, outputs: outputs.map((one) => ({ ...one, satoshis: one.satoshis - 1n })) };
  await noteShown(wallet, txidOf(serializeTransaction(forged)), forged);
  expect(await balanceOf(run)).toBe(before);
  const now = vi.mocked(Date.now).getMockImplementation()!;
  let ahead = 0;
  vi.mocked(Date.now).mockImplementation(() => now() + ahead);
  const refresh = async () => {
    ahead += 15 * 60_000;
    await run.modules.poll.refresh(wallet, { all: true });
    await run.modules.drive.processAll(wallet);
    return balanceOf(run);
  };
  for (let i = 0; i < 3; i += 1) expect(await refresh()).toBe(theirs);
  network.mine();
  for (let i = 0; i < 3; i += 1) expect(await refresh()).toBe(theirs);
  expect((await stored(run)).payments.filter(({ sweep }) => sweep)).toMatchObject([
    { state: 'failed' },
    { state: 'failed' },
  ]);
});

test('a payment’s change doesn’t count while the index lists only a later payment by another browser that spends the same coin', async () => {
  const network = await startForking(30);
  const first = await openWallet(network, [1_000_000, ...Array.from({ length: 9 }, () => 3_000)]);
  const words = await wordsOf(first);
  const second = await restoreWallet(network, words);
  await second.modules.poll.refresh(wallet, { all: true });
  approveAll(second);
  // The second payment spends the change of the first.
  for (const id of ['request-1', 'request-2'])
    expect(await ask(second, id, pay(someone(), 100_000))).toMatchObject({ status: 'RECEIVED' });
  const theirs = await balanceOf(second);
  second.end();
  network.judge = refuse;
  const run = await first.profile.start();
  await unlock(run);
  approveAll(run);
  expect(await ask(run, 'request-3', pay(someone(), 30_000))).toBe('payment-contested');
  for (const all of [false, true, true]) {
    await run.modules.poll.refresh(wallet, { all });
    expect(await balanceOf(run)).toBe(theirs);
  }
});

test('if the index lists a later payment by another browser again after the wallet’s, only its change counts', async () => {
  const network = await startForking(30);
  const first = await openWallet(network, [1_000_000, ...Array.from({ length: 9 }, () => 3_000)]);
  const words = await wordsOf(first);
  const second = await restoreWallet(network, words);
  await second.modules.poll.refresh(wallet, { all: true });
  approveAll(second);
  for (const id of ['request-1', 'request-2'])
    expect(await ask(second, id, pay(someone(), 100_000))).toMatchObject({ status: 'RECEIVED' });
  const theirs = await balanceOf(second);
  const rivals = (await stored(second)).payments.sort((a, b) => a.createdAt - b.createdAt).map(({ signed }) => signed!);
  second.end();
  network.judge = refuse;
  const run = await first.profile.start();
  await unlock(run);
  approveAll(run);
  expect(await ask(run, 'request-3', pay(someone(), 30_000))).toBe('payment-contested');
  const { id, signed } = (await stored(run)).payments[0]!;
  const refresh = async () => {
    for (let i = 0; i < 3; i += 1) await run.modules.poll.refresh(wallet, { all: true });
    return balanceOf(run);
  };
  expect(await refresh()).toBe(theirs);
  for (const { txid } of rivals) network.forget(txid);
  network.judge = () => null;
  await run.modules.transition.transition(wallet, id, 'signed', ({ broadcast }) => ({
    broadcast: { ...broadcast, nextAt: 0 },
  }));
  await run.modules.drive.processAll(wallet);
  const ours = 1_027_000n - 30_000n - signed!.feeSatoshis;
  expect(await refresh()).toBe(ours);
  network.forget(signed!.txid);
  network.judge = refuse;
  for (const { rawtx } of rivals) network.take(fromHex(rawtx));
  expect(await refresh()).toBe(theirs);
});
