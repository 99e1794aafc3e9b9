import { Point } from '@noble/secp256k1';
import { HDKey } from '@scure/bip32';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { publicChildren } from './public-children.ts';
import vectors from './bip32-vectors.json' with { type: 'json' };

afterEach(() => {
  vi.doUnmock('@noble/hashes/hmac.js');
  vi.resetModules();
});

/** Returns a node that fails if its much slower `deriveChild` is called. */
const quickly = (node: HDKey) => {
  const { publicKey, chainCode } = node;
  return { publicKey, chainCode, deriveChild: () => expect.unreachable('by the library') };
};

/** Pairs of a parent and a non-hardened child from the published vectors, as extended public keys. */
const PAIRS = vectors.valid.flatMap(({ chains }) =>
  chains.flatMap(([path = '', xpub = '']) => {
    const [, parentPath, index] = /^(.*)\/(\d+)$/.exec(path) ?? [];
    const parent = chains.find(([other]) => other === parentPath)?.[1];
    return parent === undefined ? [] : [[path, parent, Number(index), xpub] as const];
  }),
);
const XPUB = PAIRS[0]?.[1] as string;
const hex = (keys: readonly (Uint8Array | null)[]) => keys.map((key) => toHex(key as Uint8Array));

describe('public children', () => {
  test.each(PAIRS)('%s matches the BIP32 vectors', (_, parent, index, child) => {
    const [key] = publicChildren(quickly(HDKey.fromExtendedKey(parent)), [index]);
    expect(toHex(key as Uint8Array)).toBe(toHex(HDKey.fromExtendedKey(child).publicKey as Uint8Array));
  });

  test('children of many parents and indexes match those of the library', () => {
    expect(PAIRS.length).toBeGreaterThanOrEqual(6);
    const indexes = [0, 1, 2, 19, 127, 128, 255, 256, 65_535, 0x7fffffff];
    for (const [, parent] of PAIRS) {
      const node = HDKey.fromExtendedKey(parent);
      const chains = [node, node.deriveChild(0), node.deriveChild(7).deriveChild(3)];
      for (const chain of chains)
        expect(hex(publicChildren(quickly(chain), indexes))).toEqual(
          hex(indexes.map((index) => chain.deriveChild(index).publicKey)),
        );
    }
  });

  test('children of a private node are the public keys of its private children', () => {
    const node = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/44'/236'/0'/0");
    const keys = [0, 5, 9].map((index) => node.deriveChild(index).publicKey);
    expect(hex(publicChildren(quickly(node), [0, 5, 9]))).toEqual(hex(keys));
  });

  test('hardened children do not exist', () => {
    const node = HDKey.fromExtendedKey(XPUB);
    expect(() => publicChildren(node, [0x80000000])).toThrow(/hardened/);
  });

  const { n } = Point.CURVE();

  test.each([
    ['zero', 0n, true],
    ['one', 1n, false],
    ['that of the parent’s negative', n - 5n, true],
    ['the largest', n - 1n, false],
    ['the order', n, true],
    ['beyond the order', n + 1n, true],
    ['the largest number', 2n ** 256n - 1n, true],
  ])(
    'children whose scalar is %s are handled as in the library, which is called if the key doesn’t exist',
    async (_, left, asks) => {
      const text = left.toString(16).padStart(64, '0').padEnd(128, '7');
      const keyed = {
        clone: () => keyed,
        update: () => keyed,
        digest: () => Uint8Array.from(Buffer.from(text, 'hex')),
      };
      vi.doMock('@noble/hashes/hmac.js', () => ({ hmac: { create: () => keyed } }));
      const { publicChildren: withMock } = await import('./public-children.ts');
      const instead = new Uint8Array(33).fill(2);
      const deriveChild = vi.fn(() => ({ publicKey: instead }) as unknown as HDKey);
      const parent = { publicKey: Point.BASE.multiply(5n).toBytes(true), chainCode: new Uint8Array(32), deriveChild };
      const expected = asks ? instead : Point.BASE.multiply((left + 5n) % n).toBytes(true);
      expect(hex(withMock(parent, [4]))).toEqual(hex([expected]));
      expect(deriveChild.mock.calls).toEqual(asks ? [[4]] : []);
    },
  );

  test('children are derived in variable time, because the scalars are not secret and there are thousands', async () => {
    const multiply = vi.spyOn(Point.prototype, 'multiply');
    publicChildren(quickly(HDKey.fromExtendedKey(XPUB)), [0, 1]);
    expect(multiply.mock.calls.map(([, safe]) => safe)).toEqual([false, false]);
    multiply.mockRestore();
  });
});
