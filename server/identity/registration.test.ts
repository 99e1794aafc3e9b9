import { HDKey } from '@scure/bip32';
import { describe, expect, it } from 'vitest';
import { skeletonOf } from '../../protocol/text/confusables.ts';
import { isReceivingXpub, isReserved, readHandle } from './registration.ts';

const TEST_VERSIONS = { private: 0x04358394, public: 0x043587cf };
const seed = new Uint8Array(32).fill(7);
const main = HDKey.fromMasterSeed(seed);
const test = HDKey.fromMasterSeed(seed, TEST_VERSIONS);
const PATH = "m/44'/236'/2'";

describe('the receiving xpub', () => {
  it('starts with xpub on mainnet, and with either prefix on the test networks', () => {
    const xpub = main.derive(PATH).publicExtendedKey;
    const tpub = test.derive(PATH).publicExtendedKey;
    expect(tpub).toMatch(/^tpub/);
    expect(
      (['mainnet', 'testnet', 'devnet'] as const).map((network) => [
        isReceivingXpub(xpub, network),
        isReceivingXpub(tpub, network),
      ]),
    ).toEqual([
      [true, false],
      [true, true],
      [true, true],
    ]);
  });

  it('must be public, with the right depth and account', () => {
    for (const path of ['m', "m/44'/236'", "m/44'/236'/2'/0", "m/44'/236'/0'", 'm/44/236/2']) {
      expect(isReceivingXpub(main.derive(path).publicExtendedKey, 'devnet'), path).toBe(false);
    }
    expect(isReceivingXpub(main.derive(PATH).privateExtendedKey, 'devnet')).toBe(false);
    expect(isReceivingXpub(test.derive(PATH).privateExtendedKey, 'devnet')).toBe(false);
    expect(isReceivingXpub('xpub', 'devnet')).toBe(false);
  });
});

describe('reserved handles', () => {
  it('stay reserved with added dots and hyphens', () => {
    const kept = [
      'admin',
      'ad.min',
      'post-master',
      'no-reply',
      'noreply',
      'service-button',
      'servicebutton',
      'mailer.daemon',
      'mailerdaemon',
    ];
    expect(kept.filter((handle) => !isReserved(handle))).toEqual([]);
    expect(['alice', 'adminton', 'demo'].map(isReserved)).toEqual([false, false, false]);
  });

  it('stay reserved with look-alike digits or letters', () => {
    const kept = [
      'adm1n',
      'admln',
      '4dmin',
      'supp0rt',
      '5upport',
      'he1p',
      'vva11et',
      'adrnin',
      'p4yments',
      'veri.fied',
    ];
    expect(kept.filter((handle) => !isReserved(handle))).toEqual([]);
  });
});

describe('handles', () => {
  const reads = (text: string) => {
    try {
      return readHandle(text) === text;
    } catch {
      return false;
    }
  };

  it('must contain a letter, because digits are user IDs', () => {
    expect(['1005', '10.05', '1-0-0-5', '007'].filter(reads)).toEqual([]);
    expect(['a05', '1-a', 'x.1'].filter((text) => !reads(text))).toEqual([]);
  });

  it('differ if only their digits do', () => {
    const all = Array.from({ length: 100 }, (_one, i) => `ann${i}`);
    expect(new Set(all.map(skeletonOf)).size).toBe(100);
    expect(new Set(['ann.x', 'annx', 'a-n-n-x', '4nnx'].map(skeletonOf)).size).toBe(1);
  });
});
