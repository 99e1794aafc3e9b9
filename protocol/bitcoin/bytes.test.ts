import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes, equalBytes, fromHex, isHex, toHex } from './bytes.ts';

const bytes = fc.uint8Array({ maxLength: 100 });

describe('hexadecimal text', () => {
  test('bytes are converted to and from hexadecimal text as by Buffer, including from uppercase', () => {
    fc.assert(
      fc.property(bytes, (some) => {
        const text = Buffer.from(some).toString('hex');
        expect(toHex(some)).toBe(text);
        expect(fromHex(text)).toEqual(some);
        expect(fromHex(text.toUpperCase())).toEqual(some);
      }),
    );
  });

  test.each(['0', 'abc', '0g', ' 00', '00 ', '0x00', '00\n', '٠٠', '-1', '+1', '1e'.repeat(1) + 'x'])(
    '%j is not hexadecimal text',
    (text) => {
      expect(isHex(text)).toBe(false);
      expect(() => fromHex(text)).toThrow(expect.objectContaining({ code: 'invalid-request' }) as Error);
    },
  );
});

test('bytes are equal if and only if all of them match', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(equalBytes(a, b)).toBe(Buffer.compare(a, b) === 0);
      expect(equalBytes(a, Uint8Array.from(a))).toBe(true);
    }),
  );
});

test('parts are joined in order', () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 6 }), (parts) => {
      expect(toHex(concatBytes(...parts))).toBe(parts.map(toHex).join(''));
    }),
  );
});
