import { HDKey } from '@scure/bip32';
import bsv from 'bsv';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { CHAINS, hash160, identityKeyOf, publicKeyHashes, publicKeysOf, spendingKeys, withRoot } from './keys.ts';
import vectors from './bip32-vectors.json' with { type: 'json' };

const SEED = fromHex(
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
);
/** Returns the root key that an independent library derives from the same seed. */
const theirs = () => bsv.HDPrivateKey.fromSeed(Buffer.from(SEED));
const derive = (path: string) => theirs().deriveChild(path);

afterEach(() => void vi.restoreAllMocks());

describe('BIP32', () => {
  test.each(
    vectors.valid.flatMap(({ seed, chains }) =>
      chains.map(([path, xpub, xprv]) => [path as string, seed, xpub as string, xprv as string] as const),
    ),
  )('the key at %s of the seed %s is that of the vectors', (path, seed, xpub, xprv) => {
    withRoot(fromHex(seed), (root) => {
      const key = root.derive(path);
      expect([key.publicExtendedKey, key.privateExtendedKey]).toEqual([xpub, xprv]);
    });
    expect(HDKey.fromExtendedKey(xpub).publicExtendedKey).toBe(xpub);
    expect(HDKey.fromExtendedKey(xprv).privateExtendedKey).toBe(xprv);
  });

  test.each(vectors.invalid)('vector 5: %s is rejected: %s', (_, key) => {
    expect(() => HDKey.fromExtendedKey(key)).toThrow(Error);
  });

  test('the sixteen invalid keys of the vectors are tested here', () => {
    expect(vectors.invalid).toHaveLength(16);
  });
});

describe("the wallet's keys", () => {
  test('the paths are those of BIP44, and bsv 1.5.6 derives the same keys', () => {
    const keys = publicKeysOf(SEED);
    expect(keys).toEqual({
      spendingXpub: derive("m/44'/236'/0'").hdPublicKey.toString(),
      serviceXpub: derive("m/44'/236'/2'").hdPublicKey.toString(),
      identity: derive("m/0'/236'/0'/0/0").publicKey.toString(),
    });
    const paths = { receive: "m/44'/236'/0'/0", change: "m/44'/236'/0'/1", service: "m/44'/236'/2'/0" };
    const spending = spendingKeys(SEED);
    for (const chain of CHAINS) {
      const indexes = [0, 1, 19, 1000];
      const hashes = publicKeyHashes(keys, chain, indexes);
      for (const [i, index] of indexes.entries()) {
        const { privateKey } = derive(`${paths[chain]}/${index}`);
        const pair = spending.pair(chain, index);
        expect(toHex(pair.privateKey)).toBe(privateKey.toHex());
        expect(toHex(pair.publicKey)).toBe(privateKey.toPublicKey().toString());
        expect(toHex(hashes[i] as Uint8Array)).toBe(toHex(hash160(pair.publicKey)));
        expect(writeAddress(hashes[i] as Uint8Array, 'mainnet')).toBe(privateKey.toAddress('livenet').toString());
      }
    }
    expect(toHex(identityKeyOf(SEED))).toBe(derive("m/0'/236'/0'/0/0").privateKey.toHex());
  });

  test('keys that stay readable while the wallet is locked contain no private key', () => {
    const text = JSON.stringify(publicKeysOf(SEED));
    expect(text).not.toMatch(/prv/);
    for (const path of ["m/44'/236'/0'", "m/44'/236'/2'", "m/0'/236'/0'/0/0"])
      expect(text).not.toContain(derive(path).privateKey.toHex());
    for (const xpub of [publicKeysOf(SEED).spendingXpub, publicKeysOf(SEED).serviceXpub])
      expect(HDKey.fromExtendedKey(xpub).privateKey).toBeNull();
  });

  test('the keys are wiped after use', () => {
    const spending = spendingKeys(SEED);
    const pairs = [spending.pair('receive', 0), spending.pair('change', 3)];
    expect(pairs.every((pair) => pair.privateKey.some((byte) => byte !== 0))).toBe(true);
    spending.wipe();
    expect(pairs.every((pair) => pair.privateKey.every((byte) => byte === 0))).toBe(true);
    let root: HDKey | undefined;
    expect(() =>
      withRoot(SEED, (key) => {
        root = key;
        throw new Error('while in use');
      }),
    ).toThrow('while in use');
    expect(root?.privateKey).toBeNull();
    expect(toHex(SEED).startsWith('5eb0')).toBe(true);
  });

  test('every derived key is wiped, including intermediate ones and copies', () => {
    const copied = vi.spyOn(HDKey.prototype, 'privateKey', 'get');
    const nodes = [vi.spyOn(HDKey.prototype, 'derive'), vi.spyOn(HDKey, 'fromMasterSeed')];
    const children = vi.spyOn(HDKey.prototype, 'deriveChild');
    const left = () => {
      const copies = copied.mock.results.map(({ value }) => value as Uint8Array | null);
      const keys = nodes.flatMap(({ mock }) => mock.results.map(({ value }) => value as HDKey));
      copied.mockRestore();
      return [...copies, ...keys.map((key) => key.privateKey)].filter((key) => key?.some((byte) => byte !== 0));
    };
    publicKeysOf(SEED);
    const identity = identityKeyOf(SEED);
    expect(identity.some((byte) => byte !== 0)).toBe(true);
    identity.fill(0);
    const spending = spendingKeys(SEED);
    children.mockClear();
    for (const chain of CHAINS) for (const index of [0, 1, 2]) spending.pair(chain, index);
    // Each chain's node, at depth four, is derived only once.
    expect(children).toHaveBeenCalledTimes(3 * 4 + 3 * 3);
    const pairs = children.mock.results.map(({ value }) => value as HDKey).filter(({ depth }) => depth === 5);
    expect(pairs.map(({ privateKey }) => privateKey)).toEqual(Array(9).fill(null));
    spending.wipe();
    expect(nodes.map(({ mock }) => mock.results.length)).toEqual([3 + 3 + 5 + 5 + 3 * 4, 5]);
    expect(left()).toEqual([]);
  });
});
