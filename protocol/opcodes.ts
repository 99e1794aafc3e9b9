/**
 * Scripts as text ("ASM"): opcode names and hexadecimal pushes between single spaces. Read strictly: what is not exactly
 * this form is no script. (`@bsv/sdk` reads the empty text, double blanks, odd hex and unknown words as something.)
 * Apart from asm.ts, which makes the bytes, because the button only asks whether a text is a script.
 */

// The opcodes in the order of their numbers, as the network names them, from OP_1NEGATE (0x4f) on.
const NAMES =
  '1NEGATE RESERVED 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 NOP VER IF NOTIF VERIF VERNOTIF ELSE ENDIF VERIFY RETURN TOALTSTACK FROMALTSTACK 2DROP 2DUP 3DUP 2OVER 2ROT 2SWAP IFDUP DEPTH DROP DUP NIP OVER PICK ROLL ROT SWAP TUCK CAT SPLIT NUM2BIN BIN2NUM SIZE INVERT AND OR XOR EQUAL EQUALVERIFY RESERVED1 RESERVED2 1ADD 1SUB 2MUL 2DIV NEGATE ABS NOT 0NOTEQUAL ADD SUB MUL DIV MOD LSHIFT RSHIFT BOOLAND BOOLOR NUMEQUAL NUMEQUALVERIFY NUMNOTEQUAL LESSTHAN GREATERTHAN LESSTHANOREQUAL GREATERTHANOREQUAL MIN MAX WITHIN RIPEMD160 SHA1 SHA256 HASH160 HASH256 CODESEPARATOR CHECKSIG CHECKSIGVERIFY CHECKMULTISIG CHECKMULTISIGVERIFY NOP1 NOP2 NOP3 NOP4 NOP5 NOP6 NOP7 NOP8 NOP9 NOP10';
/** Number of every word that is an opcode; `0` and `-1` are the short forms that ASM has for two of them. */
export const OPCODES = new Map<string, number>([['OP_0', 0], ['OP_FALSE', 0], ['0', 0], ['-1', 0x4f], ['OP_TRUE', 0x51]]);
/** OP_16: up to here opcodes only push. */
const LAST_PUSH = 0x60;
NAMES.split(' ').forEach((name, i) => OPCODES.set(`OP_${name}`, 0x4f + i));

/**
 * Is this a script in ASM? Digits alone are never: they are a user ID. Nor are pushes without an opcode that does
 * something: a raw script's hex would become one push, which anyone could spend.
 */
export function isAsm(text: string): boolean {
  const tokens = text.split(' ');
  return tokens.every((token) => OPCODES.has(token) || /^(?:[0-9a-fA-F]{2})+$/.test(token))
    && tokens.some((token) => (OPCODES.get(token) ?? 0) > LAST_PUSH);
}
