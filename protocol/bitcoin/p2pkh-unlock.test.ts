import { BigNumber, Signature } from '@bsv/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes, fromHex, toHex } from './bytes.ts';
import { compactOf, readP2pkhUnlock } from './p2pkh-unlock.ts';

const bytes = (length: number, value = 7) => new Uint8Array(length).fill(value);
const push = (data: Uint8Array) => concatBytes(new Uint8Array([data.length]), data);
const unlock = (signed: Uint8Array, key: Uint8Array) => concatBytes(push(signed), push(key));

describe('the unlocking script of a P2PKH output', () => {
  test.each([
    [8, 33],
    [71, 33],
    [72, 33],
    [70, 65],
  ])(
    'an unlocking script is a push of a signature of %i bytes with its type, and a push of a key of %i bytes',
    (length, ofKey) => {
      const [signature, publicKey] = [bytes(length, 1), bytes(ofKey, 2)];
      expect(readP2pkhUnlock(unlock(concatBytes(signature, new Uint8Array([0x41])), publicKey))).toEqual({
        signature,
        sighashType: 0x41,
        publicKey,
      });
    },
  );

  test.each([
    ['nothing', new Uint8Array()],
    ['a signature alone', push(bytes(72))],
    ['a signature that is too short', unlock(bytes(8), bytes(33))],
    ['a signature that is too long', unlock(bytes(74), bytes(33))],
    ['no signature', unlock(bytes(0), bytes(33))],
    ['a key that is too short', unlock(bytes(72), bytes(32))],
    ['a key of no known length', unlock(bytes(72), bytes(64))],
    ['something behind it', concatBytes(unlock(bytes(72), bytes(33)), bytes(1))],
    ['something before it', concatBytes(bytes(1, 0), unlock(bytes(72), bytes(33)))],
    ['a key that is cut off', unlock(bytes(72), bytes(33)).subarray(0, -1)],
    ['a length that is not the key’s', concatBytes(push(bytes(72)), new Uint8Array([65]), bytes(33))],
  ])('%s is not an unlocking script', (_what, script) => {
    expect(readP2pkhUnlock(script)).toBeNull();
  });
});

describe('an unlocking script in a version above 1 (Chronicle)', () => {
  const [signed, publicKey] = [bytes(72, 3), bytes(33, 2)];
  const withLength = (opcode: number, length: number[], data: Uint8Array) =>
    concatBytes(new Uint8Array([opcode, ...length]), data);
  const forms: [string, Uint8Array][] = [
    ['pushes in longer forms', concatBytes(withLength(0x4c, [72], signed), withLength(0x4d, [33, 0], publicKey))],
    ['the longest form', concatBytes(withLength(0x4e, [72, 0, 0, 0], signed), push(publicKey))],
    ['more items below', concatBytes(new Uint8Array([0, 0x4f, 0x60]), push(bytes(3)), unlock(signed, publicKey))],
  ];

  test.each(forms)('an unlocking script is accepted with %s', (_name, script) => {
    expect(readP2pkhUnlock(script, 2)).toEqual({
      signature: signed.subarray(0, -1),
      sighashType: 3,
      publicKey,
    });
    expect(readP2pkhUnlock(script, 1)).toBeNull();
    // Nodes read the version as a signed integer, so this version is -1.
    expect(readP2pkhUnlock(script, 0xffff_ffff)).toBeNull();
  });

  test.each([
    ['an operation', concatBytes(unlock(signed, publicKey), new Uint8Array([0x61]))],
    ['a push beyond the end', concatBytes(push(signed), new Uint8Array([0x4e, 34, 0, 0, 0]), publicKey)],
    ['a length beyond the end', concatBytes(push(signed), new Uint8Array([0x4e, 33]))],
    ['a signature alone', push(signed)],
  ])('an unlocking script is rejected with %s', (_name, script) => {
    expect(readP2pkhUnlock(script, 2)).toBeNull();
  });
});

