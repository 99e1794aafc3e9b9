/**
 * Tests a wallet that makes a payment with a coin that another browser with the same words has already spent. At most
 * one of the two transactions can be mined, and the balance contains the change of only one.
 */
import { afterEach, expect, test, vi } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex } from '../../../protocol/bitcoin/transaction.ts';
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
import { noteMissing, noteShown } from './shown-rival.ts';
import { cancel } from './testing-contested.ts';

afterEach(endAllWorkerRuns);

const CONFLICT = { status: 467, body: { status: 467, title: 'conflict', detail: 'double spend' } };
const balanceOf = async ({ modules }: WorkerRun) => (await modules.store.balance(wallet)).satoshis;

/**
 * Opens a wallet whose payment is contested, because another browser's payment spends its coins.
 * @param coins confirmed coins (satoshis) that both payments spend
 * @param [theirs, ours] amounts of the other browser's payment and of the wallet's payment (satoshis)
 */
async function contested(coins = [100_000], [theirs, ours] = [20_000, 30_000]) {
  const network = await startForking(30);
  const first = await openWallet(network, coins);
  network.mine();
  await first.modules.poll.refresh(wallet, { all: true });
  const second = await restoreWallet(network, await wordsOf(first));
  await second.modules.poll.refresh(wallet, { all: true });
  approveAll(second);
  expect(await ask(second, 'request-1', pay(someone(), theirs))).toMatchObject({ status: 'RECEIVED' });
  const rival = (await stored(second)).payments[0]!.signed!;
  const rivalBalance = await balanceOf(second);
  second.end();
  const run = await first.profile.start();
  await run.modules.handlers.walletHandlers(wallet)['vault/unlock']({ password: PASSWORD });
  approveAll(run);
  network.judge = () => CONFLICT;
  expect(await ask(run, 'request-2', pay(someone(), ours))).toBe('payment-contested');
  const { id, signed } = (await stored(run)).payments[0]!;
  const own = signed!;
  const refresh = async (times = 1) => {
    for (let i = 0; i < times; i += 1) {
      await run.modules.poll.refresh(wallet, { all: true });
      await run.modules.drive.processAll(wallet);
    }
  };
  /** Performs the payment's next step now. */
  const advance = async () => {
    await run.modules.transition.transition(wallet, id, 'signed', ({ broadcast }) => ({
      broadcast: { ...broadcast, nextAt: 0 },
    }));
    await run.modules.drive.processAll(wallet);
  };
  return {
    ...{ network, run, id, own, rival, rivalBalance, refresh, advance },
    ownBalance: coins.reduce((sum, satoshis) => sum + BigInt(satoshis), 0n) - BigInt(ours) - own.feeSatoshis,
    /** Makes the network drop the other browser's payment and accept the wallet's. */
    async prevail() {
      network.forget(rival.txid);
      network.judge = () => null;
      await advance();
      await refresh(2);
    },
    /** Mines the other browser's payment, and waits until the wallet's payment has ended. */
    async lose() {
      network.mine([rival.txid]);
      while ((await stored(run)).payments[0]!.state === 'signed') await advance();
      await paymentWhere(run, id, ({ state }) => state === 'failed');
    },
    /** Replaces the last block with a longer branch of empty blocks. */
    async reorganize() {
      network.chain.cut(1);
      network.chain.grow(3);
      await refresh(2);
    },
    /** Lets the wallet notice that the network no longer has the other browser's payment. */
    async forgetRival() {
      network.forget(rival.txid);
      const now = vi.mocked(Date.now).getMockImplementation()!;
      let ahead = 0;
      vi.mocked(Date.now).mockImplementation(() => now() + ahead);
      for (let i = 0; i < 5; i += 1) {
        ahead += 15 * 60_000;
        await run.modules.poll.refresh(wallet);
      }
      const receipts = await (await run.modules.database.database(wallet)).getAll('receipts');
      expect(receipts.find(({ txid }) => txid === rival.txid)?.failed).toBe('dropped');
    },
  };
}

test('once a block contains the other browser’s payment, none of the coins that it spends count', async () => {
  const { run, own, rival, lose } = await contested([60_000, 60_000], [90_000, 80_000]);
  expect([own.inputs.length, rival.inputs.length]).toEqual([2, 2]);
  await lose();
  expect(await balanceOf(run)).toBe(0n);
});

