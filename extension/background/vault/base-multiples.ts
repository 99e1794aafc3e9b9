/**
 * Many multiples of secp256k1's base point in one batch. Points are added in affine form, which takes one inversion for
 * each addition. The inversions of all multiples are combined (Montgomery's trick), so that an addition costs six
 * multiplications instead of twelve.
 *
 * The running time depends slightly on all scalars together: zero digits are skipped. Use it with secret scalars only
 * if there are many.
 */
import { etc, Point } from '@noble/secp256k1';

/** A point of the curve other than infinity. */
export interface AffinePoint {
  x: bigint;
  y: bigint;
}

const { p, n } = Point.CURVE();

/** 2^256 modulo `p`. */
const FOLD = (1n << 256n) - p;

/** A product of two numbers below `p`, modulo `p`. */
function reduced(product: bigint): bigint {
  const once = BigInt.asUintN(256, product) + (product >> 256n) * FOLD;
  const twice = BigInt.asUintN(256, once) + (once >> 256n) * FOLD;
  return twice >= p ? twice - p : twice;
}

const times = (a: bigint, b: bigint) => reduced(a * b);
const minus = (a: bigint, b: bigint) => (a >= b ? a - b : a - b + p);

/**
 * The inverses of some numbers by one inversion.
 * @throws if one of them is zero
 */
export function inverses(numbers: readonly bigint[], modulus: bigint): bigint[] {
  const product = modulus === p ? times : (a: bigint, b: bigint) => (a * b) % modulus;
  let all = 1n;
  const before = numbers.map((number) => {
    const product_ = all;
    all = product(all, number);
    return product_;
  });
  let rest = etc.invert(all, modulus);
  const found: bigint[] = [];
  for (let i = numbers.length - 1; i >= 0; i -= 1) {
    found[i] = product(rest, before[i] as bigint);
    rest = product(rest, numbers[i] as bigint);
  }
  return found;
}

/** The sums of pairs of points that differ in `x`. */
function sums(pairs: readonly (readonly [AffinePoint, AffinePoint])[]): AffinePoint[] {
  const inverted = inverses(
    pairs.map(([a, b]) => minus(b.x, a.x)),
    p,
  );
  return pairs.map(([a, b], i) => {
    const slope = times(minus(b.y, a.y), inverted[i] as bigint);
    const x = minus(minus(times(slope, slope), a.x), b.x);
    return { x, y: minus(times(slope, minus(a.x, x)), a.y) };
  });
}

/** A scalar's digits are -127 to 128, of the base 256; the last one is a carry. */
const DIGITS = 33;
const LARGEST = 128;

let tables: readonly AffinePoint[][] | null = null;

/** For each digit of a scalar the multiples that it stands for, 1 to 128 times 256^digit. */
function multiplesOfDigits(): readonly AffinePoint[][] {
  if (tables) return tables;
  const ones: Point[] = [Point.BASE];
  while (ones.length < DIGITS) {
    let next = ones.at(-1) as Point;
    for (let bit = 0; bit < 8; bit += 1) next = next.double();
    ones.push(next);
  }
  const made = ones.map((one) => [one.toAffine(), one.double().toAffine()]);
  while ((made[0] as AffinePoint[]).length < LARGEST) {
    const next = sums(made.map((row) => [row.at(-1) as AffinePoint, row[0] as AffinePoint]));
    for (const [i, row] of made.entries()) row.push(next[i] as AffinePoint);
  }
  return (tables = made);
}

function digitsOf(scalar: bigint): Int16Array {
  const digits = new Int16Array(DIGITS);
  const bytes = etc.numberToBytesBE(scalar);
  digits.set(bytes.reverse());
  bytes.fill(0);
  for (let place = 0; place < DIGITS - 1; place += 1)
    if ((digits[place] as number) > LARGEST) {
      (digits[place] as number) -= 256;
      (digits[place + 1] as number) += 1;
    }
  return digits;
}

/**
 * The base point times each scalar.
 * @param scalars from 1 to the order of the curve, that one excluded
 * @throws RangeError for other scalars
 */
export function baseMultiples(scalars: readonly bigint[]): AffinePoint[] {
  if (scalars.some((scalar) => scalar <= 0n || scalar >= n)) throw new RangeError('no scalar of the curve');
  const table = multiplesOfDigits();
  const digits = scalars.map(digitsOf);
  const found: (AffinePoint | undefined)[] = scalars.map(() => undefined);
  for (const [place, row] of table.entries()) {
    const adding: number[] = [];
    const pairs: [AffinePoint, AffinePoint][] = [];
    for (let i = 0; i < scalars.length; i += 1) {
      const digit = (digits[i] as Int16Array)[place] as number;
      if (digit === 0) continue;
      const { x, y } = row[Math.abs(digit) - 1] as AffinePoint;
      const term = { x, y: digit < 0 ? p - y : y };
      const sum = found[i];
      // As integers the sum is smaller than the term, and sum ± term isn't a multiple of the curve's order (at the last
      // digit sum + term is the scalar itself). So the points are never equal or opposite.
      if (sum) pairs.push([sum, term]);
      if (sum) adding.push(i);
      else found[i] = term;
    }
    for (const [j, sum] of sums(pairs).entries()) found[adding[j] as number] = sum;
  }
  for (const secret of digits) secret.fill(0);
  return found as AffinePoint[];
}
