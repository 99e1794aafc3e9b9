/** Effects of reorganizations on applications: their outputs, their actions and block headers. */
import { afterEach, expect, test } from 'vitest';
import { Beef } from '@bsv/sdk';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { concatBytes, fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../../../protocol/bitcoin/transaction.ts';
import {
  APP,
  appScript,
  call,
  called,
  output,
  signInput,
  transactionIn,
  UNLOCKING_BYTES,
} from '../../../testkit/wallet/applications.ts';
import { startForking } from '../../../testkit/network/forking.ts';
import { give, openWallet, paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));
const options = { randomizeOutputs: false, acceptDelayedBroadcast: false };

/** Starts a wallet with a basket output mined in block 31. */
async function keeping() {
  const network = await startForking(30);
  const workerRun = await openWallet(network, [50_000]);
  network.mine();
  await workerRun.modules.poll.refresh(wallet);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  const outputs = [output(5000, appScript(0), { basket: 'things' })];
  const { txid } = await called(workerRun, 'createAction', { description: 'keep a thing', outputs, options });
  network.mine();
  const [id = ''] = (await stored(workerRun)).payments.map((one) => one.id);
  await paymentWhere(workerRun, id, ({ height }) => height === 31);
  return {
    network,
    workerRun,
    txid: txid!,
    id,
    refresh: () => workerRun.modules.poll.refresh(wallet),
    listed: async () =>
      (await called(workerRun, 'listOutputs', { basket: 'things' })).outputs.map(({ outpoint }) => outpoint),
    logged: async () =>
      (await (await workerRun.modules.database.database(wallet)).get('appLog', `${txid}:0 output ${APP}`))?.entry.kind,
  };
}

/** Spends the basket output of {@link keeping}. @returns the payment's ID, and the transaction ID */
async function spend(workerRun: WorkerRun, txid: string): Promise<{ id: string; txid: string }> {
  const { signableTransaction } = await called(workerRun, 'createAction', {
    description: 'spend the thing',
    inputs: [{ outpoint: `${txid}.0`, inputDescription: 'a thing', unlockingScriptLength: UNLOCKING_BYTES }],
    outputs: [output(700, SOMEBODY)],
    options,
  });
  const { tx, reference } = signableTransaction!;
  const spends = { 0: { unlockingScript: signInput(transactionIn(tx), 0, 5000) } };
  const spent = await called(workerRun, 'signAction', { reference, spends });
  const { id } = (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === spent.txid)!;
  return { id, txid: spent.txid! };
}

test('an output in a dropped block is kept, and is proven by the new block', async () => {
  const { network, workerRun, txid, id, refresh, listed } = await keeping();
  const rootOf = async () => {
    const { BEEF } = await called(workerRun, 'listOutputs', { basket: 'things', include: 'entire transactions' });
    const beef = Beef.fromBinary(BEEF!);
    expect(beef.isValid()).toBe(true);
    const { bumpIndex } = beef.findTxid(txid)!;
    return bumpIndex === undefined ? null : beef.bumps[bumpIndex]!.computeRoot(txid);
  };
  expect(await rootOf()).toBe(network.chain.blocks[31]!.header.merkleroot);
  network.chain.cut(1);
  network.chain.grow(2);
  await refresh();
  expect(await listed()).toEqual([`${txid}.0`]);
  expect(await rootOf()).toBeNull();
  expect((await called(workerRun, 'listActions', { labels: [] })).actions).toMatchObject([
    { txid, status: 'unproven' },
  ]);
  network.mine();
  await paymentWhere(workerRun, id, ({ height }) => height === 33);
  expect(await rootOf()).toBe(network.chain.blocks[33]!.header.merkleroot);
});

