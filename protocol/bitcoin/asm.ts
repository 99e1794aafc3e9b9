import { fromHex, joinBytes } from './bytes.ts';
import { isAsm, isHexScript, OPCODES } from './opcodes.ts';
import { pushData } from './push-data.ts';

/** Encodes ASM as script bytes. Returns null if `text` isn't ASM (see {@link isAsm}). */
export function parseAsm(text: string): Uint8Array<ArrayBuffer> | null {
  if (!isAsm(text)) return null;
  return joinBytes(
    text.split(' ').map((token) => {
      const opcode = OPCODES.get(token);
      return opcode === undefined ? pushData(fromHex(token)) : new Uint8Array([opcode]);
    }),
  );
}

/** Returns the bytes of a script in ASM or hex, or null if the text is neither. */
export function parseScript(text: string): Uint8Array<ArrayBuffer> | null {
  return parseAsm(text) ?? (isHexScript(text) ? fromHex(text) : null);
}

/** True for pay-to-script-hash (BIP 16). Nodes have rejected such outputs since the Genesis upgrade. */
export function isScriptHash(script: Uint8Array): boolean {
  return script.length === 23 && script[0] === 0xa9 && script[1] === 20 && script[22] === 0x87;
}

/** True for a script that can never be spent because it starts with `OP_RETURN` or `OP_FALSE OP_RETURN`. */
export function isDataScript(script: Uint8Array): boolean {
  return script[0] === 0x6a || (script[0] === 0x00 && script[1] === 0x6a);
}
