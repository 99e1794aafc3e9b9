/**
 * An application's inputs are credited only if the wallet can verify them, and change is credited only after the
 * broadcast. Neither the balance nor a basket may include money that doesn't exist.
 */
import { describe, expect, test, vi } from 'vitest';
import { p2pkhScript, writeAddress } from '../../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { sighashes, SIGHASH_ALL_FORKID } from '../../../protocol/bitcoin/sighash.ts';
import { parseTransactionHex } from '../../../protocol/bitcoin/transaction.ts';
import { derSignature } from '../../transaction/sign.ts';
import { signDigest } from '../../keys/ecdsa.ts';
import { hash160 } from '../../keys/keys.ts';
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
import { useNetwork } from '../../../testkit/network/network.ts';
import { ask, give, openWallet, pay, paymentWhere, someone, stored } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();
const OTHER = 'https://other.example';
const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));

const balance = async (workerRun: WorkerRun) => (await workerRun.modules.store.balance(wallet)).satoshis;
const spent = async ({ modules }: WorkerRun) =>
  (await (await modules.database.database(wallet)).getAll('allowances'))[0]!.spentSatoshis;
const listed = async (workerRun: WorkerRun, origin: string) =>
  (await called(workerRun, 'listOutputs', { basket: 'things' }, { origin })).outputs;

/** Starts a wallet with several coins, because the wallet would split a single coin before an action reserves it. */
async function allowed(): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [200_000, 200_000, 100_000]);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  return workerRun;
}

/** Creates an output locked to the application's own key. */
async function ownMoney(satoshis: number): Promise<string> {
  const txid = await network.faucet(writeAddress(hash160(appKey(0).publicKey), 'devnet'), satoshis);
  const hex = await (await fetch(`${network.url}/devnet/woc/v1/bsv/test/tx/${txid}/hex`)).text();
  return `${txid}.${parseTransactionHex(hex).outputs.findIndex((one) => toHex(one.lockingScript) === appScript(0))}`;
}

/** Creates and broadcasts an output with a different script. */
async function lockedBy(workerRun: WorkerRun, script: string, satoshis: number): Promise<string> {
  const options = { randomizeOutputs: false, acceptDelayedBroadcast: false };
  const outputs = [output(satoshis, script)];
  const { txid } = await called(workerRun, 'createAction', { description: 'lock it', outputs, options });
  return `${txid}.0`;
}

const spending = (outpoint: string, more: object = {}) => ({
  description: 'move it',
  inputs: [{ outpoint, inputDescription: 'the thing', unlockingScriptLength: UNLOCKING_BYTES }],
  ...more,
});

/** Creates an action that spends an application's money and pays 60,000 satoshis. @returns its transaction's ID */
async function spendOwnMoney(workerRun: WorkerRun, satoshis: number, options: object): Promise<string> {
  const wanted = spending(await ownMoney(satoshis), { outputs: [output(60_000, SOMEBODY)], options });
  const { signableTransaction } = await called(workerRun, 'createAction', wanted);
  const { reference, tx } = signableTransaction!;
  const spends = { 0: { unlockingScript: signInput(transactionIn(tx), 0, satoshis) } };
  return (await called(workerRun, 'signAction', { reference, spends, options })).txid!;
}

/** Drops all unmined transactions from the network, and waits until the wallet notices that this one is missing. */
async function dropped(workerRun: WorkerRun, txid: string): Promise<void> {
  network.down.add('memory');
  const { id } = (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === txid)!;
  await paymentWhere(workerRun, id, ({ trouble }) => trouble === 'unseen');
}

const last = async (workerRun: WorkerRun) =>
  (await stored(workerRun)).payments.sort((a, b) => b.createdAt - a.createdAt)[0]!;

describe('an input', () => {
  test('an unspent input counts toward the payment, and a spent one is rejected', async () => {
    const workerRun = await allowed();
    const outpoint = await ownMoney(50_000);
    const wanted = spending(outpoint, { outputs: [output(60_000, SOMEBODY)] });
    const { signableTransaction } = await called(workerRun, 'createAction', wanted);
    const { reference, tx } = signableTransaction!;
    const spends = { 0: { unlockingScript: signInput(transactionIn(tx), 0, 50_000) } };
    await called(workerRun, 'signAction', { reference, spends, options: { acceptDelayedBroadcast: false } });
    expect(await spent(workerRun)).toBe(10_000n + (await last(workerRun)).signed!.feeSatoshis);
    expect(await call(workerRun, 'createAction', wanted)).toMatchObject({ parameter: 'outpoint' });
  });

  test('an input with a script that only the network can verify counts as zero', async () => {
    const workerRun = await allowed();
    const outpoint = await lockedBy(workerRun, '75510087', 50_000);
    const [before, had] = [await spent(workerRun), await balance(workerRun)];
    const inputs = [{ outpoint, inputDescription: 'the thing', unlockingScript: '0151' }];
    const wanted = { description: 'move it', inputs, outputs: [output(20_000, SOMEBODY)] };
    const answer = await call(workerRun, 'createAction', { ...wanted, options: { noSend: true } });
    expect(answer).toMatchObject({ txid: expect.any(String) });
    const { signed } = await last(workerRun);
    expect((await spent(workerRun)) - before).toBe(20_000n + signed!.feeSatoshis);
    expect(await balance(workerRun)).toBeLessThanOrEqual(had);
  });

  test('an input whose script contains a key and data counts toward the payment, and needs a valid signature', async () => {
    const workerRun = await allowed();
    const { publicKey, privateKey } = appKey(0);
    const script = `21${toHex(publicKey)}ac03aabbcc02ddee6d`;
    const outpoint = await lockedBy(workerRun, script, 50_000);
    const before = await spent(workerRun);
    const wanted = spending(outpoint, { outputs: [output(60_000, SOMEBODY)] });
    const { signableTransaction } = await called(workerRun, 'createAction', wanted);
    const { reference, tx } = signableTransaction!;
    const sign = (digest: Uint8Array) => {
      const signature = derSignature(signDigest(digest, privateKey));
      return toHex(new Uint8Array([signature.length + 1, ...signature, SIGHASH_ALL_FORKID]));
    };
    const options = { acceptDelayedBroadcast: false };
    const wrong = { 0: { unlockingScript: sign(new Uint8Array(32).fill(1)) } };
    expect(await call(workerRun, 'signAction', { reference, spends: wrong })).toMatchObject({
      parameter: 'unlockingScript',
    });
    const spends = { 0: { unlockingScript: sign(sighashes(transactionIn(tx))(0, fromHex(script), 50_000n)) } };
    await called(workerRun, 'signAction', { reference, spends, options });
    expect((await spent(workerRun)) - before).toBe(10_000n + (await last(workerRun)).signed!.feeSatoshis);
  });
});

