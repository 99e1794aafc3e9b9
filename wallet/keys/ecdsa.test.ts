import { PrivateKey, Signature } from '@bsv/sdk';
import { etc, Point } from '@noble/secp256k1';
import { sha256 } from '@noble/hashes/sha2.js';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import {
  addToPrivateKey,
  addToPublicKey,
  freshKeyPair,
  isPublicKey,
  publicKeyOf,
  recoverSigner,
  sharedPoint,
  signDigest,
  signDigestRecoverably,
  verifyDigest,
} from './ecdsa.ts';

const { n, p } = Point.CURVE();
const number = etc.numberToBytesBE;
const BASE = fromHex('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
const digestOf = (text: string) => sha256(new TextEncoder().encode(text));

/**
 * Published RFC 6979 vectors for this curve, used by several Bitcoin libraries: private key, message, signature (r and
 * low s).
 */
const VECTORS: [key: bigint, text: string, signature: string][] = [
  [
    1n,
    'Satoshi Nakamoto',
    '934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
  ],
  [
    1n,
    'All those moments will be lost in time, like tears in rain. Time to die...',
    '8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21',
  ],
  [
    n - 1n,
    'Satoshi Nakamoto',
    'fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d06b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5',
  ],
  [
    0xf8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181n,
    'Alan Turing',
    '7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea',
  ],
];

const highS = (compact: Uint8Array) =>
  Uint8Array.from([...compact.subarray(0, 32), ...number(n - etc.bytesToNumberBE(compact.subarray(32)))]);

describe('a signature', () => {
  test.each(VECTORS)('the signature of key %s over %j is that of RFC 6979, with low S', (key, text, signature) => {
    const [digest, privateKey] = [digestOf(text), number(key)];
    expect(toHex(signDigest(digest, privateKey))).toBe(signature);
    const recoverable = signDigestRecoverably(digest, privateKey);
    expect(toHex(recoverable.subarray(1))).toBe(signature);
    expect(recoverable[0]).toBeLessThan(4);
    expect(recoverSigner(recoverable, digest)).toEqual(publicKeyOf(privateKey));
  });

  test('every signature has low S', () => {
    for (let i = 0; i < 16; i += 1) {
      const [digest, privateKey] = [digestOf(`${i}`), number(BigInt(i + 1))];
      const signature = signDigest(digest, privateKey);
      expect(etc.bytesToNumberBE(signature.subarray(32)) <= n / 2n).toBe(true);
      expect(signDigestRecoverably(digest, privateKey).subarray(1)).toEqual(signature);
    }
  });

  test('a signature verifies only for its digest and its key, compressed or not', () => {
    const [digest, privateKey] = [digestOf('a payment'), number(7n)];
    const signature = signDigest(digest, privateKey);
    const publicKey = publicKeyOf(privateKey);
    expect(verifyDigest(signature, digest, publicKey)).toBe(true);
    expect(verifyDigest(signature, digest, Point.fromBytes(publicKey).toBytes(false))).toBe(true);
    expect(verifyDigest(signature, digestOf('another'), publicKey)).toBe(false);
    expect(verifyDigest(signature, digest, publicKeyOf(number(8n)))).toBe(false);
    for (let at = 0; at < 64; at += 7) {
      const altered = signature.map((byte, i) => (i === at ? byte ^ 1 : byte));
      expect(verifyDigest(altered, digest, publicKey)).toBe(false);
    }
  });

  test('a signature with high S verifies only on request', () => {
    const [digest, privateKey] = [digestOf('a payment'), number(7n)];
    const publicKey = publicKeyOf(privateKey);
    const high = highS(signDigest(digest, privateKey));
    expect(verifyDigest(high, digest, publicKey)).toBe(false);
    expect(verifyDigest(high, digest, publicKey, {})).toBe(false);
    expect(verifyDigest(high, digest, publicKey, { lowS: true })).toBe(false);
    expect(verifyDigest(high, digest, publicKey, { lowS: false })).toBe(true);
  });

  test('keys off the curve and numbers out of range are rejected', () => {
    const [digest, privateKey] = [digestOf('a payment'), number(7n)];
    const signature = signDigest(digest, privateKey);
    for (const key of [
      new Uint8Array(33),
      new Uint8Array(33).fill(2),
      new Uint8Array(0),
      publicKeyOf(privateKey).subarray(1),
    ])
      expect(verifyDigest(signature, digest, key)).toBe(false);
    const publicKey = publicKeyOf(privateKey);
    for (const wrong of [
      '',
      '00'.repeat(64),
      toHex(signature).slice(2),
      `${toHex(signature)}00`,
      `${toHex(number(n))}${'11'.repeat(32)}`,
    ])
      expect(verifyDigest(fromHex(wrong), digest, publicKey)).toBe(false);
  });

  test('digests and keys of other sizes, and keys off the curve, are rejected', () => {
    for (const key of [number(0n), number(n), new Uint8Array(31).fill(1)])
      expect(() => signDigest(digestOf('x'), key)).toThrow();
    expect(() => recoverSigner(new Uint8Array(65), digestOf('x'))).toThrow();
  });

  test('a signature matches @bsv/sdk’s byte for byte, and verifies there', () => {
    const [text, privateKey] = ['both ways', number(12_345n)];
    const key = PrivateKey.fromHex(toHex(privateKey));
    const ours = signDigest(digestOf(text), privateKey);
    expect(key.sign(text).toCompact(0, true, 'hex')).toBe(`1f${toHex(ours)}`);
    expect(key.toPublicKey().verify(text, Signature.fromCompact([31, ...ours]))).toBe(true);
  });
});

describe('a public key', () => {
  test('a public key is a compressed point of the curve', () => {
    for (const key of [1n, 2n, n - 1n]) {
      expect(isPublicKey(publicKeyOf(number(key)))).toBe(true);
      expect(isPublicKey(Point.BASE.multiply(key).toBytes(false))).toBe(false);
    }
  });

  test.each([
    ['of zeros', new Uint8Array(33)],
    ['at infinity', Uint8Array.of(2, ...number(0n))],
    ['with an x that is on no point', Uint8Array.of(2, ...number(5n))],
    ['with an x beyond the field', Uint8Array.of(2, ...number(p + 1n))],
    ['with another first byte', Uint8Array.of(5, ...BASE.subarray(1))],
    ['too short', BASE.subarray(0, 32)],
    ['too long', Uint8Array.of(...BASE, 0)],
    ['empty', new Uint8Array(0)],
  ])('a public key is rejected: %s', (_, bytes) => {
    expect(isPublicKey(bytes)).toBe(false);
  });

  test('the private key 1 has the generator as its public key', () => {
    expect(publicKeyOf(number(1n))).toEqual(BASE);
  });

  test('two sides compute the same shared point as @bsv/sdk', () => {
    const [mine, theirs] = [number(77n), number(n - 5n)];
    const shared = sharedPoint(mine, publicKeyOf(theirs));
    expect(sharedPoint(theirs, publicKeyOf(mine))).toEqual(shared);
    const sdk = PrivateKey.fromHex(toHex(mine)).deriveSharedSecret(PrivateKey.fromHex(toHex(theirs)).toPublicKey());
    expect(toHex(shared)).toBe(sdk.encode(true, 'hex'));
  });
});

describe('a scalar added to a key', () => {
  test.each([
    [1n, 1n, 2n],
    [n - 1n, 2n, 1n],
    [5n, n, 5n],
    [5n, n + 3n, 8n],
    [5n, 2n ** 256n - 1n, (5n + 2n ** 256n - 1n) % n],
    [n - 2n, n - 3n, n - 5n],
  ])('adding %s and %s returns the sum modulo the order of the curve, and its public key', (key, added, sum) => {
    expect(etc.bytesToNumberBE(addToPrivateKey(number(key), number(added)))).toBe(sum);
    if (added % n !== 0n)
      expect(addToPublicKey(publicKeyOf(number(key)), number(added))).toEqual(publicKeyOf(number(sum)));
  });
});

test('new key pairs match, and never repeat', () => {
  const pairs = Array.from({ length: 20 }, freshKeyPair);
  for (const { privateKey, publicKey } of pairs) expect(publicKey).toEqual(publicKeyOf(privateKey));
  expect(new Set(pairs.map(({ privateKey }) => toHex(privateKey))).size).toBe(20);
});
