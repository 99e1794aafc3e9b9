/** Merkle proofs of transactions: BUMP (BRC-74) and the TSC format (BRC-10). */
import { ByteWriter } from '../../../protocol/bitcoin/wire-format.ts';
import { merkleLevels } from '../ledger/blocks.ts';
import type { Ledger, LedgerTransaction } from '../ledger/ledger.ts';

/** BRC-74 flag: this leaf is the transaction being proven. */
const TXID = 2;

/** Returns the siblings from a transaction up to just below the root; null for a node paired with itself. */
function branch(txids: readonly string[], index: number): (string | null)[] {
  const levels = merkleLevels(txids).slice(0, -1);
  return levels.map((level, height) => level[(index >> height) ^ 1] ?? null);
}

/** Returns the txids of the transaction's block, or null while it is unconfirmed. */
function blockTxids(ledger: Ledger, transaction: LedgerTransaction): readonly string[] | null {
  return transaction.height === null ? null : (ledger.block(transaction.height)?.txids ?? null);
}

/** Returns the merkle path (BUMP bytes) of the transaction at `index` in a block with these txids. */
export function bumpOf(txids: readonly string[], index: number, height: number): Uint8Array<ArrayBuffer> {
  const siblings = branch(txids, index);
  const writer = new ByteWriter().compactSize(height).uint8(Math.max(1, siblings.length));
  const node = (offset: number, hash: string | null, flags: number): void => {
    writer.compactSize(offset).uint8(hash === null ? 1 : flags);
    if (hash !== null) writer.txid(hash);
  };
  const own = txids[index] ?? '';
  // The lowest level also contains the transaction itself, sorted with its sibling by offset. A lone coinbase has no
  // sibling.
  writer.compactSize(siblings.length === 0 ? 1 : 2);
  if (index % 2 === 0) node(index, own, TXID);
  siblings.forEach((hash, level) => {
    if (level > 0) writer.compactSize(1);
    node((index >> level) ^ 1, hash, 0);
    if (level === 0 && index % 2 === 1) node(index, own, TXID);
  });
  return writer.done();
}

/** Returns a transaction's merkle path (BUMP, hex), or null while it is unconfirmed. */
export function bump(ledger: Ledger, transaction: LedgerTransaction): string | null {
  const txids = blockTxids(ledger, transaction);
  return txids && Buffer.from(bumpOf(txids, transaction.index, transaction.height ?? 0)).toString('hex');
}

/** A merkle proof in TSC format: `target` is the block hash, `*` a node that is its own sibling. */
export interface TscProof {
  index: number;
  txOrId: string;
  target: string;
  nodes: string[];
}

/** Returns a transaction's TSC proof, or null while it is unconfirmed. */
export function tscProof(ledger: Ledger, transaction: LedgerTransaction): TscProof | null {
  const txids = blockTxids(ledger, transaction);
  if (!txids) return null;
  const { txid, index, height } = transaction;
  return {
    index,
    txOrId: txid,
    target: ledger.block(height ?? 0)?.hash ?? '',
    nodes: branch(txids, index).map((hash) => hash ?? '*'),
  };
}
