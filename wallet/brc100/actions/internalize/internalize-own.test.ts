/** A site internalizes outputs of its own transactions, which the network may not have. */
import { P2PKH, PrivateKey, Transaction } from '@bsv/sdk';
import { describe, expect, test } from 'vitest';
import { writeAddress } from '../../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { hash160 } from '../../../keys/keys.ts';
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
} from '../../../../testkit/wallet/applications.ts';
import { give, openWallet, paymentWhere, stored } from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';
import { network, insertion, payment, bringing, lockedTo } from './testing-internalize-action.ts';

const OTHER = { origin: 'https://other.example' };
const index = () => `${network.url}/devnet/woc/v1/bsv/test/tx`;
const REJECTED = { code: 6, parameter: 'tx' };

async function allowed(): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [200_000, 200_000]);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  return workerRun;
}

/** Creates a transaction with one of the application's outputs. */
async function made(workerRun: WorkerRun, options: object = {}): Promise<{ tx: number[]; txid: string }> {
  const { tx, txid } = await called(workerRun, 'createAction', {
    description: 'make a thing',
    outputs: [output(50_000, appScript(0))],
    options: { randomizeOutputs: false, ...options },
  });
  return { tx: tx!, txid: txid! };
}

async function broadcast(tx: readonly number[]): Promise<void> {
  const { ok } = await fetch(`${index()}/raw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ txhex: Transaction.fromAtomicBEEF([...tx]).toHex() }),
  });
  expect(ok).toBe(true);
}

const internalize = (workerRun: WorkerRun, tx: readonly number[], calling = {}) =>
  call(workerRun, 'internalizeAction', bringing(tx, insertion(0)), calling);
const listed = async (workerRun: WorkerRun, calling = {}) =>
  (await called(workerRun, 'listOutputs', { basket: 'things' }, calling)).outputs;
const balance = async ({ modules }: WorkerRun) => (await modules.store.balance(wallet)).satoshis;

describe('an unsent transaction', () => {
  test('the output of a withheld transaction can’t be internalized by its site', async () => {
    const workerRun = await allowed();
    const { tx } = await made(workerRun, { noSend: true });
    expect(await internalize(workerRun, tx)).toMatchObject(REJECTED);
    expect([await listed(workerRun), await listed(workerRun, OTHER)]).toEqual([[], []]);
    expect(network.broadcasts).toEqual([]);
  });

  test('the output of an aborted transaction can’t be internalized by its site', async () => {
    const workerRun = await allowed();
    const { tx, txid } = await made(workerRun, { noSend: true });
    await called(workerRun, 'abortAction', { reference: txid });
    expect(await internalize(workerRun, tx)).toMatchObject(REJECTED);
    expect(network.broadcasts).toEqual([]);
  });

  test('the output of a transaction that the network refused can’t be internalized by its site', async () => {
    const workerRun = await allowed();
    network.faults = [461];
    await call(workerRun, 'createAction', {
      description: 'make a thing',
      outputs: [output(50_000, appScript(0))],
      options: { randomizeOutputs: false, acceptDelayedBroadcast: false },
    });
    const [{ id, signed } = expect.fail()] = (await stored(workerRun)).payments;
    await paymentWhere(workerRun, id, ({ trouble }) => trouble === 'refused');
    const refused = Transaction.fromHex(signed!.rawtx);
    for (const input of refused.inputs)
      input.sourceTransaction = Transaction.fromHex(await (await fetch(`${index()}/${input.sourceTXID}/hex`)).text());
    const before = network.broadcasts.length;
    expect(await internalize(workerRun, [...refused.toAtomicBEEF(true)])).toMatchObject(REJECTED);
    expect(network.broadcasts).toHaveLength(before);
  });

  test('a payment to the user in a withheld transaction of its site isn’t counted in the balance', async () => {
    const workerRun = await allowed();
    const script = await lockedTo(workerRun);
    // The site's own money.
    const from = await network.faucet(writeAddress(hash160(appKey(0).publicKey), 'devnet'), 9_000_000);
    const source = Transaction.fromHex(await (await fetch(`${index()}/${from}/hex`)).text());
    const vout = source.outputs.findIndex(({ lockingScript }) => lockingScript.toHex() === appScript(0));
    const { signableTransaction } = await called(workerRun, 'createAction', {
      description: 'pay the user',
      inputs: [{ outpoint: `${from}.${vout}`, inputDescription: 'money', unlockingScriptLength: UNLOCKING_BYTES }],
      outputs: [output(8_900_000, script)],
      options: { noSend: true, randomizeOutputs: false },
    });
    const { reference, tx: toSign } = signableTransaction!;
    const spends = { 0: { unlockingScript: signInput(transactionIn(toSign), 0, 9_000_000) } };
    const { tx } = await called(workerRun, 'signAction', { reference, spends });
    const before = await balance(workerRun);
    expect(await call(workerRun, 'internalizeAction', bringing(tx!, payment(0)))).toMatchObject(REJECTED);
    expect(await balance(workerRun)).toBe(before);
    expect((await stored(workerRun)).payments).toHaveLength(1);
  });

  test('a transaction that spends the output of a withheld one is neither internalized nor broadcast', async () => {
    const workerRun = await allowed();
    const { tx } = await made(workerRun, { noSend: true });
    const child = new Transaction();
    const key = PrivateKey.fromHex(toHex(appKey(0).privateKey));
    child.addInput({
      sourceTransaction: Transaction.fromAtomicBEEF(tx),
      sourceOutputIndex: 0,
      unlockingScriptTemplate: new P2PKH().unlock(key),
    });
    child.addOutput({ satoshis: 49_000, lockingScript: new P2PKH().lock(key.toAddress('testnet')) });
    await child.sign();
    let offered = 0;
    network.before = (url) => void (/\/v1\/tx$|\/tx\/raw$/.test(url) && (offered += 1));
    expect(await internalize(workerRun, child.toAtomicBEEF(true))).toMatchObject(REJECTED);
    expect(offered).toBe(0);
    expect(await listed(workerRun)).toEqual([]);
  });
});

describe('a sent transaction', () => {
  test('a site can internalize its transaction that the wallet hasn’t broadcast yet', async () => {
    const workerRun = await allowed();
    const { tx, txid } = await made(workerRun);
    expect(await internalize(workerRun, tx)).toEqual({ accepted: true });
    expect(await listed(workerRun)).toMatchObject([{ outpoint: `${txid}.0`, spendable: true }]);
  });

  test('a site can internalize its noSend transaction after sendWith', async () => {
    const workerRun = await allowed();
    const { tx, txid } = await made(workerRun, { noSend: true });
    await called(workerRun, 'createAction', { description: 'send it', options: { sendWith: [txid] } });
    expect(await internalize(workerRun, tx)).toEqual({ accepted: true });
    expect(await listed(workerRun)).toMatchObject([{ outpoint: `${txid}.0`, spendable: true }]);
  });

  test('a site can internalize its noSend transaction that it has broadcast itself', async () => {
    const workerRun = await allowed();
    const { tx, txid } = await made(workerRun, { noSend: true });
    await broadcast(tx);
    expect(await internalize(workerRun, tx)).toEqual({ accepted: true });
    expect(await listed(workerRun)).toMatchObject([{ outpoint: `${txid}.0`, spendable: true }]);
  });

  test('an output that its own and another site have internalized becomes void with its transaction', async () => {
    const workerRun = await allowed();
    const { tx, txid } = await made(workerRun, { noSend: true });
    await broadcast(tx);
    expect(await internalize(workerRun, tx)).toEqual({ accepted: true });
    expect(await internalize(workerRun, tx, OTHER)).toEqual({ accepted: true });
    const [{ id } = expect.fail()] = (await stored(workerRun)).payments;
    const { end } = await import('../../../payments/network/conflicts.ts'); // imported late to get this run's instance
    const { getPayment } = await import('../../../payments/store.ts');
    const winner = { txid: 'ab'.repeat(32), height: 1, isCancel: false };
    expect(await listed(workerRun, OTHER)).toMatchObject([{ outpoint: `${txid}.0`, spendable: true }]);
    await workerRun.modules.database.inTransaction(wallet, async (write) =>
      end(wallet, write, (await getPayment(write, id))!, winner, new Set()),
    );
    expect([await listed(workerRun), await listed(workerRun, OTHER)]).toEqual([[], []]);
  });
});
