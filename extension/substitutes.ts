/** Files that the build puts in the place of packages, for a smaller wallet: each says why. */
import { fileURLToPath } from 'node:url';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** By what the sources, or packages, import. */
export const SUBSTITUTES = {
  '@noble/curves/secp256k1.js': path('background/vault/bip32-curve.ts'),
};
