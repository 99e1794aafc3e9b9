/** Incoming payments whose inputs the payer then double-spends. */
import { Transaction } from '@bsv/sdk';
import { expect, test } from 'vitest';
import { addressScript, writeAddress } from '../../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex } from '../../../protocol/bitcoin/transaction.ts';
import { appScript, called } from '../../../testkit/wallet/applications.ts';
import { testCoin, testPair, testScript } from '../../../testkit/wallet/coins.ts';
import { openWallet, paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import { signTransaction } from '../../transaction/sign.ts';
import { hash160 } from '../../keys/keys.ts';
import { bringing, insertion, lockedTo, network, payment } from './internalize/testing-internalize-action.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const FUNDS = 100_000n;
const index = () => `${network.url}/devnet/woc/v1/bsv/test/tx`;
const hexOf = async (txid: string) => (await fetch(`${index()}/${txid}/hex`)).text();

/** Creates a payer that spends the same coin in every transaction. */
async function payer() {
  const { publicKey } = testPair(3);
  const txid = await network.faucet(writeAddress(hash160(publicKey), 'devnet'), Number(FUNDS));
  const funding = await hexOf(txid);
  const isIts = (script: Uint8Array) => toHex(script) === toHex(testScript(3));
  const vout = parseTransactionHex(funding).outputs.findIndex(({ lockingScript }) => isIts(lockingScript));
  return {
    funding,
    make: (outputs: [satoshis: bigint, script: string][]) =>
      signTransaction(
        {
          inputs: [testCoin(FUNDS, { index: 3, txid, vout })],
          outputs: outputs.map(([satoshis, script]) => ({ satoshis, lockingScript: fromHex(script) })),
          changeIndexes: [],
          feeSatoshis: FUNDS - outputs.reduce((sum, [satoshis]) => sum + satoshis, 0n),
          version: 1,
        },
        () => testPair(3),
      ),
  };
}

/** Broadcasts a transaction and returns it as BEEF. */
async function broadcast(bytes: Uint8Array, funding: string): Promise<number[]> {
  const { ok } = await fetch(`${index()}/raw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ txhex: toHex(bytes) }),
  });
  expect(ok).toBe(true);
  const transaction = Transaction.fromHex(toHex(bytes));
  transaction.inputs[0]!.sourceTransaction = Transaction.fromHex(funding);
  return [...transaction.toAtomicBEEF(true)];
}

test('a payment by derived key is marked as double-spent if a block pays its amount to another key', async () => {
  const workerRun = await openWallet(network, []);
  const { make, funding } = await payer();
  const paid = await make([[50_000n, await lockedTo(workerRun)]]);
  await called(workerRun, 'internalizeAction', bringing(await broadcast(paid.bytes, funding), payment(0)));
  const [sweep] = (await stored(workerRun)).payments;
  await paymentWhere(workerRun, sweep!.id, ({ state }) => state === 'settled');
  const other = await make([[50_000n, toHex(testScript(4))]]);
  await network.replace(paid.txid, other.bytes);
  await network.mine();
  await workerRun.modules.poll.refresh(wallet);
  const db = await workerRun.modules.database.database(wallet);
  expect(await db.getAll('receipts')).toMatchObject([{ txid: paid.txid, failed: 'double-spent', height: null }]);
});

test('an output in a basket isn’t carried over to a replacing transaction with different outputs', async () => {
  const workerRun = await openWallet(network, []);
  const { receiveAddress } = await workerRun.modules.overview.overview(wallet);
  const own = toHex(addressScript(receiveAddress, 'devnet'));
  const { make, funding } = await payer();
  const paid = await make([
    [20_000n, own],
    [70_000n, appScript(0)],
  ]);
  const tx = await broadcast(paid.bytes, funding);
  await workerRun.modules.poll.refresh(wallet);
  await called(workerRun, 'internalizeAction', bringing(tx, insertion(1)));
  const other = await make([
    [20_000n, own],
    [1n, appScript(0)],
    [70_000n, toHex(testScript(4))],
  ]);
  await network.replace(paid.txid, other.bytes);
  await network.mine();
  await workerRun.modules.poll.refresh(wallet);
  const { outputs } = await called(workerRun, 'listOutputs', { basket: 'things' });
  expect(outputs.map(({ outpoint }) => outpoint)).not.toContain(`${other.txid}.1`);
  expect((await workerRun.modules.store.balance(wallet)).satoshis).toBe(20_000n);
});
