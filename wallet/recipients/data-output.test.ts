import { expect, test } from 'vitest';
import { codeThrownBy } from '../../testing/code-of.ts';
import { MAX_OP_RETURN_BYTES } from '../../protocol/payments/limits.ts';
import { dataOutput } from './resolve.ts';

const codeOf = (text: string) => codeThrownBy(() => dataOutput(text));

test('[R-12] data becomes one output of value zero with OP_FALSE OP_RETURN and the UTF-8 bytes as one push', () => {
  expect(dataOutput('hé')).toEqual({ satoshis: 0n, lockingScript: new Uint8Array([0x00, 0x6a, 3, 0x68, 0xc3, 0xa9]) });
  expect([dataOutput(undefined), dataOutput('')]).toEqual([null, null]);
});

test('[R-13] 99,000 bytes of any characters are written, and 99,001 are rejected', () => {
  expect(MAX_OP_RETURN_BYTES).toBe(99_000);
  for (const text of ['x'.repeat(99_000), 'ü'.repeat(49_500), '💸'.repeat(24_750)]) {
    const script = dataOutput(text)?.lockingScript as Uint8Array;
    // OP_FALSE OP_RETURN OP_PUSHDATA4, then the length in little-endian order: 0x000182b8 bytes.
    expect([...script.subarray(0, 7)]).toEqual([0x00, 0x6a, 0x4e, 0xb8, 0x82, 0x01, 0x00]);
    expect(new TextDecoder().decode(script.subarray(7))).toBe(text);
    expect(codeOf(`${text}x`)).toBe('data-too-large');
  }
  expect(codeOf('x'.repeat(99_001))).toBe('data-too-large');
  expect(codeOf('ü'.repeat(49_501))).toBe('data-too-large');
});
