/**
 * Tests actions that are mined under an altered ID after another payment has replaced them, or their site was blocked.
 */
import * as secp256k1 from '@noble/secp256k1';
import { expect, test, vi } from 'vitest';
import { p2pkhScript, readAddress, writeAddress } from '../../../protocol/bitcoin/address.ts';
import { concatBytes, fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { sighashes, SIGHASH_ALL_FORKID } from '../../../protocol/bitcoin/sighash.ts';
import { parseTransactionHex, serializeTransaction, txidOf } from '../../../protocol/bitcoin/transaction.ts';
import { hash160 } from '../../keys/keys.ts';
import { derSignature } from '../../transaction/sign.ts';
import {
  APP,
  appKey,
  appScript,
  called,
  output,
  signInput,
  transactionIn,
  UNLOCKING_BYTES,
} from '../../../testkit/wallet/applications.ts';
import { approveAll, ask, give, openWallet, pay, someone, stored } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import type { PaymentRecord } from '../record.ts';
import { allowance, broadcastPastWallet, cancel, expectConsistent, network } from './testing-contested.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const action = (to: string, more: object = {}) => ({
  description: 'kept for later',
  outputs: [output(20_000, toHex(p2pkhScript(readAddress(to)!.hash)))],
  options: { noSend: true },
  ...more,
});

const byTxid = async (workerRun: WorkerRun, txid: string) =>
  (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === txid)!;
const setNextCheck = ({ modules }: WorkerRun, { id }: PaymentRecord, nextAt: number) =>
  modules.transition.transition(wallet, id, 'signed', ({ broadcast }) => ({ broadcast: { ...broadcast, nextAt } }));
/** Postpones the wallet's check of an aborted action so that the replacement's check finds the mined transaction. */
const putOffCheck = (workerRun: WorkerRun, record: PaymentRecord) =>
  setNextCheck(workerRun, record, Number.MAX_SAFE_INTEGER);
const replacementOf = async (workerRun: WorkerRun, { id }: PaymentRecord) =>
  (await stored(workerRun)).payments.find(({ replaces }) => replaces === id)!;

/** Creates an action that spends one of the application's inputs, and aborts it. */
async function abortedWithInput(workerRun: WorkerRun, to: string): Promise<PaymentRecord> {
  const txid = await network.faucet(writeAddress(hash160(appKey(0).publicKey), 'devnet'), 1000);
  const hex = await (await fetch(`${network.url}/devnet/woc/v1/bsv/test/tx/${txid}/hex`)).text();
  const vout = parseTransactionHex(hex).outputs.findIndex((one) => toHex(one.lockingScript) === appScript(0));
  const input = { outpoint: `${txid}.${vout}`, inputDescription: 'a thing', unlockingScriptLength: UNLOCKING_BYTES };
  const made = await called(workerRun, 'createAction', action(to, { inputs: [input] }));
  const { reference, tx } = made.signableTransaction!;
  const spends = { 0: { unlockingScript: signInput(transactionIn(tx), 0, 1000) } };
  const signed = await called(workerRun, 'signAction', { reference, spends, options: { noSend: true } });
  await called(workerRun, 'abortAction', { reference: signed.txid! });
  return byTxid(workerRun, signed.txid!);
}

/** Signs the application's input with a different nonce. @returns the transaction with its new ID */
function signedAgain({ signed }: PaymentRecord): string {
  const { inputs, ...rest } = parseTransactionHex(signed!.rawtx);
  const [first, ...others] = inputs;
  const { privateKey, publicKey } = appKey(0);
  const digest = sighashes({ ...rest, inputs })(0, fromHex(appScript(0)), 1000n);
  const extraEntropy = new Uint8Array(32).fill(1);
  const der = derSignature(secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, extraEntropy }));
  const unlockingScript = concatBytes(
    new Uint8Array([der.length + 1]),
    der,
    new Uint8Array([SIGHASH_ALL_FORKID, publicKey.length]),
    publicKey,
  );
  return toHex(serializeTransaction({ ...rest, inputs: [{ ...first!, unlockingScript }, ...others] }));
}

