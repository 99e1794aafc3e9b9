import { etc, Point } from '@noble/secp256k1';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { toHex } from '../../../protocol/bytes.ts';
import type * as baseMultiples from './base-multiples.ts';
import { publicKeyOf, signDigest, verifyDigest } from './ecdsa.ts';
import { signDigests } from './sign-many.ts';

type Multiples = typeof baseMultiples;

const { n } = Point.CURVE();
const number = etc.numberToBytesBE;
const oneByOne = (requests: Parameters<typeof signDigests>[0]) =>
  requests.map(({ digest, privateKey }) => toHex(signDigest(digest, privateKey)));

const digests = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.constantFrom(0n, 1n, n - 1n, n, n + 1n, 2n ** 256n - 1n).map(number),
);
const privateKeys = fc.oneof(fc.bigInt(1n, n - 1n), fc.constantFrom(1n, 2n, n - 1n, n - 2n)).map(number);

const many = (length: number) =>
  Array.from({ length }, (_, i) => ({ digest: number(BigInt(i) * 7n), privateKey: number(BigInt(i + 1)) }));

test.each([0, 1, 200, 201, 202])('a batch of %d', (count) => {
  expect(signDigests(many(count)).map(toHex)).toEqual(oneByOne(many(count)));
});

test('each signature equals the one made singly with its key, and verifies', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ digest: digests, privateKey: privateKeys }), { minLength: 195, maxLength: 240 }),
      (requests) => {
        const signatures = signDigests(requests);
        expect(signatures.map(toHex)).toEqual(oneByOne(requests));
        const [{ digest, privateKey }, signature] = [requests.at(-1)!, signatures.at(-1)!];
        expect(verifyDigest(signature, digest, publicKeyOf(privateKey))).toBe(true);
      },
    ),
    { numRuns: 6 },
  );
});

test.each([
  ['a private key of zero', { privateKey: new Uint8Array(32) }],
  ['a private key beyond the curve', { privateKey: number(n) }],
  ['a private key of another size', { privateKey: new Uint8Array(31).fill(1) }],
])('%s is refused in a batch as it is singly', (_, wrong) => {
  const requests = many(210).map((request, i) => (i === 30 ? { ...request, ...wrong } : request));
  expect(() => signDigest(requests[30]!.digest, requests[30]!.privateKey)).toThrow();
  expect(() => signDigests(requests)).toThrow();
});

test('a digest of another size is signed as it is singly', () => {
  const requests = many(210).map((request, i) =>
    i === 30 ? { ...request, digest: new Uint8Array(33).fill(7) } : request,
  );
  expect(signDigests(requests).map(toHex)).toEqual(oneByOne(requests));
});

test.each<[string, (made: Multiples) => Partial<typeof made>]>([
  [
    'another nonce’s point',
    (made) => ({ baseMultiples: (scalars) => made.baseMultiples(scalars.map((k, i) => (i === 30 ? k + 1n : k))) }),
  ],
  [
    'a wrong inverse',
    (made) => ({
      inverses: (numbers, modulus) => made.inverses(numbers, modulus).map((k, i) => (i === 30 ? k + 1n : k)),
    }),
  ],
])('nothing is signed with %s', async (_, broken) => {
  const made = await vi.importActual<Multiples>('./base-multiples.ts');
  vi.resetModules();
  vi.doMock('./base-multiples.ts', () => ({ ...made, ...broken(made) }));
  const { signDigests: signBroken } = await import('./sign-many.ts');
  vi.doUnmock('./base-multiples.ts');
  expect(() => signBroken(many(210))).toThrow(/wrong/);
});

test('nothing is signed with nonces that differ from the library’s', async () => {
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const { hmac } = await import('@noble/hashes/hmac.js');
  vi.resetModules();
  vi.doMock('@noble/hashes/hmac.js', () => ({
    hmac: (_: unknown, ...rest: [Uint8Array, Uint8Array]) => sha256(hmac(sha256, ...rest)),
  }));
  vi.doMock('./ecdsa.ts', () => ({ signDigest }));
  const { signDigests: signBroken } = await import('./sign-many.ts');
  vi.doUnmock('@noble/hashes/hmac.js');
  vi.doUnmock('./ecdsa.ts');
  expect(() => signBroken(many(210))).toThrow('Signatures of many');
});

