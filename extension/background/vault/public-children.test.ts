import { HDKey } from '@scure/bip32';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { toHex } from '../../../protocol/bytes.ts';
import { publicChildren } from './public-children.ts';
import vectors from './bip32-vectors.json' with { type: 'json' };

afterEach(() => {
  vi.doUnmock('@noble/hashes/hmac.js');
  vi.resetModules();
});

/** Pairs of the published vectors whose child is not hardened, as extended public keys. */
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
  test.each(PAIRS)('%s agrees with the BIP32 vectors', (_, parent, index, child) => {
    const [key] = publicChildren(HDKey.fromExtendedKey(parent), [index]);
    expect(toHex(key as Uint8Array)).toBe(toHex(HDKey.fromExtendedKey(child).publicKey as Uint8Array));
  });

  test('of many parents and indexes agree with the library', () => {
    expect(PAIRS.length).toBeGreaterThanOrEqual(6);
    const indexes = [0, 1, 2, 19, 127, 128, 255, 256, 65_535, 0x7fffffff];
    for (const [, parent] of PAIRS) {
      const node = HDKey.fromExtendedKey(parent);
      const chains = [node, node.deriveChild(0), node.deriveChild(7).deriveChild(3)];
      for (const chain of chains)
        expect(hex(publicChildren(chain, indexes))).toEqual(
          hex(indexes.map((index) => chain.deriveChild(index).publicKey)),
        );
    }
  });

  test('of a private node are the public keys of its private children', () => {
    const node = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/44'/236'/0'/0");
    const keys = [0, 5, 9].map((index) => node.deriveChild(index).publicKey);
    expect(hex(publicChildren(node, [0, 5, 9]))).toEqual(hex(keys));
  });

  test('that are hardened do not exist', () => {
    const node = HDKey.fromExtendedKey(XPUB);
    expect(() => publicChildren(node, [0x80000000])).toThrow(/hardened/);
  });

  test('whose scalar is not below the order are handled as by the library', async () => {
    const digest = () => new Uint8Array(64).fill(255);
    const keyed = { clone: () => keyed, update: () => keyed, digest };
    vi.doMock('@noble/hashes/hmac.js', () => ({ hmac: { create: () => keyed } }));
    const { publicChildren: withMock } = await import('./public-children.ts');
    const { publicKey, chainCode } = HDKey.fromExtendedKey(XPUB);
    const instead = new Uint8Array(33).fill(2);
    const asked: number[] = [];
    const deriveChild = (index: number) => {
      asked.push(index);
      return { publicKey: instead } as HDKey;
    };
    expect(withMock({ publicKey, chainCode, deriveChild }, [4])).toEqual([instead]);
    expect(asked).toEqual([4]);
  });
});