test('after a reorganization removes the other browser’s payment, only that payment’s change counts', async () => {
  const { run, id, rivalBalance, refresh, lose, reorganize } = await contested();
  await lose();
  await refresh();
  expect(await balanceOf(run)).toBe(rivalBalance);
  await reorganize();
  await paymentWhere(run, id, ({ state }) => state === 'signed');
  expect(await balanceOf(run)).toBe(rivalBalance);
});

test('if the index lists the other browser’s payment first and the wallet’s later, only the wallet’s change counts, and vice versa', async () => {
  const { network, run, own, rival, ownBalance, rivalBalance, refresh, prevail } = await contested();
  await refresh();
  expect(await balanceOf(run)).toBe(rivalBalance);
  await prevail();
  expect(await balanceOf(run)).toBe(ownBalance);
  network.forget(own.txid);
  network.take(fromHex(rival.rawtx));
  network.judge = () => CONFLICT;
  await refresh(2);
  expect(await balanceOf(run)).toBe(rivalBalance);
});

test('after a reorganization removes the wallet’s payment, only its change counts', async () => {
  const { network, run, own, ownBalance, refresh, prevail, reorganize } = await contested();
  await refresh();
  await prevail();
  network.mine([own.txid]);
  await refresh(2);
  expect(await balanceOf(run)).toBe(ownBalance);
  await reorganize();
  expect(await balanceOf(run)).toBe(ownBalance);
});

test('the wallet’s change counts again once the network has dropped the other browser’s payment', async () => {
  const { run, ownBalance, rivalBalance, refresh, forgetRival } = await contested();
  await refresh();
  expect(await balanceOf(run)).toBe(rivalBalance);
  await forgetRival();
  expect(await balanceOf(run)).toBe(ownBalance);
});

test('if the other browser’s payment returns after the network had dropped it, only its change counts', async () => {
  const { network, run, id, own, rival, rivalBalance, refresh, advance, forgetRival } = await contested();
  await refresh();
  await forgetRival();
  // The operator accepts the wallet's payment, but the index doesn't list it.
  network.judge = () => null;
  network.lies = 'keeps nothing';
  network.arcSays.set(own.txid, 'SEEN_ON_NETWORK');
  await advance();
  await paymentWhere(run, id, ({ state }) => state === 'broadcast');
  network.lies = null;
  network.take(fromHex(rival.rawtx));
  await refresh(2);
  expect(await balanceOf(run)).toBe(rivalBalance);
});

test('if the index lists a payment again, a later payment that spends its change still doesn’t count if it has another rival', async () => {
  const network = await startForking(30);
  const run = await openWallet(network, [60_000]);
  approveAll(run);
  for (const [id, satoshis] of [
    ['request-1', 20_000],
    ['request-2', 30_000],
  ] as const)
    expect(await ask(run, id, pay(someone(), satoshis))).toMatchObject({ status: 'RECEIVED' });
  const payments = (await stored(run)).payments.sort((a, b) => a.createdAt - b.createdAt);
  const [parent, heir] = payments.map(({ signed }) => signed!);
  await noteShown(wallet, 'cd'.repeat(32), parseTransactionHex(heir!.rawtx));
  const before = await balanceOf(run);
  await noteShown(wallet, 'ab'.repeat(32), parseTransactionHex(parent!.rawtx));
  await noteShown(wallet, parent!.txid, parseTransactionHex(parent!.rawtx));
  expect(await balanceOf(run)).toBe(before);
});

test('a coin that another browser’s listed payment spends no longer counts, even if the index doesn’t name its spender', async () => {
  const network = await startForking(30);
  const first = await openWallet(network, [100_000]);
  network.mine();
  await first.modules.poll.refresh(wallet, { all: true });
  const [coin] = (await stored(first)).coins;
  const second = await restoreWallet(network, await wordsOf(first));
  await second.modules.poll.refresh(wallet, { all: true });
  approveAll(second);
  expect(await ask(second, 'request-1', pay(someone(), 20_000))).toMatchObject({ status: 'RECEIVED' });
  const balance = await balanceOf(second);
  second.end();
  const run = await first.profile.start();
  network.instead.set(`/tx/${coin!.txid}/${coin!.vout}/spent`, { status: 404 });
  for (let i = 0; i < 2; i += 1) {
    await run.modules.poll.refresh(wallet, { all: true });
    expect(await balanceOf(run)).toBe(balance);
  }
});

