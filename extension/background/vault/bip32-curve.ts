/**
 * The parts of the curve secp256k1 that `@scure/bip32` needs, from the library that signs. The build substitutes it for
 * `@noble/curves`, a second implementation that adds 11 kB to the worker. A test builds the keys with it and compares
 * both.
 */
import { etc, getPublicKey, Point, utils } from '@noble/secp256k1';

const { n } = Point.CURVE();
const isValid = (scalar: bigint) => scalar >= 0n && scalar < n;

/** Scalars, big-endian in 32 bytes. */
const Fn = {
  /** Doesn't check the range: callers use {@link isValid}. */
  fromBytes: (bytes: Uint8Array) => BigInt(`0x${etc.bytesToHex(bytes)}`),
  toBytes: (scalar: bigint) => etc.hexToBytes(scalar.toString(16).padStart(64, '0')),
  create: (scalar: bigint) => ((scalar % n) + n) % n,
  isValid,
  isValidNot0: (scalar: bigint) => scalar !== 0n && isValid(scalar),
};

/** Exported as in `@noble/curves/secp256k1.js`. Extended keys sign nothing. */
export const secp256k1 = {
  getPublicKey,
  utils,
  Point: { Fn, BASE: Point.BASE, ZERO: Point.ZERO, fromBytes: (bytes: Uint8Array) => Point.fromBytes(bytes) },
};