test("an output that the new branch can't contain is removed, and is restored on a branch that can contain it", async () => {
  const { network, workerRun, txid, id, refresh, listed, logged } = await keeping();
  const [record] = (await stored(workerRun)).payments;
  network.chain.cut(1);
  network.forget(txid);
  const double = network.spend(record!.signed!.inputs[0]!);
  network.mine([double]);
  network.chain.grow(1);
  await refresh();
  await paymentWhere(workerRun, id, ({ state }) => state === 'failed');
  expect([await listed(), await logged()]).toEqual([[], 'output-gone']);
  expect((await called(workerRun, 'listActions', { labels: [] })).actions).toMatchObject([{ txid, status: 'failed' }]);
  const spending = {
    description: 'spend the thing',
    inputs: [{ outpoint: `${txid}.0`, inputDescription: 'a thing', unlockingScriptLength: UNLOCKING_BYTES }],
    outputs: [output(700, SOMEBODY)],
  };
  expect(await call(workerRun, 'createAction', spending)).toMatchObject({ code: 6, parameter: 'outpoint' });
  network.chain.cut(2);
  network.forget(double);
  network.chain.grow(3);
  await refresh();
  await paymentWhere(workerRun, id, ({ state }) => state !== 'failed');
  expect([await listed(), await logged()]).toEqual([[`${txid}.0`], 'output']);
});

test('an action has the ID of its transaction in the current branch', async () => {
  const { network, workerRun, txid, id, refresh, listed } = await keeping();
  const { transaction } = network.known.get(txid)!;
  const inputs = transaction.inputs.map((input) => ({
    ...input,
    unlockingScript: concatBytes(Uint8Array.of(0x51), input.unlockingScript),
  }));
  const forms = [transaction, { ...transaction, inputs }].map((one) => serializeTransaction(one));
  for (const [i, bytes] of [forms[1]!, forms[0]!, forms[1]!].entries()) {
    network.chain.cut(network.chain.blocks.length - 31);
    for (const form of forms) network.forget(txidOf(form));
    network.mine([network.take(bytes)]);
    network.chain.grow(i + 1);
    await refresh();
    await paymentWhere(workerRun, id, ({ signed, height }) => signed?.txid === txidOf(bytes) && height === 31);
    expect(await listed()).toEqual([`${txidOf(bytes)}.0`]);
  }
});

test('a payment from an action’s change is reinstated if a reorganization gives the action its earlier ID', async () => {
  const { network, workerRun, txid, id, refresh } = await keeping();
  const outputs = [output(2000, SOMEBODY)];
  const spent = await called(workerRun, 'createAction', { description: 'spend the change', outputs, options });
  const heir = (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === spent.txid)!;
  expect(heir.signed!.inputs.map((key) => key.slice(0, 64))).toEqual([txid]);
  const { transaction } = network.known.get(txid)!;
  const inputs = transaction.inputs.map((input) => ({
    ...input,
    unlockingScript: concatBytes(Uint8Array.of(0x51), input.unlockingScript),
  }));
  const forms = [transaction, { ...transaction, inputs }].map((one) => serializeTransaction(one));
  for (const [i, bytes] of [forms[1]!, forms[0]!].entries()) {
    network.chain.cut(network.chain.blocks.length - 31);
    for (const gone of [...forms.map((form) => txidOf(form)), spent.txid!]) network.forget(gone);
    network.mine([network.take(bytes)]);
    network.chain.grow(i + 1);
    await refresh();
    await paymentWhere(workerRun, id, ({ signed, height }) => signed?.txid === txidOf(bytes) && height === 31);
    await paymentWhere(workerRun, heir.id, ({ state }) => (state === 'failed') === (i === 0));
  }
  const coins = (await stored(workerRun)).coins.filter(({ outpoint }) => heir.signed!.inputs.includes(outpoint));
  expect(coins).toMatchObject([{ status: 'spent', paymentId: heir.id }]);
});

test('an output that a block double-spends is gone until another branch wins, and is then spent by the application again', async () => {
  const { network, workerRun, txid, refresh, listed, logged } = await keeping();
  const { id, txid: spender } = await spend(workerRun, txid);
  const kept = async () => (await (await workerRun.modules.database.database(wallet)).getAll('appOutputs'))[0];
  expect(await kept()).toMatchObject({ status: 'spent', spentBy: id });

  network.forget(spender);
  const double = network.spend(`${txid}:0`);
  network.mine([double]);
  network.arcSays.set(spender, 'REJECTED');
  await refresh();
  await paymentWhere(workerRun, id, ({ state }) => state === 'failed');
  expect(await kept()).toMatchObject({ status: 'spent', spentBy: null });
  expect([await listed(), await logged()]).toEqual([[], 'output-gone']);

  network.chain.cut(1);
  network.forget(double);
  network.arcSays.clear();
  network.chain.grow(2);
  await refresh();
  await paymentWhere(workerRun, id, ({ state }) => state !== 'failed');
  expect(await kept()).toMatchObject({ status: 'spent', spentBy: id });
  expect([await listed(), await logged()]).toEqual([[], 'output']);
});

