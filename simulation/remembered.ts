/**
 * The curve's arithmetic, done once for each input in this process: all wallets here have the same words, so every world
 * derives the same keys. Only functions without state are remembered, so the answers are the same.
 */
import * as scureBip39 from '@scure/bip39';
import * as secp256k1 from '@noble/secp256k1';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { pbkdf2Sync } from 'node:crypto';

/** So many answers of a function are kept; then it begins anew. */
const MOST = 20_000;

type Work = (...args: never[]) => unknown;

const textOf = (value: unknown): string =>
  value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

/** Its callers wipe what they are given: each has a copy. */
const copyOf = (value: unknown): unknown => (value instanceof Uint8Array ? Uint8Array.from(value) : value);

function remembered<F extends Work>(work: F, textOfArgs = (args: unknown[]) => args.map(textOf).join('|')): F {
  const answers = new Map<string, unknown>();
  return ((...args: never[]) => {
    const text = textOfArgs(args);
    if (!answers.has(text)) {
      if (answers.size >= MOST) answers.clear();
      answers.set(text, copyOf(work(...args)));
    }
    return copyOf(answers.get(text));
  }) as unknown as F;
}

const stretched = remembered((words: string) =>
  Uint8Array.from(pbkdf2Sync(words.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512')),
);

/** Key derivation's; of others the inputs are new each time. */
const hmacSha512 = remembered((key: Uint8Array, message: Uint8Array) => hmac(sha512, key, message));

/** Packages that a worker has from here. */
export const PACKAGES: Record<string, unknown> = {
  '@noble/secp256k1': {
    ...secp256k1,
    getPublicKey: remembered(secp256k1.getPublicKey),
    sign: remembered(secp256k1.sign),
    verify: remembered(secp256k1.verify),
  },
  '@noble/hashes/hmac.js': {
    hmac: Object.assign(
      (...[hash, key, message]: Parameters<typeof hmac>) =>
        hash === sha512 ? hmacSha512(key, message) : hmac(hash, key, message),
      { create: hmac.create },
    ),
  },
  // It takes pauses of its own while it stretches the words (BIP39): time passes here by tasks alone.
  '@scure/bip39': {
    ...scureBip39,
    mnemonicToSeed: (words: string) => Promise.resolve(stretched(words)),
  },
};
