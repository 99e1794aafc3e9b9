/** Splits a script into opcodes and pushes, and formats it as text. */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { OPCODES } from '../../protocol/bitcoin/opcodes.ts';

export const OP = {
  PUSHDATA1: 0x4c,
  PUSHDATA4: 0x4e,
  NEGATE1: 0x4f,
  ONE: 0x51,
  SIXTEEN: 0x60,
  NOP: 0x61,
  IF: 0x63,
  NOTIF: 0x64,
  ENDIF: 0x68,
  VERIFY: 0x69,
  RETURN: 0x6a,
  TWO_DROP: 0x6d,
  DROP: 0x75,
  CHECKSIG: 0xac,
  CHECKSIGVERIFY: 0xad,
  CHECKMULTISIG: 0xae,
  CHECKMULTISIGVERIFY: 0xaf,
} as const;

/** One opcode, or one push with its data. */
export interface Chunk {
  opcode: number;
  /** The item that this chunk pushes onto the stack; null if the opcode isn't a push. */
  data: Uint8Array | null;
  /** Offsets of this chunk and of the next one (bytes). */
  at: number;
  end: number;
}

function pushedNumber(opcode: number): Uint8Array | null {
  if (opcode === OP.NEGATE1) return new Uint8Array([0x81]);
  return opcode >= OP.ONE && opcode <= OP.SIXTEEN ? new Uint8Array([opcode - OP.ONE + 1]) : null;
}

/**
 * Splits a script into at most `most` chunks. Never throws.
 * @returns `cut` if the last push is longer than the rest of the script; `more` if there are more chunks
 */
export function readChunks(
  script: Uint8Array,
  most = Number.POSITIVE_INFINITY,
): { chunks: Chunk[]; cut: boolean; more: boolean } {
  const chunks: Chunk[] = [];
  for (let at = 0; at < script.length;) {
    if (chunks.length >= most) return { chunks, cut: false, more: true };
    const opcode = script[at] as number;
    let begin = at + 1;
    let length = opcode < OP.PUSHDATA1 ? opcode : 0;
    if (opcode >= OP.PUSHDATA1 && opcode <= OP.PUSHDATA4) {
      const width = 1 << (opcode - OP.PUSHDATA1);
      if (begin + width > script.length) return { chunks, cut: true, more: false };
      for (let i = width - 1; i >= 0; i -= 1) length = length * 256 + (script[begin + i] as number);
      begin += width;
    }
    if (begin + length > script.length) return { chunks, cut: true, more: false };
    const end = begin + length;
    chunks.push({ opcode, at, end, data: opcode <= OP.PUSHDATA4 ? script.subarray(begin, end) : pushedNumber(opcode) });
    at = end;
  }
  return { chunks, cut: false, more: false };
}

/** True if a push is as short as possible. Nodes don't relay transactions that execute a longer one. */
export function isMinimal({ opcode, data }: Chunk): boolean {
  if (data === null || opcode >= OP.NEGATE1) return true;
  const [first = 0] = data;
  if (data.length === 1 && ((first >= 1 && first <= 16) || first === 0x81)) return false;
  if (data.length < OP.PUSHDATA1) return opcode === data.length;
  if (data.length <= 0xff) return opcode === OP.PUSHDATA1;
  return opcode === (data.length <= 0xffff ? OP.PUSHDATA1 + 1 : OP.PUSHDATA4);
}

/** Alternative names, which are parsed but never written. */
const SECOND = ['OP_FALSE', 'OP_TRUE', '0', '-1'];
const NAMES = new Map([...OPCODES].filter(([name]) => !SECOND.includes(name)).map(([name, opcode]) => [opcode, name]));

/**
 * Formats a script as text: opcode names, and pushes in hexadecimal. Opcodes without a name are numbers: `0xff`.
 * @param most maximum number of characters, and approximate number of bytes read. Longer text ends with `…`
 */
export function writeAsm(script: Uint8Array, most = Number.POSITIVE_INFINITY): string {
  // Each word in the text has at least two characters, and a space after it.
  const { chunks, cut, more } = readChunks(script, Math.ceil(most / 3) + 1);
  const words: string[] = [];
  let length = 0;
  for (const { opcode, data } of chunks) {
    if (length > most) break;
    const word =
      data !== null && data.length > 0 && opcode <= OP.PUSHDATA4
        ? toHex(data.subarray(0, Math.ceil(most / 2) + 1))
        : (NAMES.get(opcode) ?? (data === null ? `0x${opcode.toString(16)}` : 'OP_0'));
    words.push(word);
    length += word.length + 1;
  }
  const text = words.join(' ');
  if (text.length > most) return `${text.slice(0, most)} …`;
  return cut || more ? `${text} …`.trimStart() : text;
}
