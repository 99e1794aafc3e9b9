import { etc, Point } from '@noble/secp256k1';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHex } from '../../../protocol/bytes.ts';
import { publicKeyOf, signDigest, verifyDigest } from './ecdsa.ts';
import { signDigests } from './sign-many.ts';

const { n } = Point.CURVE();
const number = etc.numberToBytesBE;
const oneByOne = (requests: Parameters<typeof signDigests>[0]) =>
  requests.map(({ digest, privateKey }) => toHex(signDigest(digest, privateKey)));

const digests = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.constantFrom(0n, 1n, n - 1n, n, n + 1n, 2n ** 256n - 1n).map(number),
);
const privateKeys = fc.oneof(fc.bigInt(1n, n - 1n), fc.constantFrom(1n, 2n, n - 1n, n - 2n)).map(number);

test('each signature is the one that its key alone gives, and verifies', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ digest: digests, privateKey: privateKeys }), { minLength: 45, maxLength: 120 }),
      (requests) => {
        const signatures = signDigests(requests);
        expect(signatures.map(toHex)).toEqual(oneByOne(requests));
        const [{ digest, privateKey }, signature] = [requests.at(-1)!, signatures.at(-1)!];
        expect(verifyDigest(signature, digest, publicKeyOf(privateKey))).toBe(true);
      },
    ),
    { numRuns: 20 },
  );
});

const many = (length: number) =>
  Array.from({ length }, (_, i) => ({ digest: number(BigInt(i) * 7n), privateKey: number(BigInt(i + 1)) }));

test.each([0, 1, 50, 51, 52])('%d of them', (count) => {
  expect(signDigests(many(count)).map(toHex)).toEqual(oneByOne(many(count)));
});

test.each([
  ['a private key of zero', { privateKey: new Uint8Array(32) }],
  ['a private key beyond the curve', { privateKey: number(n) }],
  ['a private key of other size', { privateKey: new Uint8Array(31).fill(1) }],
])('%s is refused among many as it is alone', (_, wrong) => {
  const requests = many(60).map((request, i) => (i === 30 ? { ...request, ...wrong } : request));
  expect(() => signDigest(requests[30]!.digest, requests[30]!.privateKey)).toThrow();
  expect(() => signDigests(requests)).toThrow();
});