/** Calls `mine` when the wallet submits its next transaction, before the network has that transaction. */
function beforeNextBroadcast(mine: () => Promise<void>): void {
  network.before = async (url) => {
    if (!url.endsWith('/devnet/arc/v1/tx')) return;
    network.before = () => undefined;
    await mine();
    await network.mine();
  };
}

const ended = (workerRun: WorkerRun, id: string) =>
  vi.waitFor(async () => {
    const now = await workerRun.modules.transition.readPayment(wallet, id);
    expect(now!.state === 'failed' || now!.height !== null).toBe(true);
    return now!;
  });

test('an action stays debited if its application signs an input again and a replacement is also broadcast', async () => {
  const workerRun = await openWallet(network, [500_000]);
  const key = await give(workerRun, { origin: APP, currency: 'BSV', limit: 30_000n });
  const to = someone();
  const before = await abortedWithInput(workerRun, to);
  await putOffCheck(workerRun, before);
  const { spent } = (await allowance(workerRun, key))!;
  const rawtx = signedAgain(before);
  beforeNextBroadcast(async () => {
    expect(await broadcastPastWallet({ ...before, signed: { ...before.signed!, rawtx } })).toBe(200);
  });
  await ask(workerRun, 'request-1', pay(someone(), 100), { automatic: true, origin: APP });
  const { state, signed } = await ended(workerRun, before.id);
  expect({ state, txid: signed!.txid }).toEqual({ state: 'settled', txid: txidOf(fromHex(rawtx)) });
  expect(await network.unspent(to)).toMatchObject([{ satoshis: 20_000 }]);
  expect((await allowance(workerRun, key))!.spent).toBe(spent);
  expect(await replacementOf(workerRun, before)).toMatchObject({ state: 'failed' });
  await expectConsistent(workerRun);
});

test('an action that is mined under an altered ID although the user canceled it is shown as completed', async () => {
  const workerRun = await openWallet(network, [500_000]);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 30_000n });
  approveAll(workerRun);
  const made = await called(workerRun, 'createAction', action(someone(), { version: 2 }));
  await called(workerRun, 'abortAction', { reference: made.txid! });
  const before = await byTxid(workerRun, made.txid!);
  await putOffCheck(workerRun, before);
  let altered = '';
  beforeNextBroadcast(async () => {
    expect(await broadcastPastWallet(before)).toBe(200);
    altered = await network.alter(made.txid!);
  });
  await cancel(workerRun, before.id);
  const { state, signed } = await ended(workerRun, before.id);
  expect({ state, txid: signed!.txid }).toEqual({ state: 'settled', txid: altered });
  expect(await replacementOf(workerRun, before)).toMatchObject({ state: 'failed' });
  await expectConsistent(workerRun);
});

test('an action of a blocked site that is mined under an altered ID completes', async () => {
  const workerRun = await openWallet(network, [500_000]);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 30_000n });
  const made = await called(workerRun, 'createAction', action(someone(), { version: 2 }));
  const before = await byTxid(workerRun, made.txid!);
  await workerRun.modules.sites.setBlock(wallet, APP, Number.MAX_SAFE_INTEGER);
  expect(await broadcastPastWallet(before)).toBe(200);
  const altered = await network.alter(made.txid!);
  await network.mine();
  await workerRun.modules.poll.refresh(wallet, { all: true });
  await setNextCheck(workerRun, before, 0);
  await workerRun.modules.drive.processChanged(wallet, before.id);
  const { state, signed } = (await workerRun.modules.transition.readPayment(wallet, before.id))!;
  expect({ state, txid: signed!.txid }).toEqual({ state: 'settled', txid: altered });
  await expectConsistent(workerRun);
});
