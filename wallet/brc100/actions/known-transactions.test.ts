/**
 * Tests each check for existing transactions separately: an input that belongs to the user, a transaction that only the
 * network has, and one that only the wallet has.
 */
import { P2PKH, PrivateKey, Transaction } from '@bsv/sdk';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { expect, test } from 'vitest';
import { writeAddress } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { APP, appKey, appScript, call, called } from '../../../testkit/wallet/applications.ts';
import { copyOf, copyToSign } from '../../../testkit/wallet/copies.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { approvalOf, decide, decline, give, openWallet, PASSWORD, stored } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { hash160 } from '../../keys/keys.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

const index = () => `${network.url}/devnet/woc/v1/bsv/test/tx`;
const transactionOf = async (txid: string) => Transaction.fromHex(await (await fetch(`${index()}/${txid}/hex`)).text());

async function wallet(coins = [10_000, 500_000]): Promise<WorkerRun> {
  const run = await openWallet(network, coins);
  await give(run, { origin: APP, currency: 'BSV', limit: 100_000n });
  return run;
}

/** Signs a transaction that spends an output and pays its amount, minus a fee of 21 satoshis, to the application. */
async function spent(txid: string, vout: number, key: PrivateKey): Promise<string> {
  const sourceTransaction = await transactionOf(txid);
  const spend = new Transaction();
  spend.addInput({
    sourceTransaction,
    sourceOutputIndex: vout,
    unlockingScriptTemplate: new P2PKH().unlock(key),
  });
  spend.addOutput({
    satoshis: sourceTransaction.outputs[vout]!.satoshis! - 21,
    lockingScript: new P2PKH().lock(PrivateKey.fromHex(toHex(appKey(1).privateKey)).toAddress('testnet')),
  });
  await spend.sign();
  return spend.toHex();
}

/** Returns a payment that another wallet with the same recovery words signed but didn't broadcast. */
async function signedElsewhere(run: WorkerRun): Promise<string> {
  const { words } = await run.modules.handlers.walletHandlers(current)['vault/show-words']({ password: PASSWORD });
  const coin = (await stored(run)).coins.find(({ satoshis }) => satoshis === 10_000n)!;
  const key = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive(`m/44'/236'/0'/0/${coin.index}`);
  return spent(coin.txid, coin.vout, PrivateKey.fromHex(toHex(key.privateKey!)));
}

/** Returns a transaction that the application signed but didn't broadcast. */
async function application(): Promise<string> {
  const txid = await network.faucet(writeAddress(hash160(appKey(0).publicKey), 'devnet'), 5000);
  const { outputs } = await transactionOf(txid);
  const vout = outputs.findIndex(({ lockingScript }) => lockingScript.toHex() === appScript(0));
  return spent(txid, vout, PrivateKey.fromHex(toHex(appKey(0).privateKey)));
}

async function broadcast(txhex: string): Promise<void> {
  const { ok } = await fetch(`${index()}/raw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ txhex }),
  });
  expect(ok).toBe(true);
}

const signedOf = async (run: WorkerRun) => (await stored(run)).payments.filter(({ signed }) => signed !== null);

test('a site’s copy of the user’s unsent transaction is never signed from an allowance', async () => {
  const run = await wallet();
  const rawtx = await signedElsewhere(run);
  const answer = call(run, 'createAction', copyOf(rawtx));
  const window = await Promise.race([answer.then(() => null), approvalOf(run)]);
  if (window) await decline(run, window);
  expect(await answer).toHaveProperty('code');
  expect(await signedOf(run)).toEqual([]);
  expect((await stored(run)).coins.map(({ status }) => status)).toEqual(['available', 'available']);
});

test('signAction accepts no signature for the user’s input in an unsent transaction', async () => {
  const run = await wallet();
  const { args, spends } = copyToSign(await signedElsewhere(run));
  const { signableTransaction } = await called(run, 'createAction', args);
  const { reference } = signableTransaction!;
  expect(await call(run, 'signAction', { reference, spends })).toMatchObject({ parameter: 'unlockingScript' });
  expect(await signedOf(run)).toEqual([]);
});

test('an application’s own unsent transaction can be created with its signatures', async () => {
  const run = await wallet();
  const rawtx = await application();
  expect(await called(run, 'createAction', copyOf(rawtx, {}))).toMatchObject({
    txid: Transaction.fromHex(rawtx).id('hex'),
  });
  const { args, spends } = copyToSign(await application());
  const { signableTransaction } = await called(run, 'createAction', args);
  expect(await called(run, 'signAction', { reference: signableTransaction!.reference, spends })).toHaveProperty('txid');
});

test('a transaction that reaches the network while its window is open is not created again', async () => {
  const run = await openWallet(network, [500_000]);
  const rawtx = await application();
  const answer = call(run, 'createAction', copyOf(rawtx, {}));
  const window = await approvalOf(run);
  await broadcast(rawtx);
  await expect(decide(run, window)).rejects.toMatchObject({ code: 'unusable-input' });
  expect(await answer).toMatchObject({ reason: 'unusable-input' });
  expect(await signedOf(run)).toEqual([]);
});

test('a transaction that reaches the network before it is signed is not created again', async () => {
  const run = await wallet();
  const rawtx = await application();
  const { args, spends } = copyToSign(rawtx);
  const { signableTransaction } = await called(run, 'createAction', args);
  await broadcast(rawtx);
  const { reference } = signableTransaction!;
  expect(await call(run, 'signAction', { reference, spends })).toMatchObject({ reason: 'unusable-input' });
  expect(await signedOf(run)).toEqual([]);
});

test('a transaction that only the wallet has is not created again', async () => {
  const run = await wallet();
  const rawtx = await application();
  const { args, spends } = copyToSign(rawtx);
  const first = await called(run, 'createAction', args);
  const second = await called(run, 'createAction', { ...args, outputs: [...args.outputs] });
  const sign = ({ reference }: { reference: string }) =>
    call(run, 'signAction', { reference, spends, options: { noSend: true } });
  expect(await sign(first.signableTransaction!)).toHaveProperty('txid');
  expect(await sign(second.signableTransaction!)).toMatchObject({ reason: 'unusable-input' });
  expect(await signedOf(run)).toHaveLength(1);
});
