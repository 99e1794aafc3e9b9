/**
 * Recognizes scripts written as text ("ASM"): opcode names and hexadecimal pushes, separated by single spaces. Separate
 * from asm.ts, because the button doesn't need to encode scripts.
 */

/** Matches the opcode names. The table below is too large for the page script. A test compares the two. */
const OPCODE =
  /^OP_(?:0|FALSE|TRUE|1NEGATE|[1-9]|1[0-6]|NOP(?:[1-9]|10)?|VER(?:IF|NOTIF|IFY)?|(?:NOT|END)?IF|ELSE|RETURN|(?:TO|FROM)ALTSTACK|(?:2|3|IF)?DUP|2?(?:DROP|OVER|ROT|SWAP|MUL|DIV)|DEPTH|NIP|PICK|ROLL|TUCK|CAT|SPLIT|NUM2BIN|BIN2NUM|SIZE|INVERT|(?:BOOL)?(?:AND|OR)|XOR|(?:NUM)?EQUAL(?:VERIFY)?|(?:0|NUM)NOTEQUAL|RESERVED[12]?|1?(?:ADD|SUB)|NEGATE|ABS|NOT|MOD|[LR]SHIFT(?:NUM)?|SUBSTR|LEFT|RIGHT|(?:LESS|GREATER)THAN(?:OREQUAL)?|MIN|MAX|WITHIN|RIPEMD160|SHA(?:1|256)|HASH(?:160|256)|CODESEPARATOR|CHECK(?:MULTI)?SIG(?:VERIFY)?)$/;

/** True if the text is one or more whole bytes in hexadecimal. */
export function isHexScript(text: string): boolean {
  return text !== '' && text.length % 2 === 0 && !/[^\da-f]/i.test(text);
}

/**
 * True if the text is a script in ASM with at least one opcode name. Text with only digits or hexadecimal is a user ID,
 * a phone number or a script's bytes. As ASM, such text would be a script that only pushes data, so anyone could spend
 * its coins.
 */
export function isAsm(text: string): boolean {
  const tokens = text.split(' ');
  return (
    tokens.every((token) => OPCODE.test(token) || /^(?:-1|0)$/.test(token) || isHexScript(token)) &&
    tokens.some((token) => OPCODE.test(token))
  );
}

// The network's opcode names in numerical order, from OP_1NEGATE (0x4f).
const NAMES =
  '1NEGATE RESERVED 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 NOP VER IF NOTIF VERIF VERNOTIF ELSE ENDIF VERIFY RETURN TOALTSTACK FROMALTSTACK 2DROP 2DUP 3DUP 2OVER 2ROT 2SWAP IFDUP DEPTH DROP DUP NIP OVER PICK ROLL ROT SWAP TUCK CAT SPLIT NUM2BIN BIN2NUM SIZE INVERT AND OR XOR EQUAL EQUALVERIFY RESERVED1 RESERVED2 1ADD 1SUB 2MUL 2DIV NEGATE ABS NOT 0NOTEQUAL ADD SUB MUL DIV MOD LSHIFT RSHIFT BOOLAND BOOLOR NUMEQUAL NUMEQUALVERIFY NUMNOTEQUAL LESSTHAN GREATERTHAN LESSTHANOREQUAL GREATERTHANOREQUAL MIN MAX WITHIN RIPEMD160 SHA1 SHA256 HASH160 HASH256 CODESEPARATOR CHECKSIG CHECKSIGVERIFY CHECKMULTISIG CHECKMULTISIGVERIFY NOP1 NOP2 NOP3 SUBSTR LEFT RIGHT LSHIFTNUM RSHIFTNUM NOP9 NOP10';

function opcodes(): Map<string, number> {
  const numbers = new Map<string, number>([
    ['OP_0', 0],
    ['OP_FALSE', 0],
    ['0', 0],
    ['-1', 0x4f],
    ['OP_TRUE', 0x51],
    // These opcodes' names before the Chronicle upgrade.
    ...[4, 5, 6, 7, 8].map((n): [string, number] => [`OP_NOP${n}`, 0xaf + n]),
  ]);
  NAMES.split(' ').forEach((name, i) => numbers.set(`OP_${name}`, 0x4f + i));
  return numbers;
}

/** Opcode numbers by name, including ASM's short forms `0` and `-1`. */
export const OPCODES: ReadonlyMap<string, number> = /* @__PURE__ */ opcodes();
