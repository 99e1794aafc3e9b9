/** For tests: a ledger in a temporary directory, coins on it, and transactions signed by a separate implementation. */
import { BigNumber, ECDSA } from '@bsv/sdk';
import { sha256 } from '@noble/hashes/sha2.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { concatBytes, toHex } from '../../protocol/bitcoin/bytes.ts';
import { isOriginalSighash, originalSighash } from '../../protocol/bitcoin/sighash.ts';
import {
  serializeTransaction,
  sha256d,
  type Transaction,
  type TransactionOutput,
} from '../../protocol/bitcoin/transaction.ts';
import { pushData } from '../../protocol/bitcoin/push-data.ts';
import { ByteWriter } from '../../protocol/bitcoin/wire-format.ts';
import { pay } from './faucet.ts';
import type { LedgerTransaction } from './ledger/ledger.ts';
import { type LedgerNode, openNode } from './ledger/node.ts';
import type { Ledger } from './ledger/ledger.ts';
import { requiredFee } from './arc/policy.ts';
import type { TestKey } from './test-key.ts';

export { testKey } from './test-key.ts';

export async function testDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'devnet-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export async function testNode(directory?: string, chronicleHeight?: number): Promise<LedgerNode> {
  const node = await openNode(directory ?? (await testDirectory()), chronicleHeight);
  onTestFinished(() => node.close());
  return node;
}

export interface TestCoin extends TransactionOutput {
  txid: string;
  vout: number;
}

export async function fund(node: LedgerNode, owner: TestKey, satoshis = 10_000): Promise<TestCoin> {
  const txid = await pay(node, owner.address, satoshis);
  return { txid, vout: 0, satoshis: BigInt(satoshis), lockingScript: owner.script };
}

/** Computes the digest signed for input `index` (BIP143 with FORKID, SIGHASH_ALL), implemented from the standard. */
function digest(transaction: Transaction, index: number, coin: TestCoin, scope: number): Uint8Array {
  const prevouts = new ByteWriter();
  const sequences = new ByteWriter();
  const outputs = new ByteWriter();
  for (const input of transaction.inputs) {
    prevouts.txid(input.txid).uint32(input.vout);
    sequences.uint32(input.sequence);
  }
  for (const output of transaction.outputs)
    outputs.uint64(output.satoshis).compactSize(output.lockingScript.length).bytes(output.lockingScript);
  const preimage = new ByteWriter()
    .uint32(transaction.version)
    .bytes(sha256d(prevouts.done()))
    .bytes(sha256d(sequences.done()))
    .txid(coin.txid)
    .uint32(coin.vout)
    .compactSize(coin.lockingScript.length)
    .bytes(coin.lockingScript)
    .uint64(coin.satoshis)
    .uint32(transaction.inputs[index]?.sequence ?? 0)
    .bytes(sha256d(outputs.done()))
    .uint32(transaction.lockTime)
    .uint32(scope);
  return sha256(preimage.done());
}

/** Returns an input's signature push: DER and the sighash byte. */
export function signature(
  transaction: Transaction,
  index: number,
  coin: TestCoin,
  { key }: TestKey,
  scope = 0x41,
): Uint8Array {
  const signed = isOriginalSighash(scope)
    ? originalSighash(transaction, scope, index, coin.lockingScript)
    : sha256(digest(transaction, index, coin, scope));
  const der = ECDSA.sign(new BigNumber(toHex(signed), 16), key, true).toDER() as number[];
  return Uint8Array.from([...der, scope]);
}

/** Options for {@link build}, with defaults for an ordinary payment. */
export interface Plan {
  coins: readonly TestCoin[];
  owner: TestKey;
  outputs: readonly TransactionOutput[];
  version?: number;
  lockTime?: number;
  sequence?: number;
  scope?: number;
  unlock?: (transaction: Transaction, index: number, coin: TestCoin) => Uint8Array;
}

export function build(plan: Plan): Transaction {
  const { coins, owner, outputs, version = 1, lockTime = 0, sequence = 0xffff_ffff, scope = 0x41 } = plan;
  const inputs = coins.map(({ txid, vout }) => ({ txid, vout, unlockingScript: new Uint8Array(0), sequence }));
  const transaction: Transaction = { version, inputs, outputs: [...outputs], lockTime };
  const p2pkh = (whole: Transaction, i: number, coin: TestCoin): Uint8Array =>
    concatBytes(pushData(signature(whole, i, coin, owner, scope)), pushData(owner.publicKey));
  const scripts = coins.map((coin, i) => (plan.unlock ?? p2pkh)(transaction, i, coin));
  return {
    ...transaction,
    inputs: inputs.map((input, i) => ({ ...input, unlockingScript: scripts[i] ?? new Uint8Array(0) })),
  };
}

export function bytesOf(plan: Plan): Uint8Array {
  return serializeTransaction(build(plan));
}

/** Plans a payment of all coins, minus a generous fee, to the script. */
export function sendAll(coins: readonly TestCoin[], owner: TestKey, lockingScript: Uint8Array): Plan {
  const total = coins.reduce((sum, coin) => sum + coin.satoshis, 0n);
  return { coins, owner, outputs: [{ satoshis: total - requiredFee(200 * coins.length + 100), lockingScript }] };
}

export function submit(node: LedgerNode, bytes: Uint8Array): Promise<LedgerTransaction> {
  return node.submit({ bytes, sources: null });
}

/** Submits raw bytes. Returns `taken`, or the rejection's code and text. */
export async function submitBytes(node: LedgerNode, bytes: Uint8Array): Promise<string> {
  return submit(node, bytes).then(
    () => 'taken',
    (error: { status?: number; message: string }) => `${error.status} ${error.message}`,
  );
}

/** Returns the ledger's whole state, for comparisons. */
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
