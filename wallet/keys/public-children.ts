/**
 * Derives many public children of one parent (BIP32 CKDpub). `HDKey.deriveChild` takes three times as long, because it
 * protects each multiplication against timing attacks and parses the parent again for each child. Restoring a wallet
 * derives thousands of children.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { Point } from '@noble/secp256k1';
import type { HDKey } from '@scure/bip32';
import { toHex } from '../../protocol/bitcoin/bytes.ts';

/**
 * Returns the compressed public keys of a node's children at non-hardened indexes. Uses only the node's public key and
 * chain code. Anyone with the extended public key can compute the same scalars, so timing reveals no secrets. Must
 * never be used with private keys.
 */
export function publicChildren(
  node: Pick<HDKey, 'publicKey' | 'chainCode' | 'deriveChild'>,
  indexes: readonly number[],
): Uint8Array[] {
  const publicKey = node.publicKey as Uint8Array;
  const parent = Point.fromBytes(publicKey);
  const keyed = hmac.create(sha512, node.chainCode as Uint8Array);
  return indexes.map((index) => {
    const data = new Uint8Array(37);
    data.set(publicKey);
    new DataView(data.buffer).setUint32(33, index);
    const left = BigInt(`0x${toHex(keyed.clone().update(data).digest().subarray(0, 32))}`);
    const { n } = Point.CURVE();
    if (index < HARDENED && left > 0n && left < n) {
      const child = Point.BASE.multiply(left, false).add(parent);
      if (!child.equals(Point.ZERO)) return child.toBytes(true);
    }
    // Reached only for hardened indexes, for which `deriveChild` throws, and for invalid keys (probability 2^-127).
    return node.deriveChild(index).publicKey as Uint8Array;
  });
}

const HARDENED = 0x80000000;
