/** Proofs that a block contains a transaction: BUMP (BRC-74) and the TSC's merkle proof format (BRC-10). */
import { ByteWriter } from '../../../protocol/bitcoin/transaction.ts';
import { merkleLevels } from '../ledger/blocks.ts';
import type { Ledger, LedgerTransaction } from '../ledger/ledger.ts';

/** BRC-74: this leaf is the transaction that the path proves. */
const TXID = 2;

/** The siblings from a transaction to just below the root; null is a node paired with itself. */
function branch(txids: readonly string[], index: number): (string | null)[] {
  const levels = merkleLevels(txids).slice(0, -1);
  return levels.map((level, height) => level[(index >> height) ^ 1] ?? null);
}

/** The block's txids, or null while the transaction is unconfirmed. */
function blockTxids(ledger: Ledger, transaction: LedgerTransaction): readonly string[] | null {
  return transaction.height === null ? null : (ledger.block(transaction.height)?.txids ?? null);
}

/** The merkle path (BUMP) of the transaction at `index` of a block with these txids, in bytes. */
export function bumpOf(txids: readonly string[], index: number, height: number): Uint8Array<ArrayBuffer> {
  const siblings = branch(txids, index);
  const writer = new ByteWriter().compactSize(height).uint8(Math.max(1, siblings.length));
  const node = (offset: number, hash: string | null, flags: number): void => {
    writer.compactSize(offset).uint8(hash === null ? 1 : flags);
    if (hash !== null) writer.txid(hash);
  };
  const own = txids[index] ?? '';
  // The lowest level also contains the transaction itself, in the order of offsets. A lone coinbase has no sibling.
  writer.compactSize(siblings.length === 0 ? 1 : 2);
  if (index % 2 === 0) node(index, own, TXID);
  siblings.forEach((hash, level) => {
    if (level > 0) writer.compactSize(1);
    node((index >> level) ^ 1, hash, 0);
    if (level === 0 && index % 2 === 1) node(index, own, TXID);
  });
  return writer.done();
}

/** The merkle path of a mined transaction as BUMP, hex; null while it is unconfirmed. */
export function bump(ledger: Ledger, transaction: LedgerTransaction): string | null {
  const txids = blockTxids(ledger, transaction);
  return txids && Buffer.from(bumpOf(txids, transaction.index, transaction.height ?? 0)).toString('hex');
}

/** A proof in the TSC's form: `target` is the block's hash, `*` is a node that is its own sibling. */
export interface TscProof {
  index: number;
  txOrId: string;
  target: string;
  nodes: string[];
}

/** The TSC proof of a mined transaction; null while it is unconfirmed. */
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