test("a noSend transaction's change is not in the balance, and its outputs are hidden from other applications", async () => {
  const workerRun = await allowed();
  const outpoint = await ownMoney(9_000_000);
  const outputs = [output(4_000_000, SOMEBODY, { basket: 'things' })];
  const { signableTransaction } = await called(workerRun, 'createAction', spending(outpoint, { outputs }));
  const { reference, tx } = signableTransaction!;
  const spends = { 0: { unlockingScript: signInput(transactionIn(tx), 0, 9_000_000) } };
  const { txid } = await called(workerRun, 'signAction', { reference, spends, options: { noSend: true } });
  expect(await balance(workerRun)).toBe(500_000n);
  expect(await listed(workerRun, APP)).toMatchObject([{ satoshis: 4_000_000, spendable: false }]);
  expect(await called(workerRun, 'listOutputs', { basket: 'things' }, { origin: OTHER })).toEqual({
    totalOutputs: 0,
    outputs: [],
  });
  await called(workerRun, 'createAction', {
    description: 'send it',
    options: { sendWith: [txid], acceptDelayedBroadcast: false },
  });
  await vi.waitFor(async () => expect(await balance(workerRun)).toBeGreaterThan(5_499_000n));
  for (const origin of [APP, OTHER])
    expect(await listed(workerRun, origin)).toMatchObject([{ satoshis: 4_000_000, spendable: true }]);
});

test('change of the wallet’s own coins stays in the balance while an application withholds its transaction', async () => {
  const workerRun = await allowed();
  const wanted = { description: 'keep it', outputs: [output(20_000, SOMEBODY)], options: { noSend: true } };
  await called(workerRun, 'createAction', wanted);
  expect(await balance(workerRun)).toBe(480_000n - (await last(workerRun)).signed!.feeSatoshis);
});

test('change of a noSend transaction that an earlier version counted is removed from the balance by a rescan of all addresses', async () => {
  const workerRun = await allowed();
  const outpoint = await ownMoney(9_000_000);
  const outputs = [output(4_000_000, SOMEBODY)];
  const { signableTransaction } = await called(workerRun, 'createAction', spending(outpoint, { outputs }));
  const { reference, tx } = signableTransaction!;
  const spends = { 0: { unlockingScript: signInput(transactionIn(tx), 0, 9_000_000) } };
  await called(workerRun, 'signAction', { reference, spends, options: { noSend: true } });
  await workerRun.modules.database.inTransaction(wallet, async (db) => {
    const coins = db.objectStore('coins');
    for (const { isUnproven, ...coin } of await coins.getAll()) if (isUnproven) await coins.put(coin);
  });
  await workerRun.modules.poll.refresh(wallet, { all: true });
  expect(await balance(workerRun)).toBe(500_000n);
});

test('a rescan of all addresses counts a noSend transaction’s change up to the value of the wallet’s own coins', async () => {
  const workerRun = await allowed();
  await spendOwnMoney(workerRun, 1000, { noSend: true });
  const before = await balance(workerRun);
  expect(before).toBeGreaterThan(430_000n);
  await workerRun.modules.poll.refresh(wallet, { all: true });
  expect(await balance(workerRun)).toBe(before);
});

test('change that an application’s input funds leaves the balance while the network has lost the action', async () => {
  const workerRun = await allowed();
  const txid = await spendOwnMoney(workerRun, 9_000_000, { acceptDelayedBroadcast: false });
  expect(await balance(workerRun)).toBeGreaterThan(9_000_000n);
  await dropped(workerRun, txid);
  expect((await stored(workerRun)).coins.map(({ status }) => status)).toContain('pending');
  expect(await balance(workerRun)).toBeLessThanOrEqual(500_000n);
  network.down.delete('memory');
  await vi.waitFor(async () => expect(await balance(workerRun)).toBeGreaterThan(9_000_000n));
});

test('change of a payment that spends an action’s change leaves the balance while the network has lost both', async () => {
  const workerRun = await allowed();
  const txid = await spendOwnMoney(workerRun, 9_000_000, { acceptDelayedBroadcast: false });
  await give(workerRun, { currency: 'BSV', limit: 5_000_000n });
  await ask(workerRun, 'request', pay(someone(), 1_200_000), { automatic: true });
  const { signed } = await last(workerRun);
  expect(signed!.inputs.some((key) => key.startsWith(txid))).toBe(true);
  await dropped(workerRun, txid);
  await dropped(workerRun, signed!.txid);
  expect(await balance(workerRun)).toBeLessThanOrEqual(500_000n);
});
