import { etc, Point } from '@noble/secp256k1';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
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

test.each([0, 1, 200, 201, 202])('%d of them', (count) => {
  expect(signDigests(many(count)).map(toHex)).toEqual(oneByOne(many(count)));
});

test('each signature is the one that its key alone gives, and verifies', () => {
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
])('%s is refused among many as it is alone', (_, wrong) => {
  const requests = many(210).map((request, i) => (i === 30 ? { ...request, ...wrong } : request));
  expect(() => signDigest(requests[30]!.digest, requests[30]!.privateKey)).toThrow();
  expect(() => signDigests(requests)).toThrow();
});

test('a digest of another size is signed as it is alone', () => {
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

test('nothing is signed with nonces that are others than the library’s', async () => {
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
