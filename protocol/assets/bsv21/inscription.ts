/**
 * 1Sat ordinals: content next to an output's lock, in an envelope that is never executed (docs.1satordinals.com):
 * OP_FALSE OP_IF "ord" OP_1 <content type> OP_0 <content> OP_ENDIF
 * Anything after an OP_RETURN is data. Ambiguous envelopes don't count as inscriptions.
 */
import { concatBytes, equalBytes } from '../../bitcoin/bytes.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { p2pkhHash } from '../../bitcoin/address.ts';
import { pushData } from '../../bitcoin/push-data.ts';

const OP_PUSHDATA1 = 0x4c;
const OP_PUSHDATA4 = 0x4e;
const OP_ONE = 0x51;
const OP_SIXTEEN = 0x60;
const OP_IF = 0x63;
const OP_ENDIF = 0x68;
const OP_RETURN = 0x6a;
const P2PKH_BYTES = 25;

/** OP_FALSE OP_IF and the push of "ord". */
const MARK = /* @__PURE__ */ new Uint8Array([0x00, OP_IF, 0x03, 0x6f, 0x72, 0x64]);

/** Field number of the content type. */
const CONTENT_TYPE = 1;
/** Field number of the content, which is the last field. */
const CONTENT = 0;
/** Maximum number of fields in an envelope. Only the type and the content are read. */
const MAX_ENVELOPE_FIELDS = 32;
/** Maximum length of the content type. RFC 6838, section 4.2 allows two names of 127 characters, plus parameters. */
const MAX_CONTENT_TYPE_BYTES = 255;

export interface Inscription {
  /** The content type as written, at most 255 bytes of printable ASCII. Empty if the envelope has no such field. */
  contentType: string;
  content: Uint8Array;
  /** The script without the envelope: the lock, and any data after an OP_RETURN. */
  lock: Uint8Array;
}

/** One opcode of a script, the data that it pushes, and the offset of the next opcode. */
interface Step {
  opcode: number;
  data: Uint8Array | null;
  end: number;
}

/** Reads the opcode at an offset, without copying. Returns null at the script's end and for a truncated opcode. */
function stepAt(script: Uint8Array, at: number): Step | null {
  const opcode = script[at];
  if (opcode === undefined) return null;
  let begin = at + 1;
  if (opcode > OP_PUSHDATA4) return { opcode, data: null, end: begin };
  let length = opcode;
  if (opcode >= OP_PUSHDATA1) {
    const width = 1 << (opcode - OP_PUSHDATA1);
    length = 0;
    for (let i = width - 1; i >= 0; i -= 1) length = length * 256 + (script[begin + i] ?? 0);
    begin += width;
  }
  const end = begin + length;
  return end > script.length ? null : { opcode, data: script.subarray(begin, end), end };
}

/** Returns the number of a field, which is a push of 0 or 1 bytes, or one of OP_1 to OP_16. Null for anything else. */
function fieldNumber({ opcode, data }: Step): number | null {
  if (data === null) return opcode >= OP_ONE && opcode <= OP_SIXTEEN ? opcode - OP_ONE + 1 : null;
  return data.length === 0 ? 0 : data.length === 1 ? (data[0] as number) : null;
}

/** True if an opcode only pushes data. Other opcodes, such as OP_ELSE, could make the rest executable. */
function isPush(step: Step): boolean {
  return step.data !== null || fieldNumber(step) !== null;
}

/** Returns the offset of the first envelope, or -1. Ignores envelopes inside a push and after an OP_RETURN. */
function envelopeAt(script: Uint8Array, from = 0): number {
  for (let at = from; at < script.length;) {
    const opcode = script[at] as number;
    // Scripts can have millions of opcodes, so only data pushes are parsed.
    if (opcode === 0x00 || opcode > OP_PUSHDATA4) {
      if (opcode === OP_RETURN) return -1;
      const isMark = opcode === 0x00 && script[at + 1] === OP_IF;
      if (isMark && equalBytes(script.subarray(at, at + MARK.length), MARK)) return at;
      at += 1;
      continue;
    }
    const step = stepAt(script, at);
    if (!step) return -1;
    at = step.end;
  }
  return -1;
}

/** Reads an envelope's fields. `end` is the offset after the envelope. */
function readEnvelope(script: Uint8Array, at: number): (Omit<Inscription, 'lock'> & { end: number }) | null {
  let contentType: string | null = null;
  let next = at + MARK.length;
  for (let fields = 0; fields < MAX_ENVELOPE_FIELDS; fields += 1) {
    const name = stepAt(script, next);
    const value = name && stepAt(script, name.end);
    if (!name || !value || !isPush(name) || !isPush(value)) return null;
    const field = fieldNumber(name);
    if (field === CONTENT) {
      const last = stepAt(script, value.end);
      if (!value.data || last?.opcode !== OP_ENDIF) return null;
      return { contentType: contentType ?? '', content: value.data, end: last.end };
    }
    if (field === CONTENT_TYPE) {
      if (contentType !== null || !value.data) return null;
      contentType = printable(value.data);
      if (contentType === null) return null;
    }
    next = value.end;
  }
  return null;
}

function printable(bytes: Uint8Array): string | null {
  return bytes.length <= MAX_CONTENT_TYPE_BYTES && bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
    ? String.fromCharCode(...bytes)
    : null;
}

/** Returns the only inscription in a locking script. Null if there isn't exactly one well-formed inscription. */
export function readInscription(script: Uint8Array): Inscription | null {
  const at = envelopeAt(script);
  const read = at < 0 ? null : readEnvelope(script, at);
  if (!read || envelopeAt(script, read.end) >= 0) return null;
  const { contentType, content, end } = read;
  return { contentType, content, lock: concatBytes(script.subarray(0, at), script.subarray(end)) };
}

/**
 * Returns the hash of the public key whose signature is sufficient to spend an output: P2PKH, optionally with an
 * inscription, or with data after an OP_RETURN. Null for any other script.
 */
export function ownerHash(script: Uint8Array): Uint8Array | null {
  const lock = readInscription(script)?.lock ?? script;
  if (lock.length > P2PKH_BYTES && lock[P2PKH_BYTES] !== OP_RETURN) return null;
  return p2pkhHash(lock.subarray(0, P2PKH_BYTES));
}

/**
 * Writes a locking script that carries content: the envelope, followed by the lock.
 * @throws ServiceError `invalid-request` if the content type is malformed
 */
export function writeInscription(contentType: string, content: Uint8Array, lock: Uint8Array): Uint8Array<ArrayBuffer> {
  const type = new TextEncoder().encode(contentType);
  if (type.length === 0 || printable(type) === null)
    throw new ServiceError('invalid-request', { detail: 'invalid content type' });
  return concatBytes(
    MARK,
    new Uint8Array([OP_ONE]),
    pushData(type),
    new Uint8Array([0x00]),
    pushData(content),
    new Uint8Array([OP_ENDIF]),
    lock,
  );
}
