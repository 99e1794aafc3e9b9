import fc from 'fast-check';
import { expect } from 'vitest';
import { toHex } from './bytes.ts';
import { MAX_SATOSHIS } from '../money/money.ts';
import { type Transaction } from './transaction.ts';

export const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
export const script = fc.oneof(
  fc.uint8Array({ maxLength: 120 }),
  fc.constantFrom(252, 253, 254, 255, 256, 65_535, 65_536).map((n) => new Uint8Array(n)),
);
export const input = fc.record({
  txid: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex),
  vout: uint32,
  unlockingScript: script,
  sequence: uint32,
});
const output = fc.record({ satoshis: fc.bigInt(0n, MAX_SATOSHIS / 10n), lockingScript: script });
export const transactions: fc.Arbitrary<Transaction> = fc.record({
  version: uint32,
  inputs: fc.array(input, { minLength: 1, maxLength: 6 }),
  outputs: fc.array(output, { minLength: 1, maxLength: 6 }),
  lockTime: uint32,
});

/** The first Bitcoin payment between two people, block 170 (public chain data). */
export const FIRST_PAYMENT =
  '0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000';

export const malformed = expect.objectContaining({ code: 'invalid-transaction' }) as Error;
