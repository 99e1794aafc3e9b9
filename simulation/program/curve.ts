/** `@noble/secp256k1` with cached results, for the simulated wallets and network. */
import * as secp256k1 from '@noble/secp256k1';
import { Kept, remembered, textOfBytes } from './remembered.ts';

export * from '@noble/secp256k1';

export const getPublicKey: typeof secp256k1.getPublicKey = remembered(secp256k1.getPublicKey);

/** Signatures made here, by digest and public key, which need no verification. */
const made = new Kept<true>();
const nameOf = (...parts: Uint8Array[]) => parts.map(textOfBytes).join('|');
const isPlain = ({ prehash, format = 'compact', lowS = true }: secp256k1.ECDSASignOpts) =>
  prehash === false && format === 'compact' && lowS;

const signedOnce = remembered(secp256k1.sign);
/** @public The wallet's `sign`: build.ts replaces the package with this module. */
export const sign: typeof secp256k1.sign = (digest, key, options = {}) => {
  const signature = signedOnce(digest, key, options);
  if (isPlain(options)) made.set(nameOf(signature, digest, getPublicKey(key)), true);
  return signature;
};

const verifiedOnce = remembered(secp256k1.verify);
/** @public The wallet's and the network's `verify`. */
export const verify: typeof secp256k1.verify = (signature, digest, key, options = {}) =>
  (isPlain({ ...options, lowS: true }) && made.get(nameOf(signature, digest, key))) ||
  verifiedOnce(signature, digest, key, options);
