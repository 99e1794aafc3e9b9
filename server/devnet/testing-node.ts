/** Test helpers that node.test.ts and node.full.test.ts share. */
import type { Ledger } from './ledger.ts';
import { bytesOf, fund, sendAll, submit, testDirectory, testKey, testNode } from './test-ledger.ts';

export const owner = testKey();
const other = testKey();

/** The ledger's whole state, for comparison. */
export function snapshot(ledger: Ledger, hashes: readonly string[]): unknown {
  const blocks = Array.from({ length: ledger.height + 1 }, (_, height) => ledger.block(height));
  return {
    blocks,
    mempool: [...ledger.mempool.values()],
    transactions: blocks.flatMap((block) => block?.txids ?? []).map((txid) => ledger.transaction(txid)),
    coins: hashes.map((hash) => [...ledger.coinsOf(hash)]),
    spends: blocks.flatMap((block) => block?.txids ?? []).map((txid) => ledger.spend(txid, 0)),
    used: hashes.map((hash) => ledger.isUsed(hash)),
  };
}

/** Creates a ledger with mined and waiting transactions, and closes it. */
export async function livedIn(): Promise<{ directory: string; before: unknown; hashes: string[] }> {
  const directory = await testDirectory();
  const node = await testNode(directory);
  const coin = await fund(node, owner);
  await submit(node, bytesOf(sendAll([coin], owner, other.script)));
  await node.mine(2);
  await submit(node, bytesOf(sendAll([await fund(node, owner)], owner, other.script)));
  await fund(node, owner, 777);
  const hashes = [owner.hash, other.hash, node.miner.hash];
  const before = snapshot(node.ledger, hashes);
  await node.close();
  return { directory, before, hashes };
}