test('a spent output is logged again while a reorganization leaves its spender unconfirmed', async () => {
  const { network, workerRun, txid, refresh, logged } = await keeping();
  const { id } = await spend(workerRun, txid);
  network.mine();
  await paymentWhere(workerRun, id, ({ height }) => height === 32);
  expect(await logged()).toBe('output-gone');
  network.chain.cut(1);
  network.chain.grow(2);
  await refresh();
  expect(await logged()).toBe('output');
  network.mine();
  await paymentWhere(workerRun, id, ({ height }) => height === 34);
  expect(await logged()).toBe('output-gone');
});

test('a noSend transaction’s output that a block double-spends is reserved again if another branch wins', async () => {
  const { network, workerRun, txid, refresh, listed, logged } = await keeping();
  const { signableTransaction } = await called(workerRun, 'createAction', {
    description: 'spend the thing',
    inputs: [{ outpoint: `${txid}.0`, inputDescription: 'a thing', unlockingScriptLength: UNLOCKING_BYTES }],
    outputs: [output(700, SOMEBODY)],
    options: { ...options, noSend: true },
  });
  const { tx, reference } = signableTransaction!;
  const spends = { 0: { unlockingScript: signInput(transactionIn(tx), 0, 5000) } };
  const spent = await called(workerRun, 'signAction', { reference, spends });
  const { id } = (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === spent.txid)!;
  const kept = async () => (await (await workerRun.modules.database.database(wallet)).getAll('appOutputs'))[0];
  expect(await kept()).toMatchObject({ status: 'reserved', spentBy: id });

  const double = network.spend(`${txid}:0`);
  network.mine([double]);
  await refresh();
  await paymentWhere(workerRun, id, ({ state }) => state === 'failed');
  expect(await kept()).toMatchObject({ status: 'spent', spentBy: null });
  expect(await logged()).toBe('output-gone');

  network.chain.cut(1);
  network.forget(double);
  network.chain.grow(2);
  await refresh();
  await paymentWhere(workerRun, id, ({ state }) => state === 'signed');
  expect(await kept()).toMatchObject({ status: 'reserved', spentBy: id });
  expect([await listed(), await logged()]).toEqual([[], 'output']);
});

test('getHeight and getHeaderForHeight show the chain that the wallet follows, even below the stored headers', async () => {
  const { network, workerRun, refresh } = await keeping();
  const hashAt = async (height: number) => {
    const { header } = await called(workerRun, 'getHeaderForHeight', { height });
    expect(header).toMatch(/^[0-9a-f]{160}$/);
    return txidOf(fromHex(header));
  };
  const before = await hashAt(31);
  expect(before).toBe(network.chain.blocks[31]!.header.hash);
  network.chain.cut(1);
  network.chain.grow(2);
  await refresh();
  expect(await called(workerRun, 'getHeight', {})).toEqual({ height: 32 });
  expect(await hashAt(31)).toBe(network.chain.blocks[31]!.header.hash);
  expect(await hashAt(31)).not.toBe(before);
  for (const height of [0, 1, 30]) expect(await hashAt(height)).toBe(network.chain.blocks[height]!.header.hash);
  for (const height of [33, 4_294_967_295])
    expect(await call(workerRun, 'getHeaderForHeight', { height })).toMatchObject({ code: 6, parameter: 'height' });
});

test('a spent output is logged again although newer deletions have replaced its own', async () => {
  const { network, workerRun, txid, refresh, logged } = await keeping();
  const { id } = await spend(workerRun, txid);
  network.mine();
  await paymentWhere(workerRun, id, ({ height }) => height === 32);
  const { recordEntry } = await import('../../app-log/record.ts');
  const later = { ...wallet, now: () => wallet.now() + 1 };
  await workerRun.modules.database.inTransaction(wallet, async (tx) => {
    for (let i = 0; i < 1000; i += 1)
      await recordEntry(later, tx, { kind: 'output-gone', outpoint: `${'cc'.repeat(32)}:${i}`, origin: APP });
  });
  expect(await logged()).toBeUndefined();
  network.chain.cut(1);
  network.chain.grow(2);
  await refresh();
  expect(await logged()).toBe('output');
});
