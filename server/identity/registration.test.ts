import { HDKey } from '@scure/bip32';
import { describe, expect, it } from 'vitest';
import { isReceivingXpub, isReserved } from './registration.ts';

const TEST_VERSIONS = { private: 0x04358394, public: 0x043587cf };
const seed = new Uint8Array(32).fill(7);
const main = HDKey.fromMasterSeed(seed);
const test = HDKey.fromMasterSeed(seed, TEST_VERSIONS);
const PATH = "m/44'/236'/2'";

describe('the receiving xpub', () => {
  it('is xpub on mainnet, and either on the test networks', () => {
    const xpub = main.derive(PATH).publicExtendedKey;
    const tpub = test.derive(PATH).publicExtendedKey;
    expect(tpub).toMatch(/^tpub/);
    expect((['mainnet', 'testnet', 'devnet'] as const).map((network) => [isReceivingXpub(xpub, network), isReceivingXpub(tpub, network)]))
      .toEqual([[true, false], [true, true], [true, true]]);
  });

  it('is never private, nor of another depth or account', () => {
    for (const path of ['m', "m/44'/236'", "m/44'/236'/2'/0", "m/44'/236'/0'", 'm/44/236/2']) {
      expect(isReceivingXpub(main.derive(path).publicExtendedKey, 'devnet'), path).toBe(false);
    }
    expect(isReceivingXpub(main.derive(PATH).privateExtendedKey, 'devnet')).toBe(false);
    expect(isReceivingXpub(test.derive(PATH).privateExtendedKey, 'devnet')).toBe(false);
    expect(isReceivingXpub('xpub', 'devnet')).toBe(false);
  });
});

describe('reserved handles', () => {
  it('stay reserved with dots and hyphens put in', () => {
    expect(['admin', 'ad.min', 'post-master', 'no-reply', 'noreply'].map(isReserved)).toEqual(Array(5).fill(true));
    expect(['alice', 'adminton', 'demo'].map(isReserved)).toEqual([false, false, false]);
  });
});
