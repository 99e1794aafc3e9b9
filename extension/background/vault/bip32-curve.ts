/**
 * What `@scure/bip32` needs of the curve secp256k1, from the library that signs. The build puts it in the place of
 * `@noble/curves`, a second implementation of the same curve, which is 11 kB more in the worker; a test builds the keys with it and
 * holds the two together.
 */
import { etc, getPublicKey, Point, utils } from '@noble/secp256k1';

const { n } = Point.CURVE();
const isValid = (scalar: bigint) => scalar >= 0n && scalar < n;

/** Scalars, big-endian in 32 bytes. */
const Fn = {
  /** Without a check of the range: {@link isValid} is the caller's to ask. */
  fromBytes: (bytes: Uint8Array) => BigInt(`0x${etc.bytesToHex(bytes)}`),
  toBytes: (scalar: bigint) => etc.hexToBytes(scalar.toString(16).padStart(64, '0')),
  create: (scalar: bigint) => ((scalar % n) + n) % n,
  isValid,
  isValidNot0: (scalar: bigint) => scalar !== 0n && isValid(scalar),
};

/** In the form that `@noble/curves/secp256k1.js` exports; nothing signs by an extended key. */
export const secp256k1 = {
  getPublicKey,
  utils,
  Point: { Fn, BASE: Point.BASE, ZERO: Point.ZERO, fromBytes: (bytes: Uint8Array) => Point.fromBytes(bytes) },
};