test('if the other browser’s payment returns because a reorganization removes its double spend, only its change counts', async () => {
  const { network, run, own, rival, ownBalance, rivalBalance, refresh, reorganize } = await contested(
    [60_000, 60_000],
    [90_000, 30_000],
  );
  await refresh();
  expect(await balanceOf(run)).toBe(rivalBalance);
  const other = rival.inputs.find((key) => !own.inputs.includes(key))!;
  network.forget(rival.txid);
  network.mine([network.spend(other)]);
  await refresh(2);
  expect(await balanceOf(run)).toBe(ownBalance - 60_000n);
  await reorganize();
  expect(await balanceOf(run)).toBe(rivalBalance);
});

test('if the index lists a payment and then its cancellation instead, or the reverse, only the listed one’s change counts', async () => {
  const network = await startForking(30);
  const run = await openWallet(network, [60_000]);
  approveAll(run);
  expect(await ask(run, 'request-1', pay(someone(), 20_000))).toMatchObject({ status: 'RECEIVED' });
  const { id, signed } = (await stored(run)).payments[0]!;
  network.forget(signed!.txid);
  network.judge = () => CONFLICT;
  await run.modules.drive.processAll(wallet);
  await paymentWhere(run, id, ({ trouble }) => trouble === 'unseen');
  await cancel(run, id);
  const payments = (await stored(run)).payments.sort((a, b) => a.createdAt - b.createdAt);
  const [payment, cancellation] = payments.map(({ signed }) => signed!);
  for (const [listed, missing, paid] of [
    [payment!, cancellation!, 20_000n],
    [cancellation!, payment!, 0n],
    [payment!, cancellation!, 20_000n],
  ] as const) {
    network.forget(missing.txid);
    network.take(fromHex(listed.rawtx));
    await run.modules.transition.transition(wallet, id, 'broadcast', ({ confirmation }) => ({
      confirmation: { ...confirmation, nextAt: 0 },
    }));
    await run.modules.drive.processAll(wallet);
    await run.modules.poll.refresh(wallet, { all: true });
    expect(await balanceOf(run)).toBe(60_000n - paid - listed.feeSatoshis);
  }
});

test('a cancellation that the network refuses again after a reorganization doesn’t count if the mined payment’s change is spent', async () => {
  const network = await startForking(30);
  const run = await openWallet(network, [60_000]);
  approveAll(run);
  expect(await ask(run, 'request-1', pay(someone(), 20_000))).toMatchObject({ status: 'RECEIVED' });
  const { id, signed } = (await stored(run)).payments[0]!;
  network.forget(signed!.txid);
  network.judge = () => CONFLICT;
  await run.modules.drive.processAll(wallet);
  await paymentWhere(run, id, ({ trouble }) => trouble === 'unseen');
  await cancel(run, id);
  const cancellation = (await stored(run)).payments.find((one) => one.id !== id)!;
  const advance = async (one: string, state: 'signed' | 'broadcast') => {
    await run.modules.transition.transition(wallet, one, state, ({ broadcast, confirmation }) => ({
      broadcast: { ...broadcast, nextAt: 0 },
      confirmation: { ...confirmation, nextAt: 0 },
    }));
    await run.modules.drive.processAll(wallet);
  };
  network.take(fromHex(signed!.rawtx));
  network.mine();
  await advance(id, 'broadcast');
  await paymentWhere(run, cancellation.id, ({ state }) => state === 'failed');
  // The index lists only unspent outputs.
  network.judge = () => null;
  expect(await ask(run, 'request-2', pay(someone(), 39_000))).toMatchObject({ status: 'RECEIVED' });
  const balance = await balanceOf(run);
  network.judge = () => CONFLICT;
  network.chain.cut(1);
  network.chain.grow(3);
  await run.modules.poll.refresh(wallet, { all: true });
  await paymentWhere(run, cancellation.id, ({ state }) => state === 'signed');
  await advance(cancellation.id, 'signed');
  await run.modules.poll.refresh(wallet, { all: true });
  expect(await balanceOf(run)).toBe(balance);
});

/**
 * Opens a wallet that has found another browser's payment, which the index then loses.
 * @param status the status that the operator reports for it; null if the operator has lost it, too
 */
