import { ECIES, PrivateKey, PublicKey } from '@bsv/sdk';
import bsv from 'bsv';
import BsvEcies from 'bsv/ecies/index.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { testPair } from '../../testkit/wallet/coins.ts';
import { CIPHERTEXT_OVERHEAD, decryptWith, encryptFor, isCiphertext, mostPlaintext } from './ecies.ts';

const key = fc.nat(100_000).map(testPair);
const plaintext = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(0, 15, 16, 17).map((n) => new Uint8Array(n).fill(n)),
);

describe('[S-04] [S-05] encryption', () => {
  test('bsv 1.5.6 and @bsv/sdk decrypt what is encrypted here', async () => {
    await fc.assert(
      fc.asyncProperty(key, plaintext, async ({ privateKey, publicKey }, data) => {
        const bytes = await encryptFor(publicKey, Uint8Array.from(data));
        const theirs = new BsvEcies().privateKey(new bsv.PrivateKey(toHex(privateKey))).decrypt(Buffer.from(bytes));
        expect(toHex(theirs)).toBe(toHex(data));
        expect(toHex(Uint8Array.from(ECIES.electrumDecrypt([...bytes], PrivateKey.fromHex(toHex(privateKey)))))).toBe(
          toHex(data),
        );
        expect(isCiphertext(bytes)).toBe(true);
        expect(bytes.length).toBeLessThanOrEqual(data.length + CIPHERTEXT_OVERHEAD);
        expect(mostPlaintext(bytes)).toBeGreaterThanOrEqual(data.length);
      }),
      { numRuns: 20 },
    );
  });

  test('text encrypted by bsv 1.5.6 and @bsv/sdk is decrypted here', async () => {
    await fc.assert(
      fc.asyncProperty(key, plaintext, async ({ privateKey, publicKey }, data) => {
        const bsvs = new BsvEcies()
          .publicKey(new bsv.PublicKey(toHex(publicKey)))
          .encrypt(Buffer.from(data)) as Uint8Array;
        const sdks = ECIES.electrumEncrypt([...data], PublicKey.fromString(toHex(publicKey)));
        for (const bytes of [bsvs, sdks])
          expect(toHex(await decryptWith(privateKey, Uint8Array.from(bytes)))).toBe(toHex(data));
      }),
      { numRuns: 20 },
    );
  });

  test('each ciphertext differs, and no other key decrypts it', async () => {
    const [mine, other] = [testPair(1), testPair(2)];
    const [one, two] = [
      await encryptFor(mine.publicKey, new Uint8Array(40)),
      await encryptFor(mine.publicKey, new Uint8Array(40)),
    ];
    expect(toHex(one)).not.toBe(toHex(two));
    expect(await codeOf(decryptWith(other.privateKey, one))).toBe('operation-failed');
  });

  test('ciphertext with a byte altered, removed or added isn’t decrypted', async () => {
    const { privateKey, publicKey } = testPair(3);
    const bytes = await encryptFor(publicKey, new TextEncoder().encode('meet me at the footbridge at noon'));
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const altered = Uint8Array.from(bytes);
        altered[at] = (altered[at] as number) ^ change;
        expect(await codeOf(decryptWith(privateKey, altered))).toBe('operation-failed');
      }),
      { numRuns: 60 },
    );
    for (const other of [
      new Uint8Array(),
      bytes.slice(0, -1),
      bytes.slice(0, 69),
      Uint8Array.from([...bytes, 0]),
      Uint8Array.from([...bytes, ...new Uint8Array(16)]),
    ]) {
      expect(await codeOf(decryptWith(privateKey, other))).toBe('operation-failed');
    }
  });

  test('[R-13] decrypting 99,000 bytes returns them', async () => {
    const { privateKey, publicKey } = testPair(4);
    const data = Uint8Array.from({ length: 99_000 }, (_, i) => i % 251);
    expect(toHex(await decryptWith(privateKey, await encryptFor(publicKey, data)))).toBe(toHex(data));
  });
});
