import { BigNumber, Signature } from '@bsv/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes, toHex } from './bytes.ts';
import { compactOf, readP2pkhUnlock } from './p2pkh-unlock.ts';

const bytes = (length: number, value = 7) => new Uint8Array(length).fill(value);
const push = (data: Uint8Array) => concatBytes(new Uint8Array([data.length]), data);
const unlock = (signed: Uint8Array, key: Uint8Array) => concatBytes(push(signed), push(key));

describe('what unlocks a P2PKH output', () => {
  test.each([
    [8, 33],
    [71, 33],
    [72, 33],
    [70, 65],
  ])('is a push of a signature of %i bytes with its type, and a push of a key of %i', (length, ofKey) => {
    const [signature, publicKey] = [bytes(length, 1), bytes(ofKey, 2)];
    expect(readP2pkhUnlock(unlock(concatBytes(signature, new Uint8Array([0x41])), publicKey))).toEqual({
      signature,
      sighashType: 0x41,
      publicKey,
    });
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['a signature alone', push(bytes(72))],
    ['too short a signature', unlock(bytes(8), bytes(33))],
    ['too long a signature', unlock(bytes(74), bytes(33))],
    ['no signature', unlock(bytes(0), bytes(33))],
    ['too short a key', unlock(bytes(72), bytes(32))],
    ['a key of no known length', unlock(bytes(72), bytes(64))],
    ['something behind it', concatBytes(unlock(bytes(72), bytes(33)), bytes(1))],
    ['something before it', concatBytes(bytes(1, 0), unlock(bytes(72), bytes(33)))],
    ['a key that is cut off', unlock(bytes(72), bytes(33)).subarray(0, -1)],
    ['a length that is not the key’s', concatBytes(push(bytes(72)), new Uint8Array([65]), bytes(33))],
  ])('%s is none', (_what, script) => {
    expect(readP2pkhUnlock(script)).toBeNull();
  });
});

describe('a DER signature', () => {
  // Neither of a signature's numbers is 0, which @bsv/sdk writes without a byte.
  const number = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 32 }).filter((digits) => digits.some((digit) => digit !== 0)),
    fc.constantFrom(bytes(32, 0xff), bytes(32, 0x7f), bytes(32, 0x80), bytes(1, 1)),
  );

  test('gives r and s as @bsv/sdk wrote them', () => {
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

  /** DER as it is put together, with any lengths. */
  const der = (r: Uint8Array, s: Uint8Array) =>
    concatBytes(
      new Uint8Array([0x30, 4 + r.length + s.length, 0x02, r.length]),
      r,
      new Uint8Array([0x02, s.length]),
      s,
    );
  const good = der(bytes(32, 1), bytes(32, 2));

  test('may have numbers of up to 33 bytes, the first of them 0', () => {
    const long = concatBytes(bytes(1, 0), bytes(32, 0xf0));
    expect(toHex(compactOf(der(long, long)) ?? bytes(0))).toBe('f0'.repeat(64));
  });

  test.each([
    ['nothing', bytes(0)],
    ['cut off', good.subarray(0, -1)],
    ['with a byte behind it', concatBytes(good, bytes(1))],
    ['without r', der(bytes(0), bytes(32))],
    ['without s', der(bytes(32), bytes(0))],
    ['with too long an r', der(bytes(34, 0), bytes(32))],
    ['with too long an s', der(bytes(32), bytes(34, 0))],
    ['with an r beyond 2^256', der(bytes(33, 1), bytes(32))],
    ['with an s beyond 2^256', der(bytes(32), bytes(33, 1))],
    ...[0, 1, 2, 3, 36, 37].map((at): [string, Uint8Array] => [
      `with another byte at ${at}`,
      good.map((byte, i) => (i === at ? byte + 1 : byte)),
    ]),
  ])('is none: %s', (_what, bad) => {
    expect(compactOf(bad)).toBeNull();
  });
});
