/** Real BEEFs and merkle paths, made by the writers of `@bsv/sdk`. */
import { Beef, BeefTx, MerklePath, Transaction as SdkTransaction, Utils } from '@bsv/sdk';
import { concatBytes, fromHex, toHex } from '../../protocol/bytes.ts';
import { serializeTransaction, txidOf } from '../../protocol/transaction.ts';
import { hash256, proofOf } from '../../extension/background/testing/blocks.ts';

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

/** A block of so many transactions, one of them ours. */
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

/** Merkle paths in BUMP form. */
export const bumps = (): Uint8Array[] =>
  BLOCKS.map(([size, index]) => Uint8Array.from(block(size, index).path.toBinary()));

/** BEEFs of both versions, atomic ones, and one with an id alone. */
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
  return plain.flatMap(({ bytes, subject }) => [
    bytes,
    concatBytes(fromHex('01010101'), fromHex(subject).reverse(), bytes),
  ]);
}
