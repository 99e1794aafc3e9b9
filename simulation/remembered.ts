/**
 * Caches key computations. All simulated wallets have the same recovery words, so the same results are needed
 * repeatedly. The bundle contains this module instead of the modules that it wraps (bundle.ts).
 */
import { pbkdf2Sync } from 'node:crypto';
import { secp256k1 as curves } from '@noble/curves/secp256k1.js';
import * as curve from '@noble/secp256k1';
import * as children from '../wallet/keys/public-children.ts';

export * from '@noble/secp256k1';
export * from '@scure/bip39';

/** Maximum number of cached results per function. When the limit is reached, the cache is cleared. */
const MAX_CACHED_RESULTS = 20_000;

const textOf = (value: unknown): string =>
  value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
    : JSON.stringify(value);
/** Copies bytes, because callers overwrite results that contain secrets. */
const copyOf = <T>(value: T): T => (value instanceof Uint8Array ? (Uint8Array.from(value) as T) : value);

/** Caches the results of a pure function that never returns undefined. */
function remembered<Arguments extends unknown[], Result>(work: (...args: Arguments) => Result) {
  const results = new Map<string, Result>();
  return (...args: Arguments): Result => {
    const key = args.map(textOf).join('|');
    const known = results.get(key);
    if (known !== undefined) return copyOf(known);
    if (results.size >= MAX_CACHED_RESULTS) results.clear();
    const result = work(...args);
    results.set(key, copyOf(result));
    return result;
  };
}

/** Used by BIP 32 for private keys. */
export const secp256k1 = { ...curves, getPublicKey: remembered(curves.getPublicKey) };
export const getPublicKey = remembered(curve.getPublicKey);
export const sign = remembered(curve.sign);
export const verify = remembered(curve.verify);

const child = remembered(
  (publicKey: Uint8Array, chainCode: Uint8Array, index: number) =>
    children.publicChildren({ publicKey, chainCode } as Parameters<typeof children.publicChildren>[0], [index])[0],
);

export const publicChildren: typeof children.publicChildren = ({ publicKey, chainCode }, indexes) =>
  indexes.map((index) => child(publicKey as Uint8Array, chainCode as Uint8Array, index) as Uint8Array);

const seedOf = remembered((words: string, passphrase: string) =>
  Uint8Array.from(pbkdf2Sync(words.normalize('NFKD'), `mnemonic${passphrase.normalize('NFKD')}`, 2048, 64, 'sha512')),
);

export const mnemonicToSeed = (words: string, passphrase = ''): Promise<Uint8Array> =>
  Promise.resolve(seedOf(words, passphrase));