async function foundAndLost(status: string | null) {
  const network = await startForking(30);
  const first = await openWallet(network, [100_000]);
  const second = await restoreWallet(network, await wordsOf(first));
  await second.modules.poll.refresh(wallet, { all: true });
  approveAll(second);
  expect(await ask(second, 'request-1', pay(someone(), 20_000))).toMatchObject({ status: 'RECEIVED' });
  const rival = (await stored(second)).payments[0]!.signed!;
  const rivalBalance = await balanceOf(second);
  second.end();
  const run = await first.profile.start();
  await run.modules.handlers.walletHandlers(wallet)['vault/unlock']({ password: PASSWORD });
  approveAll(run);
  const refresh = () => run.modules.poll.refresh(wallet, { all: true });
  await refresh();
  expect(await balanceOf(run)).toBe(rivalBalance);
  network.forget(rival.txid);
  if (status) network.arcSays.set(rival.txid, status);
  await refresh();
  return { network, run, rival, rivalBalance, refresh };
}

test('if the index lists a coin again instead of the other browser’s payment that had spent it, only the coin counts', async () => {
  const { run } = await foundAndLost(null);
  expect(await balanceOf(run)).toBe(100_000n);
});

test.each([
  ['rejected', CONFLICT],
  ['unsent', { status: 503, body: { status: 503, title: 'Busy', detail: 'busy' } }],
])(
  'the change of a payment that is %s doesn’t count if another browser’s payment counts that spends the same coin',
  async (_, response) => {
    const { network, run, rival, rivalBalance, refresh } = await foundAndLost('SEEN_ON_NETWORK');
    network.take(fromHex(rival.rawtx));
    network.judge = () => response;
    await ask(run, 'request-2', pay(someone(), 85_000));
    expect((await stored(run)).payments[0]!.signed!.inputs).toEqual(rival.inputs);
    await refresh();
    expect(await balanceOf(run)).toBe(rivalBalance);
  },
);

test('the change of an action that isn’t sent yet doesn’t count if another browser’s payment counts that spends the same coin', async () => {
  const { network, run, rival, rivalBalance, refresh } = await foundAndLost('SEEN_ON_NETWORK');
  network.take(fromHex(rival.rawtx));
  const lockingScript = toHex(p2pkhScript(fromHex('07'.repeat(20))));
  await called(run, 'createAction', {
    description: 'sent later',
    outputs: [{ lockingScript, satoshis: 85_000, outputDescription: 'paid later' }],
    options: { noSend: true },
  });
  expect((await stored(run)).payments[0]!.signed!.inputs).toEqual(rival.inputs);
  await run.modules.drive.processAll(wallet);
  await refresh();
  expect(await balanceOf(run)).toBe(rivalBalance);
});

test('change that another browser had already spent when the wallet found it stops counting if the network drops both payments', async () => {
  const network = await startForking(30);
  const first = await openWallet(network, [100_000]);
  const second = await restoreWallet(network, await wordsOf(first));
  await second.modules.poll.refresh(wallet, { all: true });
  approveAll(second);
  for (const [id, satoshis] of [
    ['request-1', 98_500],
    ['request-2', 1_000],
  ] as const)
    expect(await ask(second, id, pay(someone(), satoshis))).toMatchObject({ status: 'RECEIVED' });
  const payments = (await stored(second)).payments.sort((a, b) => a.createdAt - b.createdAt);
  const [parent, heir] = payments.map(({ signed }) => signed!);
  // The wallet never finds an output of the first payment that is unspent.
  expect(parent!.ownOutputs).toHaveLength(1);
  second.end();
  const run = await first.profile.start();
  const refresh = async () => {
    for (let i = 0; i < 3; i += 1) await run.modules.poll.refresh(wallet, { all: true });
    return balanceOf(run);
  };
  expect(await refresh()).toBe(500n - parent!.feeSatoshis - heir!.feeSatoshis);
  network.forget(heir!.txid);
  expect(await refresh()).toBe(1_500n - parent!.feeSatoshis);
  network.forget(parent!.txid);
  expect(await refresh()).toBe(100_000n);
});

test('incoming money whose inputs haven’t been verified doesn’t exclude the change of a rejected payment', async () => {
  const { run, id, own } = await contested();
  const before = await balanceOf(run);
  const db = await run.modules.database.database(wallet);
  const [receipt] = await db.getAll('receipts');
  const { reading, ...forged } = { ...receipt!, txid: 'ef'.repeat(32), spends: own.inputs, unconfirmed: 1 as const };
  await db.put('receipts', { ...forged, height: null });
  await noteMissing(wallet, id);
  expect(await balanceOf(run)).toBe(before);
  await db.put('receipts', { ...forged, height: null, reading: 'done' });
  await noteMissing(wallet, id);
  expect(await balanceOf(run)).toBeLessThan(before);
});
