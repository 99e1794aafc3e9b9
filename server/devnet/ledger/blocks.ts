/** Block headers, merkle trees and coinbases in Bitcoin's formats. Pure. */
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { serializeTransaction } from '../../../protocol/bitcoin/transaction.ts';
import { pushData } from '../../../protocol/bitcoin/push-data.ts';
import { ByteWriter } from '../../../protocol/bitcoin/wire-format.ts';
import { merkleParent, sha256d } from '../../chain/merkle.ts';
import { BITS } from '../arc/policy.ts';

/** A block header. Hashes are in display order, `time` in seconds since 1970. */
export interface Header {
  version: number;
  previous: string;
  merkleRoot: string;
  time: number;
  bits: number;
  nonce: number;
}

/** The first block's previous hash. */
export const NO_BLOCK = '0'.repeat(64);

export const HEADER_SIZE = 80;

export function serializeHeader(header: Header): Uint8Array<ArrayBuffer> {
  return new ByteWriter()
    .uint32(header.version)
    .txid(header.previous)
    .txid(header.merkleRoot)
    .uint32(header.time)
    .uint32(header.bits)
    .uint32(header.nonce)
    .done();
}

export function parseHeader(bytes: Uint8Array): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_SIZE);
  return {
    version: view.getUint32(0, true),
    previous: toHex(bytes.slice(4, 36).reverse()),
    merkleRoot: toHex(bytes.slice(36, 68).reverse()),
    time: view.getUint32(68, true),
    bits: view.getUint32(72, true),
    nonce: view.getUint32(76, true),
  };
}

/** Returns a block's hash (display order) from its serialized header. */
export function headerHash(bytes: Uint8Array): string {
  return sha256d(bytes).reverse().toString('hex');
}

export function targetOf(bits: number): bigint {
  return BigInt(bits & 0x7fffff) << BigInt(8 * ((bits >>> 24) - 3));
}

/** Returns the expected number of hashes to mine a block with these bits: 2^256 / (target + 1). */
export function workOf(bits: number): bigint {
  return (1n << 256n) / (targetOf(bits) + 1n);
}

/** Finds the first nonce whose hash meets the target. With regtest's target, mining takes two attempts on average. */
export function mineHeader(header: Omit<Header, 'bits' | 'nonce'>): Uint8Array<ArrayBuffer> {
  const bytes = serializeHeader({ ...header, bits: BITS, nonce: 0 });
  const view = new DataView(bytes.buffer);
  const target = targetOf(BITS);
  for (let nonce = 0; BigInt(`0x${headerHash(bytes)}`) > target;) view.setUint32(76, (nonce += 1), true);
  return bytes;
}

/** Returns the merkle tree's levels (display order), from txids to root. An odd last node is paired with itself. */
export function merkleLevels(txids: readonly string[]): string[][] {
  const levels: string[][] = [[...txids]];
  for (let level = levels[0] ?? []; level.length > 1;) {
    const above: string[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i] ?? '';
      above.push(merkleParent(left, level[i + 1] ?? left));
    }
    levels.push(above);
    level = above;
  }
  return levels;
}

export function merkleRoot(txids: readonly string[]): string {
  return merkleLevels(txids).at(-1)?.[0] ?? NO_BLOCK;
}

/** Encodes a script number (minimal, little-endian, with the sign in the highest bit), as BIP34 encodes heights. */
function scriptNumber(n: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = n; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  if (((bytes.at(-1) ?? 0) & 0x80) !== 0) bytes.push(0);
  return new Uint8Array(bytes);
}

/** Returns a coinbase that pays `satoshis` to `lockingScript`. The coinbase's script starts with the height (BIP34). */
export function coinbaseBytes(height: number, satoshis: bigint, lockingScript: Uint8Array): Uint8Array<ArrayBuffer> {
  const push = pushData(scriptNumber(height));
  // The padding byte ensures the minimum length of a coinbase script, two bytes, even for low heights.
  const unlockingScript = new Uint8Array([...push, 0x00]);
  const inputs = [{ txid: NO_BLOCK, vout: 0xffff_ffff, unlockingScript, sequence: 0xffff_ffff }];
  return serializeTransaction({ version: 1, inputs, outputs: [{ satoshis, lockingScript }], lockTime: 0 });
}

/** Returns the median of the last eleven block times (BIP113), in seconds since 1970; 0 before the first block. */
export function medianTime(times: readonly number[]): number {
  const last = times.slice(-11).sort((a, b) => a - b);
  return last[Math.floor(last.length / 2)] ?? 0;
}
