/** Packages that a simulated worker shares with this process, with cached or synchronous results. */
import * as scureBip39 from '@scure/bip39';
import { hmac } from '@noble/hashes/hmac.js';
import * as sha2 from '@noble/hashes/sha2.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import { createHmac, pbkdf2Sync } from 'node:crypto';
import { publicChildren } from '../../wallet/keys/public-children.ts';
import * as curve from './curve.ts';
import { remembered } from './remembered.ts';

const stretched = remembered((words: string) =>
  Uint8Array.from(pbkdf2Sync(words.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512')),
);

/** Only for key derivation, because other inputs are new each time. */
const hmacSha512 = remembered((key: Uint8Array, message: Uint8Array) =>
  Uint8Array.from(createHmac('sha512', key).update(message).digest()),
);

/** Children of one parent: each is derived once. */
const child = remembered((publicKey: Uint8Array, chainCode: Uint8Array, index: number) => {
  const node = new HDKey({ publicKey, chainCode });
  return publicChildren(node, [index])[0] as Uint8Array;
});

/** By name. */
export const PACKAGES: Record<string, unknown> = {
  '@noble/secp256k1': curve,
  // Of BIP32's private keys.
  '@noble/curves/secp256k1.js': { secp256k1: { ...secp256k1, getPublicKey: remembered(secp256k1.getPublicKey) } },
  '@noble/hashes/sha2.js': sha2,
  '@noble/hashes/hmac.js': {
    hmac: Object.assign(
      (...[hash, key, message]: Parameters<typeof hmac>) =>
        hash === sha2.sha512 ? hmacSha512(key, message) : hmac(hash, key, message),
      { create: hmac.create },
    ),
  },
  // It pauses while it stretches the words (BIP39), but time advances only by tasks here.
  '@scure/bip39': {
    ...scureBip39,
    mnemonicToSeed: (words: string) => Promise.resolve(stretched(words)),
  },
  'public-children': {
    publicChildren: ({ publicKey, chainCode }: HDKey, indexes: readonly number[]) =>
      indexes.map((index) => child(publicKey as Uint8Array, chainCode as Uint8Array, index)),
  },
};
