/** Lists a wallet's secrets in every encoding, and searches bytes for them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PrivateKey } from '@bsv/sdk';
import { HDKey } from '@scure/bip32';
import { mnemonicToEntropy, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

const MAIN = { private: 0x0488ade4, public: 0x0488b21e };
const TEST = { private: 0x04358394, public: 0x043587cf };

/** A secret to search for: its name for the report, and its bytes in each encoding. */
export interface Secret {
  name: string;
  forms: Buffer[];
}

/** Returns `text` unchanged, in hexadecimal and in base64, each in UTF-8 and UTF-16. */
export function secretText(name: string, text: string): Secret {
  const bytes = Buffer.from(text);
  const texts = [text, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
  return {
    name,
    forms: [...texts.map((form) => Buffer.from(form)), ...texts.map((form) => Buffer.from(form, 'utf16le'))],
  };
}

/** Returns raw bytes and their text encodings. */
export function secretBytes(name: string, bytes: Uint8Array): Secret {
  const buffer = Buffer.from(bytes);
  const texts = [
    buffer.toString('hex'),
    buffer.toString('hex').toUpperCase(),
    buffer.toString('base64').replace(/=+$/, ''),
    buffer.toString('base64url'),
    [...bytes].join(','),
  ];
  return {
    name,
    forms: [buffer, ...texts.map((form) => Buffer.from(form)), ...texts.map((form) => Buffer.from(form, 'utf16le'))],
  };
}

/**
 * Returns all secrets that could help someone spend a wallet's money: the seed, the keys in all formats, the recovery
 * words, and groups of three words.
 */
export function walletSecrets(words: string): Secret[] {
  const seed = mnemonicToSeedSync(words);
  const all = words.split(' ');
  const threes = all
    .slice(2)
    .flatMap((_, i) => [' ', '\n', ',', '","', '</li><li>', ''].map((gap) => all.slice(i, i + 3).join(gap)));
  const paths = [
    'm',
    "m/44'",
    "m/44'/236'",
    "m/44'/236'/0'",
    "m/44'/236'/0'/0",
    "m/44'/236'/0'/1",
    "m/44'/236'/2'",
    "m/44'/236'/2'/0",
    "m/0'/236'/0'",
    "m/0'/236'/0'/0/0",
    ...[0, 1, 2, 3, 4].flatMap((i) => [`m/44'/236'/0'/0/${i}`, `m/44'/236'/0'/1/${i}`, `m/44'/236'/2'/0/${i}`]),
  ];
  return [
    secretText('the words', words),
    ...threes.map((three) => secretText(`three words (${JSON.stringify(three).replaceAll(/[a-z]+/g, 'w')})`, three)),
    secretBytes('the entropy', mnemonicToEntropy(words, wordlist)),
    secretBytes('the seed', seed),
    ...paths.flatMap((path) => keySecrets(path, seed)),
  ];
}

function keySecrets(path: string, seed: Uint8Array): Secret[] {
  const key = HDKey.fromMasterSeed(seed, MAIN).derive(path).privateKey as Uint8Array;
  const wif = (prefix: number) => new PrivateKey([...key]).toWif([prefix]);
  return [
    secretBytes(`the key ${path}`, key),
    secretText(`the key ${path} as WIF`, wif(0x80)),
    secretText(`the key ${path} as WIF of the test networks`, wif(0xef)),
    secretText(`the key ${path} as xprv`, HDKey.fromMasterSeed(seed, MAIN).derive(path).privateExtendedKey),
    secretText(`the key ${path} as tprv`, HDKey.fromMasterSeed(seed, TEST).derive(path).privateExtendedKey),
  ];
}

export function foundIn(haystack: Uint8Array | string, secrets: readonly Secret[]): string[] {
  const bytes = Buffer.from(haystack as Uint8Array);
  return secrets.filter(({ forms }) => forms.some((form) => bytes.includes(form))).map(({ name }) => name);
}

/** Reads all files below a folder, keyed by relative path. Files that disappear during the search are omitted. */
export async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => null);
    if (bytes) files.set(path.slice(folder.length + 1), bytes);
  }
  return files;
}
