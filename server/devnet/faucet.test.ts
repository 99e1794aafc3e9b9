import { expect, test } from 'vitest';
import { FAUCET_MAXIMUM, pay } from './faucet.ts';
import { COINBASE_MATURITY } from './arc/policy.ts';
import { bytesOf, sendAll, submit, testKey, testNode } from './test-ledger.ts';

test('the faucet mines a coin if none is mature, and then pays', async () => {
  const node = await testNode();
  const { ledger, miner } = node;
  const owner = {
    ...testKey(),
    key: miner.key,
    publicKey: Uint8Array.from(miner.key.toPublicKey().encode(true) as number[]),
  };
  const mature = [...ledger.coinsOf(miner.hash)].filter(
    (coin) => ledger.height + 1 - (coin.height ?? 0) >= COINBASE_MATURITY,
  );
  expect(mature).toHaveLength(101);
  await submit(node, bytesOf(sendAll(mature, owner, testKey().script)));
  const txid = await pay(node, testKey().address, FAUCET_MAXIMUM);
  expect(ledger.height).toBe(200);
  expect(ledger.transaction(txid)?.height).toBeNull();
});

test('the fee is the exact price or one satoshi more, for any signature length', async () => {
  const node = await testNode();
  for (let i = 0; i < 20; i += 1) {
    const taken = ledgerTransaction(node, await pay(node, testKey().address, 1));
    const size = taken.bytes.length;
    expect(Number(taken.fee) - Math.ceil(size / 10)).toBeGreaterThanOrEqual(0);
    expect(Number(taken.fee) - Math.ceil(size / 10)).toBeLessThanOrEqual(1);
  }
});

function ledgerTransaction(
  node: Awaited<ReturnType<typeof testNode>>,
  txid: string,
): { bytes: Uint8Array; fee: bigint } {
  const transaction = node.ledger.transaction(txid);
  if (!transaction) throw new RangeError('not taken');
  return transaction;
}