describe('a DER signature', () => {
  // Excludes r or s of 0, which @bsv/sdk encodes as an empty integer.
  const number = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 32 }).filter((digits) => digits.some((digit) => digit !== 0)),
    fc.constantFrom(bytes(32, 0xff), bytes(32, 0x7f), bytes(32, 0x80), bytes(1, 1)),
  );

  test('r and s equal those that @bsv/sdk wrote', () => {
    fc.assert(
      fc.property(number, number, (r, s) => {
        const [rHex, sHex] = [toHex(r), toHex(s)];
        const der = new Signature(new BigNumber(rHex, 16), new BigNumber(sHex, 16)).toDER() as number[];
        expect(toHex(compactOf(Uint8Array.from(der)) ?? bytes(0))).toBe(
          rHex.padStart(64, '0') + sHex.padStart(64, '0'),
        );
      }),
    );
  });

  /** Translates BIP 66's `IsValidSignatureEncoding` line by line, without the sighash byte. */
  function isValidBip66(sig: Uint8Array): boolean {
    const at = (i: number) => sig[i] ?? Number.NaN;
    if (sig.length < 8 || sig.length > 72) return false;
    if (at(0) !== 0x30 || at(1) !== sig.length - 2) return false;
    const lenR = at(3);
    if (5 + lenR >= sig.length) return false;
    const lenS = at(5 + lenR);
    if (lenR + lenS + 6 !== sig.length) return false;
    if (at(2) !== 0x02 || lenR === 0 || at(4) >= 0x80) return false;
    if (lenR > 1 && at(4) === 0x00 && at(5) < 0x80) return false;
    if (at(lenR + 4) !== 0x02 || lenS === 0 || at(lenR + 6) >= 0x80) return false;
    return !(lenS > 1 && at(lenR + 6) === 0x00 && at(lenR + 7) < 0x80);
  }

  test('a DER signature is parsed if and only if BIP 66 accepts its encoding, after any change', () => {
    const signature = fc
      .tuple(number, number)
      .map(([r, s]) =>
        Uint8Array.from(new Signature(new BigNumber(toHex(r), 16), new BigNumber(toHex(s), 16)).toDER() as number[]),
      );
    const byte = fc.integer({ min: 0, max: 255 });
    const place = fc.nat(72);
    /** Changes like those in Wycheproof's test vectors: lengths, tags, padding, signs, added and removed bytes. */
    const change = fc.oneof(
      fc.tuple(place, byte).map(
        ([at, value]) =>
          (der: Uint8Array) =>
            der.map((b, i) => (i === at ? value : b)),
      ),
      fc.tuple(place, byte).map(([at, value]) => (der: Uint8Array) => {
        return concatBytes(der.subarray(0, at), new Uint8Array([value]), der.subarray(at));
      }),
      place.map((at) => (der: Uint8Array) => concatBytes(der.subarray(0, at), der.subarray(at + 1))),
      // Inserts a byte into r or s and adjusts the lengths.
      fc.tuple(fc.boolean(), fc.constantFrom(0, 0x7f, 0x80, 0xff)).map(([isR, value]) => (der: Uint8Array) => {
        const lengthAt = isR ? 3 : 5 + (der[3] ?? 0);
        const longer = concatBytes(der.subarray(0, lengthAt + 1), new Uint8Array([value]), der.subarray(lengthAt + 1));
        return longer.map((b, i) => (i === 1 || i === lengthAt ? b + 1 : b));
      }),
      // Removes a byte from r or s and adjusts the lengths.
      fc.boolean().map((isR) => (der: Uint8Array) => {
        const lengthAt = isR ? 3 : 5 + (der[3] ?? 0);
        const shorter = concatBytes(der.subarray(0, lengthAt + 1), der.subarray(lengthAt + 2));
        return shorter.map((b, i) => (i === 1 || i === lengthAt ? b - 1 : b));
      }),
      // Encodes a length in long form.
      fc.constantFrom([0x81], [0x82, 0]).map((form) => (der: Uint8Array) => {
        return concatBytes(der.subarray(0, 1), new Uint8Array(form), der.subarray(1));
      }),
    );
    const changes = fc.array(change, { maxLength: 2 });
    let [valid, invalid] = [0, 0];
    fc.assert(
      fc.property(signature, changes, (whole, some) => {
        const changed = some.reduce((der, make) => make(der), whole);
        const isAccepted = isValidBip66(changed);
        if (isAccepted) valid += 1;
        else invalid += 1;
        const compact = compactOf(changed);
        if (!isAccepted) expect(compact).toBeNull();
        // BIP 66 doesn't limit the size of r and s. A signature with an r or s above 2^256 never verifies.
        const tooLong = (changed[3] ?? 0) > 33 || (changed[5 + (changed[3] ?? 0)] ?? 0) > 33;
        const tooLarge = (length: number, first: number) => length === 33 && first !== 0;
        const [r, s] = [changed[3] ?? 0, changed[5 + (changed[3] ?? 0)] ?? 0];
        const isLarge = tooLong || tooLarge(r, changed[4] ?? 0) || tooLarge(s, changed[6 + r] ?? 0);
        if (isAccepted) expect(compact === null).toBe(isLarge);
      }),
      { numRuns: 5000 },
    );
    expect(Math.min(valid, invalid)).toBeGreaterThan(500);
  });

  test.each([
    [
      'r with the zero that its first bit needs',
      '30450221009c85e51f5e83b3e983bf0cbe1a866fdc745009fd4aab29fb0fe3013f67bb1515022049ee5c21ebf16b5d4339f72a89b06ed9fa524a8fe2b8a72dbea13e916bd0d705',
      true,
    ],
    [
      'a negative r',
      '304402209c85e51f5e83b3e983bf0cbe1a866fdc745009fd4aab29fb0fe3013f67bb1515022049ee5c21ebf16b5d4339f72a89b06ed9fa524a8fe2b8a72dbea13e916bd0d705',
      false,
    ],
    [
      'an s with a zero that it does not need',
      '30460221009c85e51f5e83b3e983bf0cbe1a866fdc745009fd4aab29fb0fe3013f67bb151502210049ee5c21ebf16b5d4339f72a89b06ed9fa524a8fe2b8a72dbea13e916bd0d705',
      false,
    ],
  ])('a DER signature is validated as by nodes: %s', (_name, hex, isAccepted) => {
    expect(compactOf(fromHex(hex)) !== null).toBe(isAccepted);
  });

  /** Encodes r and s as DER without checking their lengths. */
  const der = (r: Uint8Array, s: Uint8Array) =>
    concatBytes(
      new Uint8Array([0x30, 4 + r.length + s.length, 0x02, r.length]),
      r,
      new Uint8Array([0x02, s.length]),
      s,
    );
  const good = der(bytes(32, 1), bytes(32, 2));

  test('r and s of a DER signature may have 33 bytes if the first byte is 0', () => {
    const long = concatBytes(bytes(1, 0), bytes(32, 0xf0));
    expect(toHex(compactOf(der(long, long)) ?? bytes(0))).toBe('f0'.repeat(64));
  });

  test.each([
    ['nothing', bytes(0)],
    ['cut off', good.subarray(0, -1)],
    ['with a byte behind it', concatBytes(good, bytes(1))],
    ['without r', der(bytes(0), bytes(32))],
    ['without s', der(bytes(32), bytes(0))],
    ['whose r is too long', der(bytes(34, 0), bytes(32))],
    ['whose s is too long', der(bytes(32), bytes(34, 0))],
    ['with an r beyond 2^256', der(bytes(33, 1), bytes(32))],
    ['with an s beyond 2^256', der(bytes(32), bytes(33, 1))],
    ...[0, 1, 2, 3, 36, 37].map((at): [string, Uint8Array] => [
      `with a different byte at ${at}`,
      good.map((byte, i) => (i === at ? byte + 1 : byte)),
    ]),
  ])('a DER signature is rejected: %s', (_what, bad) => {
    expect(compactOf(bad)).toBeNull();
  });
});
