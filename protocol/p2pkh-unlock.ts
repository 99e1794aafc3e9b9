/** What unlocks a P2PKH output: a push of a signature with its sighash byte, and a push of the public key. Pure. */

/** The parts of such a script. `signature` is DER, without its sighash byte; `publicKey` compressed or not. */
export interface P2pkhUnlock {
  signature: Uint8Array;
  sighashType: number;
  publicKey: Uint8Array;
}

/** Reads one, or null for any other script. */
export function readP2pkhUnlock(script: Uint8Array): P2pkhUnlock | null {
  const length = script[0] ?? 0;
  // A DER signature and its sighash byte take 9 to 73 bytes.
  if (length < 9 || length > 73) return null;
  const publicKey = script.subarray(length + 2);
  if (script[1 + length] !== publicKey.length || (publicKey.length !== 33 && publicKey.length !== 65)) return null;
  return { signature: script.subarray(1, length), sighashType: script[length] as number, publicKey };
}

/** r and s of a DER signature (BIP 66), 32 bytes each; null if it is malformed. */
export function compactOf(der: Uint8Array): Uint8Array | null {
  const r = der[3] ?? 0;
  const s = der[5 + r] ?? 0;
  const wellFormed =
    der[0] === 0x30 && der[1] === der.length - 2 && der[2] === 0x02 && der[4 + r] === 0x02 && der.length === 6 + r + s;
  if (!wellFormed || r === 0 || r > 33 || s === 0 || s > 33) return null;
  const compact = new Uint8Array(64);
  for (const [digits, end] of [
    [der.subarray(4, 4 + r), 32],
    [der.subarray(6 + r), 64],
  ] as const) {
    const shown = digits.length === 33 ? digits.subarray(1) : digits;
    if (digits.length === 33 && digits[0] !== 0) return null;
    compact.set(shown, end - shown.length);
  }
  return compact;
}
