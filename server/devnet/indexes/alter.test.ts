import { expect, test } from 'vitest';
import {
  normalizedTxidOf,
  parseTransaction,
  serializeTransaction,
  txidOf,
} from '../../../protocol/bitcoin/transaction.ts';
import { alter } from './alter.ts';
import { build, fund, sendAll, snapshot, submit, testDirectory, testKey, testNode } from '../test-ledger.ts';

const [owner, other] = [testKey(), testKey()];

test('a third party can change the id of a version 2 transaction, and transactions that spent it then disappear', async () => {
  const directory = await testDirectory();
  const node = await testNode(directory);
  const transaction = build({ ...sendAll([await fund(node, owner)], owner, owner.script), version: 2 });
  const bytes = serializeTransaction(transaction);
  const { txid } = await submit(node, bytes);
  const coin = { txid, vout: 0, ...(transaction.outputs[0] as { satoshis: bigint; lockingScript: Uint8Array }) };
  const heir = await submit(node, serializeTransaction(build(sendAll([coin], owner, other.script))));
  const altered = await alter(node, txid);
  expect(altered).not.toBe(txid);
  const now = node.ledger.transaction(altered)!;
  expect(normalizedTxidOf(parseTransaction(now.bytes))).toBe(normalizedTxidOf(transaction));
  for (const gone of [txid, heir.txid]) expect(node.ledger.transaction(gone)).toBeUndefined();
  expect([node.ledger.coin(txid, 0), [...node.ledger.coinsOf(other.hash)]]).toEqual([undefined, []]);
  expect((await node.mine(1)).txids).toContain(altered);
  const before = snapshot(node.ledger, [owner.hash, other.hash]);
  await node.close();
  expect(snapshot((await testNode(directory)).ledger, [owner.hash, other.hash])).toEqual(before);
});

test('a transaction of version 1 can’t be altered', async () => {
  const node = await testNode();
  const bytes = serializeTransaction(build(sendAll([await fund(node, owner)], owner, other.script)));
  await submit(node, bytes);
  await expect(alter(node, txidOf(bytes))).rejects.toMatchObject({ status: 461 });
});
