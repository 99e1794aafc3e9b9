/** Reads P2PKH unlocking scripts: a push of the signature with its sighash byte, and a push of the public key. Pure. */

import type { Transaction } from './transaction.ts';

/** The parts of a P2PKH unlocking script. `signature` excludes the sighash byte. `publicKey` can be uncompressed. */
export interface P2pkhUnlock {
  signature: Uint8Array;
  sighashType: number;
  publicKey: Uint8Array;
}

/**
 * True if third parties can alter a transaction, and thereby its ID, until it is mined. Since the Chronicle upgrade,
 * transactions with a version above 1 may have high S values, non-minimal pushes and extra stack items.
 * @param version the 4 serialized bytes, unsigned (nodes read a signed integer)
 */
export const isMalleable = (version: number): boolean => (version | 0) > 1;

/**
 * Reads a P2PKH unlocking script, or returns null for any other script.
 * @param version the transaction's version; malleable versions allow any push opcode
 */
export function readP2pkhUnlock(script: Uint8Array, version = 1): P2pkhUnlock | null {
  const [signed, publicKey] = isMalleable(version) ? lastTwoPushes(script) : twoPushes(script);
  // A DER signature with its sighash byte is 9 to 73 bytes long.
  if (!signed || !publicKey || signed.length < 9 || signed.length > 73) return null;
  if (publicKey.length !== 33 && publicKey.length !== 65) return null;
  return { signature: signed.subarray(0, -1), sighashType: signed.at(-1) as number, publicKey };
}

/**
 * Returns the public key (33 or 65 bytes) that unlocks a transaction's first input, or null unless that input's script
 * is a P2PKH unlocking script. A script's last bytes alone prove nothing: third parties can append to a malleable one.
 */
export const firstKey = ({ version, inputs }: Pick<Transaction, 'version' | 'inputs'>): Uint8Array | null =>
  (inputs[0] && readP2pkhUnlock(inputs[0].unlockingScript, version)?.publicKey) ?? null;

/** Returns the data of exactly two direct pushes, or an empty array for any other script. */
function twoPushes(script: Uint8Array): Uint8Array[] {
  const length = script[0] ?? 0;
  const publicKey = script.subarray(length + 2);
  return script[1 + length] === publicKey.length ? [script.subarray(1, 1 + length), publicKey] : [];
}

const [OP_PUSHDATA1, OP_PUSHDATA2, OP_PUSHDATA4, OP_16] = [0x4c, 0x4d, 0x4e, 0x60];

/** Returns the data of a script's last two pushes, or an empty array if the script contains anything else. */
function lastTwoPushes(script: Uint8Array): Uint8Array[] {
  const view = new DataView(script.buffer, script.byteOffset, script.byteLength);
  let last: Uint8Array[] = [];
  for (let at = 0; at < script.length;) {
    const opcode = script[at] as number;
    if (opcode > OP_16) return [];
    at += 1;
    const bytesOfLength = opcode < OP_PUSHDATA1 || opcode > OP_PUSHDATA4 ? 0 : 2 ** (opcode - OP_PUSHDATA1);
    if (at + bytesOfLength > script.length) return [];
    let length = opcode < OP_PUSHDATA1 ? opcode : 0;
    if (opcode === OP_PUSHDATA1) length = view.getUint8(at);
    if (opcode === OP_PUSHDATA2) length = view.getUint16(at, true);
    if (opcode === OP_PUSHDATA4) length = view.getUint32(at, true);
    at += bytesOfLength;
    if (length > script.length - at) return [];
    last = [...last.slice(-1), script.subarray(at, at + length)];
    at += length;
  }
  return last;
}

/** Converts a strict DER signature (BIP 66) to r and s, 32 bytes each. Null if malformed or above 256 bits. */
export function compactOf(der: Uint8Array): Uint8Array | null {
  const r = der[3] ?? 0;
  const s = der[5 + r] ?? 0;
  const wellFormed =
    der[0] === 0x30 && der[1] === der.length - 2 && der[2] === 0x02 && der[4 + r] === 0x02 && der.length === 6 + r + s;
  if (!wellFormed) return null;
  const compact = new Uint8Array(64);
  for (const [digits, end] of [
    [der.subarray(4, 4 + r), 32],
    [der.subarray(6 + r), 64],
  ] as const) {
    const [first = 0x80, second = 0] = digits;
    const isNegative = first >= 0x80;
    const isPadded = digits.length > 1 && first === 0 && second < 0x80;
    const shown = digits.length === 33 && first === 0 ? digits.subarray(1) : digits;
    if (isNegative || isPadded || shown.length > 32) return null;
    compact.set(shown, end - shown.length);
  }
  return compact;
}
