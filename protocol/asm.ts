/**
 * Scripts as text ("ASM"): opcode names and hexadecimal pushes between single spaces. Read strictly: what is not exactly
 * this form is no script. (`@bsv/sdk` reads the empty text, double blanks, odd hex and unknown words as something.)
 */
import { concatBytes, fromHex } from './bytes.ts';
import { pushData } from './transaction.ts';

// The opcodes in the order of their numbers, as the network names them, from OP_1NEGATE (0x4f) on.
const NAMES =
  '1NEGATE RESERVED 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 NOP VER IF NOTIF VERIF VERNOTIF ELSE ENDIF VERIFY RETURN TOALTSTACK FROMALTSTACK 2DROP 2DUP 3DUP 2OVER 2ROT 2SWAP IFDUP DEPTH DROP DUP NIP OVER PICK ROLL ROT SWAP TUCK CAT SPLIT NUM2BIN BIN2NUM SIZE INVERT AND OR XOR EQUAL EQUALVERIFY RESERVED1 RESERVED2 1ADD 1SUB 2MUL 2DIV NEGATE ABS NOT 0NOTEQUAL ADD SUB MUL DIV MOD LSHIFT RSHIFT BOOLAND BOOLOR NUMEQUAL NUMEQUALVERIFY NUMNOTEQUAL LESSTHAN GREATERTHAN LESSTHANOREQUAL GREATERTHANOREQUAL MIN MAX WITHIN RIPEMD160 SHA1 SHA256 HASH160 HASH256 CODESEPARATOR CHECKSIG CHECKSIGVERIFY CHECKMULTISIG CHECKMULTISIGVERIFY NOP1 NOP2 NOP3 NOP4 NOP5 NOP6 NOP7 NOP8 NOP9 NOP10';
const OPCODES = new Map<string, number>([['OP_0', 0], ['OP_FALSE', 0], ['0', 0], ['-1', 0x4f], ['OP_TRUE', 0x51]]);
NAMES.split(' ').forEach((name, i) => OPCODES.set(`OP_${name}`, 0x4f + i));

/**
 * The script's bytes, or null where `text` is not ASM. Digits alone are never ASM: they are a user ID. Nor are pushes
 * without any opcode: a raw script's hex would become one push, which anyone could spend.
 */
export function parseAsm(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/OP_[A-Z]/.test(text)) return null;
  const parts: Uint8Array[] = [];
  for (const token of text.split(' ')) {
    const opcode = OPCODES.get(token);
    if (opcode !== undefined) parts.push(new Uint8Array([opcode]));
    else if (/^(?:[0-9a-fA-F]{2})+$/.test(token)) parts.push(pushData(fromHex(token)));
    else return null;
  }
  return concatBytes(...parts);
}

/** The bytes of a script given as ASM or as the hex of its bytes, or null where it is neither. */
export function parseScript(text: string): Uint8Array<ArrayBuffer> | null {
  return parseAsm(text) ?? (/^(?:[0-9a-fA-F]{2})+$/.test(text) ? fromHex(text) : null);
}

/** True for a script that can never be spent because it starts as data: `OP_RETURN`, or `OP_FALSE OP_RETURN`. */
export function isDataScript(script: Uint8Array): boolean {
  return script[0] === 0x6a || (script[0] === 0x00 && script[1] === 0x6a);
}
