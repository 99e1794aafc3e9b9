/** For tests: blocks with a merkle tree and a mined header, made from the standard and not with the code that checks them. */
import { createHash } from 'node:crypto';
import type { Header, TscProof } from '../chain/whats-on-chain.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
/** Double SHA-256. */
export const hash256 = (bytes: Uint8Array) => sha256(sha256(bytes));
const internal = (hex: string) => Buffer.from(hex, 'hex').reverse();
const display = (bytes: Uint8Array) => Buffer.from(bytes).reverse().toString('hex');

/** The rows of a merkle tree, leaves first, in internal byte order. */
function rows(txids: readonly string[]): Buffer[][] {
  const all = [txids.map(internal)];
  for (let row = all[0] as Buffer[]; row.length > 1; row = all.at(-1) as Buffer[]) {
    all.push(Array.from({ length: Math.ceil(row.length / 2) }, (_, i) => hash256(Buffer.concat([row[2 * i] as Buffer, row[2 * i + 1] ?? (row[2 * i] as Buffer)]))));
  }
  return all;
}

/** The root of the tree over some transactions. */
export const merkleRoot = (txids: readonly string[]) => display(rows(txids).at(-1)?.[0] as Buffer);

/** A header that meets regtest's target, unless another is given. */
export function mineHeader(merkleroot: string, { bits = '207fffff', valid = true, previous = 'ab'.repeat(32) as string | null } = {}): Header {
  const header = { version: 0x2000_0000, merkleroot, time: 1_700_000_000, bits, height: 123, previousblockhash: previous };
  const target = BigInt(Number.parseInt(bits.slice(2), 16)) << (8n * BigInt(Number.parseInt(bits.slice(0, 2), 16) - 3));
  for (let nonce = 0; ; nonce += 1) {
    const bytes = Buffer.alloc(80);
    bytes.writeUInt32LE(header.version, 0);
    internal(previous ?? '00'.repeat(32)).copy(bytes, 4);
    internal(merkleroot).copy(bytes, 36);
    bytes.writeUInt32LE(header.time, 68);
    bytes.writeUInt32LE(Number.parseInt(bits, 16), 72);
    bytes.writeUInt32LE(nonce, 76);
    const hash = display(hash256(bytes));
    if ((BigInt(`0x${hash}`) <= target) === valid) return { ...header, nonce, hash };
  }
}

/** The TSC proof of the transaction at `index`. */
export function proofOf(txids: readonly string[], index: number, target: string): TscProof {
  const nodes: string[] = [];
  let at = index;
  for (const row of rows(txids).slice(0, -1)) {
    const sibling = row[at ^ 1];
    nodes.push(sibling ? display(sibling) : '*');
    at >>= 1;
  }
  return { index, txOrId: txids[index] as string, target, nodes };
}
