/**
 * SHA-256 (FIPS 180-4) for up to 55 bytes, used in checksums of addresses. The build replaces @noble/hashes, which is 3
 * kB larger, with this file. A test compares the two implementations. Not suitable for secrets.
 */

/** Returns the first 32 bits of the fractional part of `x`. */
function fraction(x: number): number {
  return ((x % 1) * 0x1_0000_0000) | 0;
}

/** Constants of sections 4.2.2 and 5.3.3, from the cube and square roots of the first primes. */
const K: number[] = [];
const H: number[] = [];
for (let n = 2; K.length < 64; n += 1) {
  let divisor = 2;
  while (n % divisor) divisor += 1;
  if (divisor === n) {
    K.push(fraction(Math.cbrt(n)));
    H.push(fraction(Math.sqrt(n)));
  }
}
H.length = 8;

/** Rotates `word` to the right by each of these numbers of bits, and returns the exclusive or of the results. */
function rotations(word: number, ...by: number[]): number {
  return by.reduce((mixed, n) => mixed ^ (word >>> n) ^ (word << (32 - n)), 0);
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const hash = new Uint8Array(64);
  const view = new DataView(hash.buffer);
  hash.set(bytes);
  hash[bytes.length] = 0x80;
  view.setUint32(60, bytes.length * 8);

  const w: number[] = [];
  let state = H;
  for (let t = 0; t < 64; t += 1) {
    const [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    const far = w[t - 15]!;
    const near = w[t - 2]!;
    w[t] =
      t < 16
        ? view.getInt32(t * 4)
        : (w[t - 16]! + (rotations(far, 7, 18) ^ (far >>> 3)) + w[t - 7]! + (rotations(near, 17, 19) ^ (near >>> 10))) |
          0;
    const t1 = h + rotations(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + K[t]! + w[t]!;
    const t2 = rotations(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    state = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
  }
  state.forEach((word, i) => view.setInt32(i * 4, word + H[i]!));
  return hash.subarray(0, 32);
}
