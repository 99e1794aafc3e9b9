/**
 * Batch signatures by many keys, for payments with thousands of inputs. In a warm worker they take less than half the
 * time of single signatures. The bytes equal those of {@link signDigest} (RFC 6979, section 3.2; low S).
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { etc, Point, utils } from '@noble/secp256k1';
import { concatBytes, toHex } from '../../../protocol/bytes.ts';
import { baseMultiples, inverses, type AffinePoint } from './base-multiples.ts';
import { signDigest } from './ecdsa.ts';

/** A 32-byte digest to sign, and its private key. */
export interface SignRequest {
  digest: Uint8Array;
  privateKey: Uint8Array;
}

/** Up to this many are signed one by one: in a worker that has just started, building the tables takes as long. */
const FEW = 200;

const { n } = Point.CURVE();
const { bytesToNumberBE, numberToBytesBE } = etc;

/**
 * The 64 bytes r, s of each signature.
 * @throws Error as {@link signDigest} does. The library checks batch results before they are returned: a signature with
 * a wrong nonce, published with a right one of the same digest, would reveal the private key.
 */
export function signDigests(requests: readonly SignRequest[]): Uint8Array[] {
  const isUsual = ({ digest, privateKey }: SignRequest) => digest.length === 32 && utils.isValidSecretKey(privateKey);
  if (requests.length <= FEW || !requests.every(isUsual))
    return requests.map(({ digest, privateKey }) => signDigest(digest, privateKey));
  const nonces = requests.map(nonceOf);
  const points = baseMultiples(nonces);
  checkSum(points, nonces);
  const inverted = inverses(nonces, n);
  const signatures = requests.map(({ digest, privateKey }, i) => {
    const r = (points[i] as AffinePoint).x % n;
    const signed = (bytesToNumberBE(digest) + r * bytesToNumberBE(privateKey)) % n;
    const s = ((inverted[i] as bigint) * signed) % n;
    if ((s * (nonces[i] as bigint)) % n !== signed) throw new Error('A wrong inverse.');
    // One in 2^256: then the next nonce is taken.
    if (r === 0n || s === 0n) return signDigest(digest, privateKey);
    return concatBytes(numberToBytesBE(r), numberToBytesBE(s > n / 2n ? n - s : s));
  });
  const [{ digest, privateKey }] = requests as [SignRequest];
  if (toHex(signatures[0] as Uint8Array) !== toHex(signDigest(digest, privateKey)))
    throw new Error('Signatures of many are not those of one.');
  return signatures;
}

/**
 * Checks that the sum of the points is the base point times the sum of the nonces. @throws Error if a point is wrong
 */
function checkSum(points: readonly AffinePoint[], nonces: readonly bigint[]): void {
  const sum = points.reduce<Point>((all, { x, y }) => all.add(new Point(x, y, 1n)), Point.ZERO);
  const scalar = nonces.reduce((all, nonce) => all + nonce, 0n) % n;
  if (!sum.equals(scalar === 0n ? Point.ZERO : Point.BASE.multiply(scalar))) throw new Error('A wrong multiple.');
}

const ZERO = new Uint8Array([0]);
const ONE = new Uint8Array([1]);

/** The first nonce of RFC 6979 that is a scalar of the curve. */
function nonceOf({ digest, privateKey }: SignRequest): bigint {
  const seed = concatBytes(privateKey, numberToBytesBE(bytesToNumberBE(digest) % n));
  let key: Uint8Array = new Uint8Array(32);
  let value: Uint8Array = new Uint8Array(32).fill(1);
  const mix = (...data: Uint8Array[]) => {
    key = hmac(sha256, key, concatBytes(value, ...data));
    value = hmac(sha256, key, value);
  };
  mix(ZERO, seed);
  mix(ONE, seed);
  for (;;) {
    value = hmac(sha256, key, value);
    const nonce = bytesToNumberBE(value);
    if (nonce > 0n && nonce < n) {
      for (const secret of [seed, key, value]) secret.fill(0);
      return nonce;
    }
    mix(ZERO);
  }
}
