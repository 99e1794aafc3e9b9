/**
 * Recognizes locking scripts that one signature unlocks: @bsv/sdk's `PushDrop`, which pushes data before or after the
 * public key and drops it again, and P2PK, which has no data. Pure.
 */

const OP_PUSHDATA1 = 0x4c;
const OP_PUSHDATA4 = 0x4e;
const OP_1NEGATE = 0x4f;
const OP_RESERVED = 0x50;
const OP_16 = 0x60;
const OP_2DROP = 0x6d;
const OP_DROP = 0x75;
const OP_CHECKSIG = 0xac;

/** Returns the public key whose signature is enough to spend an output, or null for other scripts. */
export function pushDropKey(script: Uint8Array): Uint8Array | null {
  let key: Uint8Array | null = null;
  let last: Uint8Array | null = null;
  let depth = 0; // number of stack items above the signature, later above its result
  for (let at = 0; at < script.length;) {
    const opcode = script[at] as number;
    const push = readPush(script, at);
    if (push) {
      if (!isMinimal(opcode, push.data)) return null;
      [at, last] = [push.end, push.data];
      depth += 1;
      continue;
    }
    at += 1;
    if (opcode === OP_CHECKSIG) {
      if (key || depth !== 1 || !last || !isPublicKey(last)) return null;
      [key, depth] = [last, 0];
    } else if (opcode === OP_DROP || opcode === OP_2DROP) depth -= opcode === OP_DROP ? 1 : 2;
    else return null;
    if (depth < 0) return null;
    last = null;
  }
  return depth === 0 ? key : null;
}

/**
 * Reads the push at an offset in a script. An opcode that pushes a number has empty data. Returns null if the push is
 * truncated or missing.
 */
function readPush(script: Uint8Array, at: number): { data: Uint8Array; end: number } | null {
  const opcode = script[at] as number;
  if (opcode > OP_16 || opcode === OP_RESERVED) return null;
  if (opcode >= OP_1NEGATE) return { data: new Uint8Array(), end: at + 1 };
  const sizeBytes = opcode < OP_PUSHDATA1 ? 0 : 2 ** (opcode - OP_PUSHDATA1);
  let length = sizeBytes === 0 ? opcode : 0;
  for (let i = 0; i < sizeBytes; i += 1) length += (script[at + 1 + i] ?? 0) * 2 ** (8 * i);
  const start = at + 1 + sizeBytes;
  return start + length <= script.length ? { data: script.subarray(start, start + length), end: start + length } : null;
}

/** True if the push is minimal, as nodes require in transactions of version 1 (SCRIPT_VERIFY_MINIMALDATA). */
function isMinimal(opcode: number, data: Uint8Array): boolean {
  if (opcode > OP_PUSHDATA4) return true;
  const [first = 0] = data;
  if (data.length === 1 && ((first >= 1 && first <= 16) || first === 0x81)) return false;
  if (data.length < OP_PUSHDATA1) return opcode === data.length;
  if (data.length <= 0xff) return opcode === OP_PUSHDATA1;
  return opcode === (data.length <= 0xffff ? OP_PUSHDATA1 + 1 : OP_PUSHDATA4);
}

const isPublicKey = (data: Uint8Array): boolean =>
  (data.length === 33 && (data[0] === 2 || data[0] === 3)) || (data.length === 65 && data[0] === 4);
