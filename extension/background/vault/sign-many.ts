/**
 * Signatures by many keys at once, a third of the time that they take one by one: a payment may have thousands of inputs. The same
 * bytes as {@link signDigest}'s (RFC 6979, section 3.2; low S).
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { etc, Point, utils } from '@noble/secp256k1';
import { concatBytes, toHex } from '../../../protocol/bytes.ts';
import { baseMultiples, inverses, isOnCurve } from './base-multiples.ts';
import { signDigest } from './ecdsa.ts';

/** What is to be signed (32 bytes), and by which private key. */
export interface SignRequest {
  digest: Uint8Array;
  privateKey: Uint8Array;
}

/** Up to so many are signed one by one: the tables for more take as long. */
const FEW = 50;

const { n } = Point.CURVE();
const { bytesToNumberBE, numberToBytesBE } = etc;

/**
 * The 64 bytes r, s of each signature.
 * @throws Error as {@link signDigest} does, and where the first of many is not what {@link signDigest} gives, or a nonce's point not on the curve: then none is given out
 */
export function signDigests(requests: readonly SignRequest[]): Uint8Array[] {
  if (requests.length <= FEW || !requests.every(({ privateKey }) => utils.isValidSecretKey(privateKey)))
    return requests.map(({ digest, privateKey }) => signDigest(digest, privateKey));
  const nonces = requests.map(nonceOf);
  const points = baseMultiples(nonces);
  const inverted = inverses(nonces, n);
  const signatures = requests.map(({ digest, privateKey }, i) => {
    const { x, y } = points[i] as { x: bigint; y: bigint };
    if (!isOnCurve({ x, y })) throw new Error('A nonce’s point is not on the curve.');
    const r = x % n;
    const s = ((inverted[i] as bigint) * (bytesToNumberBE(digest) + r * bytesToNumberBE(privateKey))) % n;
    // One in 2^256: then the next nonce is taken.
    if (r === 0n || s === 0n) return signDigest(digest, privateKey);
    return concatBytes(numberToBytesBE(r), numberToBytesBE(s > n / 2n ? n - s : s));
  });
  const [{ digest, privateKey }] = requests as [SignRequest];
  if (toHex(signatures[0] as Uint8Array) !== toHex(signDigest(digest, privateKey)))
    throw new Error('Signatures of many are not those of one.');
  return signatures;
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
    if (nonce > 0n && nonce < n) return nonce;
    mix(ZERO);
  }
}
