import { mkdir, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { headerHash, merkleRoot, serializeHeader, targetOf } from './blocks.ts';
import { openNode } from './node.ts';
import { BITS, FIRST_BLOCKS, SUBSIDY } from '../arc/policy.ts';
import { parseTransaction } from '../../../protocol/bitcoin/transaction.ts';
import { bytesOf, fund, sendAll, snapshot, submit, testDirectory, testKey, testNode } from '../test-ledger.ts';

const owner = testKey();
const other = testKey();

/** Creates and closes a ledger with mined and waiting transactions. */
async function livedIn(): Promise<{ directory: string; before: unknown; hashes: string[] }> {
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

test('a reopened ledger has the same state, and continues', async () => {
  const { directory, before, hashes } = await livedIn();
  const again = await testNode(directory);
  expect(snapshot(again.ledger, hashes)).toEqual(before);
  const block = await again.mine(1);
  expect(block.txids).toHaveLength(4);
  await fund(again, owner);
});

test('the chain is valid: hashes, targets, merkle roots, times, heights in coinbases, fees', async () => {
  const node = await testNode();
  await fund(node, owner);
  await fund(node, owner);
  await node.mine(1);
  const { ledger } = node;
  for (let height = 0; height <= ledger.height; height += 1) {
    const block = ledger.block(height);
    if (!block) throw new RangeError(`no block ${height}`);
    const bytes = serializeHeader(block.header);
    expect(headerHash(bytes)).toBe(block.hash);
    expect(BigInt(`0x${block.hash}`) <= targetOf(BITS)).toBe(true);
    expect(block.header.previous).toBe(ledger.block(height - 1)?.hash ?? '0'.repeat(64));
    expect(block.header.merkleRoot).toBe(merkleRoot(block.txids));
    expect(block.header.time).toBeGreaterThan(ledger.block(height - 1)?.medianTime ?? 0);
    expect(block.header.time).toBeLessThanOrEqual(Date.now() / 1000 + 1);
    const coinbase = parseTransaction(ledger.transaction(block.txids[0] ?? '')?.bytes ?? new Uint8Array(0));
    const length = coinbase.inputs[0]?.unlockingScript[0] ?? 0;
    expect(
      Buffer.from([...(coinbase.inputs[0]?.unlockingScript.slice(1, 1 + length) ?? []), 0, 0, 0, 0]).readUInt32LE(0),
    ).toBe(height);
    const fees = block.txids.slice(1).reduce((sum, txid) => sum + (ledger.transaction(txid)?.fee ?? 0n), 0n);
    expect(coinbase.outputs[0]?.satoshis).toBe(SUBSIDY + fees);
  }
  expect(ledger.tip?.txids).toHaveLength(3);
  expect(ledger.height).toBe(FIRST_BLOCKS);
});

test('concurrently mined blocks each have their own coinbase and a later median time', async () => {
  const node = await testNode();
  await node.mine(250);
  const times = Array.from(
    { length: node.ledger.height + 1 },
    (_, height) => node.ledger.block(height)?.medianTime ?? 0,
  );
  expect(node.ledger.height).toBe(FIRST_BLOCKS + 249);
  expect(times.every((time, i) => i === 0 || time >= (times[i - 1] ?? 0))).toBe(true);
});

test('the key is stored in the directory, readable only by its owner', async () => {
  const directory = await testDirectory();
  const node = await testNode(directory);
  expect((await stat(path.join(directory, 'miner.key'))).mode & 0o777).toBe(0o600);
  expect((await testNode()).miner.hash).not.toBe(node.miner.hash);
});

test('an invalid key or a log of a different kind is an error', async () => {
  const directory = await testDirectory();
  await mkdir(directory, { recursive: true });
  for (const text of ['', 'hello', 'f'.repeat(64), '0'.repeat(64)]) {
    await writeFile(path.join(directory, 'miner.key'), text);
    await expect(openNode(directory)).rejects.toMatchObject({ code: 'internal' });
  }
  const second = await testDirectory();
  await writeFile(path.join(second, 'ledger.log'), 'not a ledger at all');
  await expect(openNode(second)).rejects.toMatchObject({ code: 'internal' });
});

test('a first start that was killed halfway continues', async () => {
  const directory = await testDirectory();
  const node = await openNode(directory);
  const hash = node.ledger.block(10)?.hash;
  await node.close();
  await truncate(path.join(directory, 'ledger.log'), 20_000);
  const again = await testNode(directory);
  expect(again.ledger.height).toBe(FIRST_BLOCKS - 1);
  expect(again.ledger.block(10)?.hash).toBe(hash);
});

test('a closed ledger accepts nothing', async () => {
  const node = await testNode();
  await node.close();
  await expect(node.mine(1)).rejects.toMatchObject({ code: 'service-unavailable' });
});
