/** Pay-to-public-key-hash addresses: Base58Check with the network's prefix. */
import { concatBytes } from './bytes.ts';
import { ServiceError } from '../errors/service-error.ts';
import { sha256d } from './transaction.ts';

/** The supported networks. `devnet` is the embedded ledger, whose addresses have the testnet prefix. */
export const NETWORKS = ['devnet', 'testnet', 'mainnet'] as const;
export type Network = (typeof NETWORKS)[number];

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Text that looks like an address. Addresses have 26 to 35 characters. One missing or extra character is allowed. */
const LIKE_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{25,36}$/;
const MAINNET = 0x00;
const TESTNET = 0x6f;
const PREFIX: Record<Network, number> = { mainnet: MAINNET, testnet: TESTNET, devnet: TESTNET };

function base58(bytes: Uint8Array): string {
  let n = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; n > 0n; n /= 58n) text = ALPHABET[Number(n % 58n)] + text;
  for (let i = 0; bytes[i] === 0; i += 1) text = `1${text}`;
  return text;
}

/** Decodes Base58 into the 25 bytes of an address, or returns null. */
function base58Bytes25(text: string): Uint8Array | null {
  if (!LIKE_ADDRESS.test(text)) return null;
  let n = 0n;
  for (const letter of text) n = n * 58n + BigInt(ALPHABET.indexOf(letter));
  const bytes = new Uint8Array(25);
  for (let i = 24; i >= 0; i -= 1, n >>= 8n) bytes[i] = Number(n & 0xffn);
  // Base58 encodes every leading zero byte as a `1`.
  return n === 0n && bytes.findIndex(Boolean) === text.search(/[^1]/) ? bytes : null;
}

/** A parsed address: the 20-byte public key hash, and whether its prefix is mainnet's. */
export interface Address {
  hash: Uint8Array;
  mainnet: boolean;
}

function checkedBytes(text: string): Uint8Array | null {
  const bytes = base58Bytes25(text);
  if (!bytes) return null;
  const checksum = sha256d(bytes.subarray(0, 21));
  return bytes.subarray(21).every((byte, i) => byte === checksum[i]) ? bytes.slice(0, 21) : null;
}

/** Parses a P2PKH address of any network. Returns null for other text, a wrong checksum or an unknown prefix. */
export function readAddress(text: string): Address | null {
  const bytes = checkedBytes(text);
  if (!bytes || (bytes[0] !== MAINNET && bytes[0] !== TESTNET)) return null;
  return { hash: bytes.slice(1), mainnet: bytes[0] === MAINNET };
}

/**
 * Returns the defect of text that looks like an address: `mistyped` (wrong or missing characters), `kind` (a different
 * address type, such as P2SH) or `network`. Null for a valid address, and for text that doesn't look like an address.
 */
export function addressFault(text: string, network: Network): 'mistyped' | 'kind' | 'network' | null {
  const read = readAddress(text);
  if (read) return read.mainnet === (network === 'mainnet') ? null : 'network';
  if (checkedBytes(text)) return 'kind';
  return LIKE_ADDRESS.test(text) ? 'mistyped' : null;
}

export function writeAddress(hash: Uint8Array, network: Network): string {
  const body = concatBytes(new Uint8Array([PREFIX[network]]), hash);
  return base58(concatBytes(body, sha256d(body).subarray(0, 4)));
}

/** Returns `OP_DUP OP_HASH160 <hash> OP_EQUALVERIFY OP_CHECKSIG`. */
export function p2pkhScript(hash: Uint8Array): Uint8Array<ArrayBuffer> {
  return concatBytes(new Uint8Array([0x76, 0xa9, 0x14]), hash, new Uint8Array([0x88, 0xac]));
}

/** Returns the public key hash that a P2PKH script pays, or null for any other script. */
export function p2pkhHash(script: Uint8Array): Uint8Array | null {
  const isP2pkh =
    script.length === 25 &&
    script[0] === 0x76 &&
    script[1] === 0xa9 &&
    script[2] === 0x14 &&
    script[23] === 0x88 &&
    script[24] === 0xac;
  return isP2pkh ? script.slice(3, 23) : null;
}

/**
 * Returns the locking script for an address.
 * @throws ServiceError `invalid-recipient` if the address is malformed or for a different network
 */
export function addressScript(address: string, network: Network): Uint8Array<ArrayBuffer> {
  const read = readAddress(address);
  if (!read) throw new ServiceError('invalid-recipient');
  if (read.mainnet !== (network === 'mainnet')) {
    throw new ServiceError('invalid-recipient', { message: 'This address belongs to a different network.' });
  }
  return p2pkhScript(read.hash);
}
