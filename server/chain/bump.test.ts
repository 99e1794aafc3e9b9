import { MerklePath } from '@bsv/sdk';
import { describe, expect, it } from 'vitest';
import { EnvelopeError } from './envelope-error.ts';
import { readBump } from './bump.ts';
import { Cursor } from './cursor.ts';

const read = (hex: string) => readBump(new Cursor(Uint8Array.from(Buffer.from(hex, 'hex'))));
const hashOf = (n: number) => n.toString(16).padStart(64, '0');
const leaf = (offset: number) => `${offset.toString(16).padStart(2, '0')}00${hashOf(offset + 1)}`;

describe('a merkle path that contains only the leaves of a block', () => {
  it('leads to the block’s root', () => {
    // Four leaves of block 900,001, and the merkle root in its header.
    const hex =
      'fea1bb0d00010400002a7c88a1d6b2f8e379bf9e7faefa69693e8cb701defaf57f440137698f8e69f101024e1dc5e8a500c5bfbe8ac84f5c9edd99776043c6f915f42a44eb5ad4573d74040202c22be359f81937d7683a556d79e689ff3f470f3085c67379a450c0e992a395d60300e3235bdfa803f6c2799a04b9495870d43ee1b3a6757d9a3b09c0e1cc6759b801';
    expect(read(hex)).toEqual({
      height: 900_001,
      root: '66f10d1078dd1b35baa47face109954dfc03404cb8d8a2f6fb9501e9a00d9351',
    });
  });

  it.each([2, 4, 6, 8, 10, 14])('leads to the same root as in @bsv/sdk, with %d leaves', (count) => {
    const hex = `6401${count.toString(16).padStart(2, '0')}${Array.from({ length: count }, (_, i) => leaf(i)).join('')}`;
    const txid = Buffer.from(hashOf(1), 'hex').reverse().toString('hex');
    expect(read(hex)).toEqual({ height: 100, root: MerklePath.fromHex(hex).computeRoot(txid) });
  });

  it('can’t be read if an inner leaf is missing', () => {
    for (const some of [
      [0, 1, 3],
      [0, 2, 3],
      [1, 2, 3],
      [0, 1, 4, 5],
    ])
      expect(() => read(`6401${some.length.toString(16).padStart(2, '0')}${some.map(leaf).join('')}`)).toThrow(
        EnvelopeError,
      );
  });
});
