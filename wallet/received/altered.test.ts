import { expect, test } from 'vitest';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex } from '../../protocol/bitcoin/transaction.ts';
import { testCoin, testPair, testScript } from '../../testkit/wallet/coins.ts';
import { openWallet, stored } from '../../testkit/wallet/wallet.ts';
import { signTransaction } from '../transaction/sign.ts';
import { activity, arrive, BOB, network, receive, refreshed, satoshis } from './testing-receive.ts';

test('a payment keeps its sender and note under the ID that a third party gave its transaction', async () => {
  const workerRun = await openWallet(network, [], { account: true });
  const one = await arrive([{ index: 0, satoshis: 3000 }], {}, 'network', 2);
  await receive();
  expect(await satoshis(workerRun)).toBe(3000n);
  const altered = await network.alter(one.txid);
  await refreshed(workerRun);
  await network.mine();
  await refreshed(workerRun);
  expect(await activity(workerRun)).toMatchObject([
    {
      id: altered,
      satoshis: '3000',
      status: 'COMPLETED',
      sender: { paymail: BOB, verified: true },
      note: 'For the concert',
    },
  ]);
  expect((await stored(workerRun)).coins).toMatchObject([
    { outpoint: `${altered}:0`, status: 'available', height: expect.any(Number) as number },
  ]);
  expect(await satoshis(workerRun)).toBe(3000n);
});

test('a payment is double-spent if a block contains a transaction with different outputs', async () => {
  const workerRun = await openWallet(network, [], { account: true });
  const one = await arrive([{ index: 0, satoshis: 3000 }], {}, 'network', 2);
  await receive();
  const { inputs, outputs } = parseTransactionHex(one.rawtx);
  const [first, rest] = outputs as [(typeof outputs)[0], (typeof outputs)[0]];
  const { bytes } = await signTransaction(
    {
      inputs: [testCoin(100_000n, { index: 3, ...inputs[0]! })],
      // Pays the recipient one satoshi less.
      outputs: [
        { ...first, satoshis: 2999n },
        { satoshis: rest.satoshis + 1n, lockingScript: testScript(3) },
      ],
      changeIndexes: [],
      feeSatoshis: 1000n,
      version: 2,
    },
    () => testPair(3),
  );
  await network.replace(one.txid, fromHex(Buffer.from(bytes).toString('hex')));
  await network.mine();
  await refreshed(workerRun);
  expect(await activity(workerRun)).toMatchObject([
    { satoshis: '2999', status: 'COMPLETED', sender: null },
    { id: one.txid, failure: 'double-spent', sender: { paymail: BOB } },
  ]);
  expect(await satoshis(workerRun)).toBe(2999n);
});
