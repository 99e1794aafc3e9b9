import bsv from 'bsv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressFault, addressScript, NETWORKS, p2pkhHash, p2pkhScript, readAddress, writeAddress } from './address.ts';
import { toHex } from './bytes.ts';

const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
const network = fc.constantFrom(...NETWORKS);
const invalid = expect.objectContaining({ code: 'invalid-recipient' }) as Error;

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

describe('an address', () => {
  test('an address matches the one from bsv 1.5.6, and is parsed to the same key hash', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          hash,
          fc.nat(19).map((n) => Uint8Array.from({ length: 20 }, (_, i) => (i < n ? 0 : 1))),
        ),
        network,
        (h, on) => {
          const address = writeAddress(h, on);
          const theirs = bsv.Address.fromPublicKeyHash(Buffer.from(h), on === 'mainnet' ? 'livenet' : 'testnet');
          expect(address).toBe(theirs.toString());
          expect(readAddress(address)).toEqual({ hash: h, mainnet: on === 'mainnet' });
          expect(toHex(addressScript(address, on))).toBe(bsv.Script.buildPublicKeyHashOut(theirs).toHex());
          expect(address).toMatch(on === 'mainnet' ? /^1/ : /^[mn]/);
        },
      ),
    );
  });

  test('an address with any one character changed, omitted, doubled or swapped is invalid', () => {
    const letter = fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0OIl .é');
    fc.assert(
      fc.property(hash, network, fc.nat(), letter, (h, on, place, other) => {
        const address = writeAddress(h, on);
        const at = place % address.length;
        const [before, here, after] = [address.slice(0, at), address[at] as string, address.slice(at + 1)];
        if (here !== other) expect(readAddress(before + other + after)).toBeNull();
        expect(readAddress(before + after)).toBeNull();
        expect(readAddress(before + here + here + after)).toBeNull();
        if (after !== '' && after[0] !== here)
          expect(readAddress(before + after[0] + here + after.slice(1))).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  test('an address has one spelling: other characters or larger numbers are never parsed as its bytes', () => {
    fc.assert(
      fc.property(hash, network, fc.integer({ min: 1, max: 57 }), (h, on, times) => {
        const address = writeAddress(h, on);
        // The invalid `0` would be read as -1 if it weren't rejected. The letter before it is incremented to
        // compensate.
        const borrowed = address.replace(/([^z])z/, (_, one: string) => `${ALPHABET[ALPHABET.indexOf(one) + 1]}0`);
        if (borrowed !== address) expect(readAddress(borrowed), borrowed).toBeNull();
        // Encodes the same 25 bytes with an extra byte before them.
        let number = [...address].reduce((n, letter) => n * 58n + BigInt(ALPHABET.indexOf(letter)), 0n);
        number += BigInt(times) << 200n;
        let longer = '';
        for (; number > 0n; number /= 58n) longer = ALPHABET[Number(number % 58n)] + longer;
        for (const text of [longer, (/^1*/.exec(address)?.[0] ?? '') + longer])
          expect(readAddress(text), text).toBeNull();
      }),
      // The example's address contains the letter z, unlike some random addresses.
      { numRuns: 200, examples: [[new Uint8Array(20).fill(9), 'devnet', 1]] },
    );
  });

  test.each([
    '',
    '1',
    '1BoatSLRHtKNngkdXEeobR76b53LETtpy',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    ' 1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
    '1BoatSLRHtKNngkdXEeobR76b53LETtpyT ',
    '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ',
    '1'.repeat(34),
    'z'.repeat(34),
    '1'.repeat(1000),
    'constructor',
    '1111111111111111111114oLvT2x',
  ])('%j is not an address', (text) => {
    expect(readAddress(text)).toBeNull();
    expect(() => addressScript(text, 'mainnet')).toThrow(invalid);
  });

  test('an address of the other network type is rejected', () => {
    fc.assert(
      fc.property(hash, (h) => {
        for (const test of ['testnet', 'devnet'] as const) {
          expect(() => addressScript(writeAddress(h, 'mainnet'), test)).toThrow(invalid);
          expect(() => addressScript(writeAddress(h, test), 'mainnet')).toThrow(invalid);
          expect(() => addressScript(writeAddress(h, test), 'mainnet')).toThrow('belongs to a different network');
        }
        expect(addressScript(writeAddress(h, 'devnet'), 'testnet')).toEqual(p2pkhScript(h));
      }),
      { numRuns: 20 },
    );
  });
});

test('a P2PKH script is recognized by all of its bytes', () => {
  fc.assert(
    fc.property(hash, fc.nat(24), fc.integer({ min: 1, max: 255 }), (h, at, change) => {
      const script = p2pkhScript(h);
      expect(p2pkhHash(script)).toEqual(h);
      const changed = Uint8Array.from(script);
      changed[at] = (changed[at] as number) ^ change;
      if (at >= 3 && at < 23) expect(p2pkhHash(changed)).not.toEqual(h);
      else expect(p2pkhHash(changed)).toBeNull();
      expect(p2pkhHash(script.subarray(1))).toBeNull();
      expect(p2pkhHash(new Uint8Array([...script, 0]))).toBeNull();
    }),
  );
});

describe('text that resembles an address', () => {
  const address = writeAddress(new Uint8Array(20).fill(9), 'devnet');

  test('a text like an address is classified: valid, from another network, of a different kind, mistyped', () => {
    expect(addressFault(address, 'devnet')).toBeNull();
    expect(addressFault(address, 'testnet')).toBeNull();
    expect(addressFault(address, 'mainnet')).toBe('network');
    // Pay-to-script-hash addresses for testnet and mainnet.
    expect(addressFault('2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'devnet')).toBe('kind');
    expect(addressFault('3P14159f73E4gFr7JterCCQh9QjiTjiZrG', 'mainnet')).toBe('kind');
    for (const text of ['alice@example.com', '75101', 'OP_TRUE OP_NOP', '', 'just some words'])
      expect(addressFault(text, 'devnet')).toBeNull();
  });

  test('only text in the address alphabet, at most one character too short or too long, resembles an address', () => {
    for (const length of [25, 36]) expect(addressFault('2'.repeat(length), 'devnet'), `${length}`).toBe('mistyped');
    for (const length of [24, 37, 200_000]) expect(addressFault('2'.repeat(length), 'devnet'), `${length}`).toBeNull();
    for (const other of '0OIl -.@é') expect(addressFault(other + address.slice(1), 'devnet'), other).toBeNull();
  });

  test('an address with one wrong, missing or doubled character is classified as mistyped', () => {
    for (let i = 0; i < address.length; i += 1) {
      const [before, letter, after] = [address.slice(0, i), address[i] as string, address.slice(i + 1)];
      const texts = [
        `${before}${letter === 'z' ? 'y' : 'z'}${after}`,
        before + after,
        before + letter + letter + after,
      ];
      expect(texts.map((text) => addressFault(text, 'devnet'))).toEqual(['mistyped', 'mistyped', 'mistyped']);
    }
  });
});
