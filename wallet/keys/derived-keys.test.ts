/**
 * Compares the keys for some names with those from @bsv/sdk's KeyDeriver. For random names, see
 * wallet/brc100/keys/operations.test.ts.
 */
import { KeyDeriver, PrivateKey, type WalletProtocol } from '@bsv/sdk';
import { etc } from '@noble/secp256k1';
import { describe, expect, test, vi } from 'vitest';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import {
  derivedPrivateKey,
  derivedPublicKey,
  derivedSymmetricKey,
  paymentKeyName,
  type KeyName,
} from './derived-keys.ts';
import type * as Ecdsa from './ecdsa.ts';

const MINE = etc.numberToBytesBE(0x1234567890abcdefn);
const THEIRS = etc.numberToBytesBE(0xfedcba0987654321n);
const sdkKey = (key: Uint8Array) => PrivateKey.fromHex(toHex(key));
const THEIR_PUBLIC_KEY = sdkKey(THEIRS).toPublicKey().toString();
const deriver = new KeyDeriver(sdkKey(MINE));

const NAMES: KeyName[] = ['self', 'anyone', THEIR_PUBLIC_KEY].flatMap((counterparty) =>
  ([0, 1, 2] as const).map((level) => ({ protocol: [level, 'test of keys'], keyID: `an id – ${level}`, counterparty })),
);

describe.each(NAMES)('the keys of $protocol and $keyID with $counterparty', ({ protocol, keyID, counterparty }) => {
  const name: KeyName = { protocol, keyID, counterparty };
  const args = [[...protocol] as WalletProtocol, keyID, counterparty] as const;

  test('the keys equal those of KeyDeriver', () => {
    expect(toHex(derivedPrivateKey(MINE, name))).toBe(deriver.derivePrivateKey(...args).toHex());
    for (const forSelf of [true, false])
      expect(toHex(derivedPublicKey(MINE, name, forSelf))).toBe(deriver.derivePublicKey(...args, forSelf).toString());
    expect(toHex(derivedSymmetricKey(MINE, name))).toBe(
      deriver
        .deriveSymmetricKey(...args)
        .toHex()
        .padStart(64, '0'),
    );
  });

  test('the keys change with each part of the name', () => {
    const others: KeyName[] = [
      { ...name, protocol: [((protocol[0] + 1) % 3) as 0 | 1 | 2, protocol[1]] },
      { ...name, protocol: [protocol[0], 'another test'] },
      { ...name, keyID: 'another' },
      { ...name, counterparty: counterparty === 'self' ? 'anyone' : 'self' },
    ];
    const keys = [name, ...others].map((one) => toHex(derivedPrivateKey(MINE, one)));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

test('a payment by derived key (BRC-29) has the key ID that payer and payee share', () => {
  const remittance = {
    derivationPrefix: 'cHJlZml4',
    derivationSuffix: 'c3VmZml4',
    senderIdentityKey: THEIR_PUBLIC_KEY,
  };
  const name = paymentKeyName(remittance);
  expect(name).toEqual({
    protocol: [2, '3241645161d8'],
    keyID: 'cHJlZml4 c3VmZml4',
    counterparty: THEIR_PUBLIC_KEY,
  });
  // The payer derives the public key. Only the payee can derive the private key for it.
  const payer = new KeyDeriver(sdkKey(THEIRS));
  const locked = payer.derivePublicKey([...name.protocol], name.keyID, sdkKey(MINE).toPublicKey().toString());
  expect(toHex(derivedPublicKey(MINE, name, true))).toBe(locked.toString());
  expect(sdkKey(derivedPrivateKey(MINE, name)).toPublicKey().toString()).toBe(locked.toString());
});

test('intermediate secrets are always wiped, and the identity key stays the caller’s', async () => {
  const secrets: Uint8Array[] = [];
  const noted = (secret: Uint8Array) => {
    secrets.push(secret);
    return secret;
  };
  const real = await vi.importActual<typeof Ecdsa>('./ecdsa.ts');
  vi.resetModules();
  vi.doMock('./ecdsa.ts', () => ({
    ...real,
    sharedPoint: (...keys: Parameters<typeof real.sharedPoint>) => noted(real.sharedPoint(...keys)),
    addToPrivateKey: (key: Uint8Array, added: Uint8Array) => noted(real.addToPrivateKey(key, noted(added))),
    addToPublicKey: (key: Uint8Array, added: Uint8Array) => real.addToPublicKey(key, noted(added)),
  }));
  const derived = await import('./derived-keys.ts');
  vi.doUnmock('./ecdsa.ts');
  const [name] = NAMES as [KeyName];
  const areWiped = (count: number, but?: Uint8Array) => {
    const kept = secrets.filter((secret) => secret.subarray(-32).some((byte) => byte !== 0) && secret !== but);
    expect([secrets.splice(0).length, kept]).toEqual([count, []]);
  };

  const privateKey = derived.derivedPrivateKey(MINE, name);
  areWiped(3, privateKey);
  derived.derivedPublicKey(MINE, name, true);
  areWiped(2);
  derived.derivedSymmetricKey(MINE, name).fill(0);
  areWiped(6);
  for (const counterparty of [`02${'00'.repeat(31)}05`, 'none'])
    expect(() => derived.derivedPublicKey(MINE, { ...name, counterparty }, false)).toThrow();
  areWiped(0);
  expect(etc.bytesToNumberBE(MINE)).toBe(0x1234567890abcdefn);
});
