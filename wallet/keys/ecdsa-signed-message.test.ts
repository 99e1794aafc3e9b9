import { BSM, PrivateKey, PublicKey, Signature } from '@bsv/sdk';
import bsv from 'bsv';
import Message from 'bsv/message/index.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { isSignedBy, messageDigest, signMessage } from './ecdsa.ts';
import { testPair } from '../../testkit/wallet/coins.ts';

const key = fc.nat(100_000).map(testPair);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc.constantFrom('', 'a'.repeat(252), 'a'.repeat(253), 'ü'.repeat(70_000)),
);

describe('a signed message', () => {
  test('bsv 1.5.6 verifies a signed message for the address of its key, and @bsv/sdk for the key', () => {
    fc.assert(
      fc.property(key, text, ({ privateKey, publicKey }, words) => {
        const message = new TextEncoder().encode(words);
        const signature = signMessage(message, privateKey);
        const address = new bsv.PublicKey(toHex(publicKey)).toAddress().toString();
        expect(signature).toMatch(/^[A-Za-z0-9+/]{87}=$/);
        expect(new Message(Buffer.from(message)).verify(address, signature)).toBe(true);
        expect(
          BSM.verify([...message], Signature.fromCompact(signature, 'base64'), PublicKey.fromString(toHex(publicKey))),
        ).toBe(true);
        expect(toHex(messageDigest(message))).toBe(new Message(Buffer.from(message)).magicHash().toString('hex'));
      }),
      { numRuns: 30 },
    );
  });

  test('a signed message equals that of bsv 1.5.6 byte for byte', () => {
    fc.assert(
      fc.property(key, fc.string({ maxLength: 60 }), ({ privateKey }, words) => {
        const message = new TextEncoder().encode(words);
        expect(signMessage(message, privateKey)).toBe(
          new Message(Buffer.from(message)).sign(new bsv.PrivateKey(toHex(privateKey))),
        );
      }),
      { numRuns: 20 },
    );
  });

  test('[S-03] signatures by bsv 1.5.6 and @bsv/sdk are valid, for keys compressed or not, and invalid for another key, message or form', () => {
    fc.assert(
      fc.property(key, key, text, ({ privateKey, publicKey }, other, words) => {
        fc.pre(toHex(publicKey) !== toHex(other.publicKey));
        const message = new TextEncoder().encode(words);
        const theirs = Buffer.from(
          new Message(Buffer.from(message)).sign(new bsv.PrivateKey(toHex(privateKey))) as string,
          'base64',
        );
        const uncompressed = Buffer.concat([Buffer.of((theirs[0] as number) - 4), theirs.subarray(1)]);
        for (const signature of [
          theirs.toString('base64'),
          uncompressed.toString('base64'),
          BSM.sign([...message], PrivateKey.fromHex(toHex(privateKey)), 'base64') as string,
        ]) {
          expect(isSignedBy(publicKey, message, signature)).toBe(true);
          expect(isSignedBy(other.publicKey, message, signature)).toBe(false);
          expect(isSignedBy(publicKey, new Uint8Array([...message, 0]), signature)).toBe(false);
          for (const malformed of ['', 'none', `${signature}AAAA`, signature.slice(4), `A${signature.slice(1)}`])
            expect(isSignedBy(publicKey, message, malformed)).toBe(false);
        }
      }),
      { numRuns: 8 },
    );
  });

  test('a signature verifies for no other message and no other key', () => {
    fc.assert(
      fc.property(key, key, fc.string({ maxLength: 40 }), (one, other, words) => {
        fc.pre(toHex(one.privateKey) !== toHex(other.privateKey));
        const message = new TextEncoder().encode(words);
        const signature = signMessage(message, one.privateKey);
        const address = ({ publicKey }: typeof one) => new bsv.PublicKey(toHex(publicKey)).toAddress().toString();
        expect(new Message(Buffer.from(message)).verify(address(other), signature)).toBe(false);
        expect(new Message(Buffer.from([...message, 0])).verify(address(one), signature)).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  test('a signature has a header from 27 to 34, and no other with the same remainder', () => {
    const [pair, message] = [testPair(7), new TextEncoder().encode('a text')];
    const [header = 0, ...rest] = Buffer.from(signMessage(message, pair.privateKey), 'base64');
    const read = (first: number) =>
      isSignedBy(pair.publicKey, message, Buffer.from([first, ...rest]).toString('base64'));
    const taken = Array.from({ length: 256 }, (_, first) => first).filter(read);
    expect(taken).toEqual([header - 4, header]);
  });
});
