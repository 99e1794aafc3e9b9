/** Scripts as text: their bytes. */
import { concatBytes, fromHex } from './bytes.ts';
import { isAsm, OPCODES } from './opcodes.ts';
import { pushData } from './transaction.ts';

/** The script's bytes, or null where `text` is not ASM (see {@link isAsm}). */
export function parseAsm(text: string): Uint8Array<ArrayBuffer> | null {
  if (!isAsm(text)) return null;
  return concatBytes(...text.split(' ').map((token) => {
    const opcode = OPCODES.get(token);
    return opcode === undefined ? pushData(fromHex(token)) : new Uint8Array([opcode]);
  }));
}

/** The bytes of a script given as ASM or as the hex of its bytes, or null where it is neither. */
export function parseScript(text: string): Uint8Array<ArrayBuffer> | null {
  return parseAsm(text) ?? (/^(?:[0-9a-fA-F]{2})+$/.test(text) ? fromHex(text) : null);
}

/** True for a script that can never be spent because it starts as data: `OP_RETURN`, or `OP_FALSE OP_RETURN`. */
export function isDataScript(script: Uint8Array): boolean {
  return script[0] === 0x6a || (script[0] === 0x00 && script[1] === 0x6a);
}