describe('a rare case, once in 2^127 signatures or less often:', () => {
  const requests = many(210);
  const NONCE = 12_345n;
  const r = Point.BASE.multiply(NONCE).toAffine().x % n;
  const at = (i: number, digest: bigint) =>
    requests.map((request, j) => (i === j ? { ...request, digest: number(digest) } : request));
  /** The digest that the request at 30 would need for this s. */
  const digestFor = (s: bigint) => etc.mod(s * NONCE - r * etc.bytesToNumberBE(requests[30]!.privateKey), n);
  const ALONE = new Uint8Array(64).fill(9);

  /** By ECDSA's formula, with a nonce. */
  function signed({ digest, privateKey }: (typeof requests)[0], nonce: bigint): string {
    const x = Point.BASE.multiply(nonce).toAffine().x % n;
    const s = etc.mod(etc.invert(nonce, n) * (etc.bytesToNumberBE(digest) + x * etc.bytesToNumberBE(privateKey)), n);
    return toHex(number(x)) + toHex(number(s > n / 2n ? n - s : s));
  }

  /** Signs with an HMAC that gives each request these candidates for its nonce, one after the other. */
  async function signWith(asked: typeof requests, candidates: readonly (readonly bigint[])[]) {
    const outputs = candidates.flatMap(([first = 0n, ...more]) =>
      [1n, 1n, 1n, 1n, first, ...more.flatMap((next) => [1n, 1n, next])].map(number),
    );
    const left = [...outputs];
    vi.resetModules();
    vi.doMock('@noble/hashes/hmac.js', () => ({ hmac: () => left.shift() }));
    const first = Uint8Array.from(Buffer.from(signed(asked[0]!, candidates[0]!.at(-1)!), 'hex'));
    vi.doMock('./ecdsa.ts', () => ({
      signDigest: (digest: Uint8Array) => (toHex(digest) === toHex(asked[0]!.digest) ? first : ALONE),
    }));
    const { signDigests: sign } = await import('./sign-many.ts');
    vi.doUnmock('@noble/hashes/hmac.js');
    vi.doUnmock('./ecdsa.ts');
    return { signatures: sign(asked).map(toHex), left: left.length, outputs };
  }
  const usual = requests.map(() => [NONCE]);

  test.each([0n, n, n + 1n, 2n ** 256n - 1n])(
    'a nonce of %s: the next one is taken (RFC 6979, 3.2 h)',
    async (none) => {
      const candidates = usual.map((one, i) => (i === 30 ? [none, none, 777n] : one));
      const { signatures, left } = await signWith(requests, candidates);
      expect(signatures).toEqual(requests.map((request, i) => signed(request, i === 30 ? 777n : NONCE)));
      expect(left).toBe(0);
    },
  );

  test('a signature whose s would be zero is made singly', async () => {
    const { signatures } = await signWith(at(30, digestFor(0n)), usual);
    expect(signatures[30]).toBe(toHex(ALONE));
    expect(signatures.filter((signature) => signature === toHex(ALONE))).toHaveLength(1);
  });

  test.each([
    ['the largest low one', n / 2n, n / 2n],
    ['the smallest high one', n / 2n + 1n, n / 2n],
    ['the largest', n - 1n, 1n],
  ])('a signature whose s is %s', async (_, s, low) => {
    const { signatures } = await signWith(at(30, digestFor(s)), usual);
    expect(signatures[30]).toBe(toHex(number(r)) + toHex(number(low)));
  });

  test('nonces whose sum is the order of the curve', async () => {
    const last = etc.mod(-209n * NONCE, n);
    const candidates = usual.map((one, i) => (i === 209 ? [last] : one));
    const { signatures } = await signWith(requests, candidates);
    expect(signatures).toEqual(requests.map((request, i) => signed(request, i === 209 ? last : NONCE)));
  });

  test('leaves no nonce in memory, nor values that reveal it', async () => {
    const { outputs } = await signWith(requests, usual);
    // The last key and the last value of each request.
    const isWiped = outputs.map((output) => output.every((byte) => byte === 0));
    expect(isWiped).toEqual(requests.flatMap(() => [false, false, true, false, true]));
  });
});
