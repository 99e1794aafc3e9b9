/**
 * Fuzzes scripts written as text. `@bsv/sdk` and `bsv` must produce the same bytes if they support the opcode names.
 */
import { Script } from '@bsv/sdk';
import bsv from 'bsv';
import { parseAsm, parseScript } from '../../protocol/bitcoin/asm.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { isAsm } from '../../protocol/bitcoin/opcodes.ts';
import { readChunks } from '../../wallet/recipients/script-chunks.ts';
import { must, mustEqual, target, textOf } from '../target.ts';

/** Opcode names that the libraries lack or assign to a different value, because the opcodes were replaced later. */
const OWN = /OP_(?:VER|VERIF|VERNOTIF|2MUL|2DIV|LSHIFT|RSHIFT|SUBSTR|LEFT|RIGHT|SPLIT|NUM2BIN|BIN2NUM|RESERVED|NOP)/;

export default target({
  form: 'bytes',
  seeds: () => [
    `OP_DUP OP_HASH160 ${'ab'.repeat(20)} OP_EQUALVERIFY OP_CHECKSIG`,
    `OP_FALSE OP_RETURN ${'68'.repeat(80)} ${'00'.repeat(300)}`,
    'OP_1 OP_16 OP_1NEGATE -1 0 OP_0 OP_TRUE',
    'OP_HASH160 00 OP_EQUAL',
    '76a914',
  ],
  read: (input) => ({ asm: parseAsm(textOf(input)), script: parseScript(textOf(input)) }),
  check: ({ asm, script }, input) => {
    const text = textOf(input);
    must((asm !== null) === isAsm(text), 'the two ASM checks disagree');
    if (!asm) {
      if (script) mustEqual(toHex(script), text.toLowerCase(), 'the bytes differ from the hexadecimal text');
      return;
    }
    const words = text.split(' ');
    mustEqual(readChunks(asm).chunks.length, words.length, 'the number of words differs');
    mustEqual(toHex(script!), toHex(asm), 'the two scripts differ');
    if (OWN.test(text)) return;
    // Both libraries accept only lower-case hexadecimal.
    const lower = text.replace(/\b[\dA-F]+\b/gi, (word) => word.toLowerCase());
    mustEqual(toHex(asm), Script.fromASM(lower).toHex(), 'the bytes differ from @bsv/sdk’s');
    mustEqual(toHex(asm), bsv.Script.fromASM(lower).toHex(), 'the bytes differ from bsv’s');
  },
});
