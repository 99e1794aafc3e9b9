/** Creates real BEEFs and merkle paths, serialized by `@bsv/sdk`. */
import { Beef, BeefTx, MerklePath, Transaction as SdkTransaction, Utils } from '@bsv/sdk';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { ByteWriter } from '../../protocol/bitcoin/wire-format.ts';
import { hash256, merkleRoot, proofOf } from '../../testkit/network/blocks.ts';

const [VERSION_1, VERSION_2] = [4_022_206_465, 4_022_206_466];
const strange = (n: number) => toHex(hash256(new Uint8Array([n])));

function child(n: number, parent: string): Uint8Array {
  return serializeTransaction({
    version: 1,
    inputs: [{ txid: parent, vout: 0, unlockingScript: new Uint8Array(2), sequence: 0xffff_ffff }],
    outputs: [{ satoshis: BigInt(n), lockingScript: new Uint8Array(n) }],
    lockTime: n,
  });
}

function pathOf(txids: readonly string[], index: number): MerklePath {
  const own = { offset: index, hash: txids[index] as string, txid: true };
  const { nodes } = proofOf(txids, index, '');
  if (nodes.length === 0) return new MerklePath(100, [[own]]);
  const levels = nodes.map((node, level) => {
    const offset = (index >> level) ^ 1;
    return node === '*' ? { offset, duplicate: true } : { offset, hash: node };
  });
  return new MerklePath(
    100,
    levels.map((one, level) => (level === 0 ? [own, one].sort((a, b) => a.offset - b.offset) : [one])),
  );
}

/** Returns a transaction in a block of `size` transactions, with its merkle path. */
function block(size: number, index: number): { mined: Uint8Array; path: MerklePath } {
  const mined = child(size, strange(99));
  const txids = Array.from({ length: size }, (_, i) => (i === index ? txidOf(mined) : strange(i)));
  return { mined, path: pathOf(txids, index) };
}

const BLOCKS = [
  [1, 0],
  [2, 1],
  [5, 4],
  [9, 3],
] as const;

/**
 * Returns the merkle path of the last of four transactions. The transaction's parent node is included, although it is
 * redundant.
 */
function repeating(): { mined: Uint8Array; bump: Uint8Array } {
  const mined = child(6, strange(99));
  const [sibling, own] = [strange(2), txidOf(mined)];
  const bump = new ByteWriter().compactSize(100).uint8(2);
  bump.compactSize(2).compactSize(2).uint8(0).txid(sibling).compactSize(3).uint8(2).txid(own);
  bump
    .compactSize(2)
    .compactSize(0)
    .uint8(0)
    .txid(strange(0))
    .compactSize(1)
    .uint8(0)
    .txid(merkleRoot([sibling, own]));
  return { mined, bump: bump.done() };
}

/**
 * Returns merkle paths (BUMP). The last two are invalid: one has a duplicate on the left, and the other has two roots.
 */
export const bumps = (): Uint8Array[] => [
  ...BLOCKS.map(([size, index]) => Uint8Array.from(block(size, index).path.toBinary())),
  repeating().bump,
  new ByteWriter()
    .compactSize(100)
    .uint8(1)
    .compactSize(2)
    .compactSize(0)
    .uint8(1)
    .compactSize(1)
    .uint8(2)
    .txid(strange(1))
    .done(),
  [0, 1, 2, 3]
    .reduce(
      (writer, n) => writer.compactSize(n).uint8(2).txid(strange(n)),
      new ByteWriter().compactSize(100).uint8(1).compactSize(4),
    )
    .done(),
];

/**
 * Returns BEEFs of both versions, atomic BEEFs, BEEFs with an ID-only entry, and an invalid BEEF with a duplicate
 * transaction.
 */
export function beefs(): Uint8Array[] {
  const parsed = (bytes: Uint8Array) => SdkTransaction.fromBinary([...bytes]);
  const plain = BLOCKS.flatMap(([size, index]) =>
    [VERSION_1, VERSION_2].map((version) => {
      const { mined, path } = block(size, index);
      const beef = new Beef(version);
      beef.txs.push(BeefTx.fromTx(parsed(mined), beef.bumps.push(path) - 1));
      const first = child(3, txidOf(mined));
      beef.txs.push(BeefTx.fromTx(parsed(first)), BeefTx.fromTx(parsed(child(4, txidOf(first)))));
      if (version === VERSION_2) beef.txs.unshift(BeefTx.fromTxid(strange(7)));
      const writer = new Utils.Writer();
      beef.toWriter(writer as never);
      const subject = beef.txs.at(-1)?.txid as string;
      return { bytes: Uint8Array.from(writer.toArray()), subject };
    }),
  );
  const twice = concatBytes(
    fromHex('0100beef0002'),
    ...[0, 0].flatMap(() => [child(5, strange(99)), new Uint8Array(1)]),
  );
  const { mined, bump } = repeating();
  return [
    twice,
    concatBytes(fromHex('0100beef01'), bump, fromHex('01'), mined, fromHex('0100')),
    ...plain.flatMap(({ bytes, subject }) => [
      bytes,
      concatBytes(fromHex('01010101'), fromHex(subject).reverse(), bytes),
    ]),
  ];
}

/** Parses a path the way `@bsv/sdk` does in a BEEF, where redundant nodes are allowed. */
export const pathIn = (bump: Uint8Array): MerklePath => MerklePath.fromReader(new Utils.Reader([...bump]), false);

/**
 * Computes the root of a merkle path (BUMP) with Node's own hashes, because `@bsv/sdk` ignores redundant nodes.
 * @throws if a node differs from the hash of its two children
 */
export function rootOf(bump: Uint8Array): string {
  const levels = pathIn(bump).path.map(
    (nodes) => new Map(nodes.map(({ offset, hash, duplicate }) => [offset, duplicate ? null : hash])),
  );
  const above = (level: Map<number, string | null | undefined>): string =>
    merkleRoot([...level].sort(([a], [b]) => a - b).flatMap(([, hash]) => hash ?? []));
  // A single level lists all leaves of a block.
  if (levels.length === 1 && levels[0]) return above(levels[0]);
  for (const [height, level] of levels.entries()) {
    const next = levels[height + 1] ?? new Map<number, string | null | undefined>();
    for (const [offset, left] of level) {
      const right = level.get(offset + 1);
      if (offset % 2 === 1 || !left || right === undefined) continue;
      const parent = merkleRoot([left, right ?? left]);
      if ((next.get(offset / 2) ?? parent) !== parent) throw new Error('a path of two blocks');
      next.set(offset / 2, parent);
    }
    if (height === levels.length - 1) return above(next);
  }
  return '';
}
