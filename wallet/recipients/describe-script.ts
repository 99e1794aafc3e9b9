/**
 * Describes who can spend the money that a script locks, as far as the wallet can prove it. Anything unproven is called
 * unreadable. Follows the network's rules since its Genesis upgrade of 2020: OP_RETURN outside of a conditional ends a
 * script, and the stack at that point is the result. P2SH isn't supported.
 */
import { Point } from '@noble/secp256k1';
import { p2pkhHash, writeAddress, type Network } from '../../protocol/bitcoin/address.ts';
import { isScriptHash } from '../../protocol/bitcoin/asm.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { ShownData, ScriptView } from '../../protocol/messages/wallet-messages.ts';
import { hash160 } from '../keys/keys.ts';
import { isMinimal, OP, readChunks, writeAsm, type Chunk } from './script-chunks.ts';

/** Maximum length of each string sent to a window (characters). */
const SHOWN = 5000;
/** Maximum number of data pieces sent to a window per script. */
const SHOWN_PIECES = 50;
/** Maximum number of opcodes read per script. All locks that the wallet recognizes are shorter. */
const MAX_OPCODES_PER_SCRIPT = 10_000;
/** Maximum number of opcodes read per view of a payment, across all its scripts. */
const MAX_OPCODES_PER_VIEW = 50_000;

/** The number of opcodes that can still be read for one view. */
export class ScriptBudget {
  #left = MAX_OPCODES_PER_VIEW;

  /** Splits a script into chunks, within the remaining budget. */
  read(script: Uint8Array): ReturnType<typeof readChunks> {
    const read = readChunks(script, Math.min(MAX_OPCODES_PER_SCRIPT, this.#left));
    this.#left -= read.chunks.length;
    return read;
  }
}

/** In an unreadable script, minimum length of a push to be shown as text (bytes). Shorter text occurs by chance. */
const TEXT_FROM = 4;

type Lock = Pick<ScriptView, 'kind'> & Partial<Pick<ScriptView, 'address' | 'keys' | 'needed'>>;

/**
 * Returns bytes in hex and, if they are UTF-8 without control characters, as text. `most` limits the text or, if there
 * is none, the hex (characters).
 */
export function showData(bytes: Uint8Array, most = SHOWN): ShownData {
  let text: string | null = null;
  try {
    const read = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!/(?![\n\t\r])\p{Cc}/u.test(read)) text = read;
  } catch {
    // not text
  }
  return {
    text: text?.slice(0, most) ?? null,
    hex: toHex(bytes.subarray(0, (text === null ? most : SHOWN) / 2)),
    bytes: bytes.length,
  };
}

/**
 * Describes any bytes as a script. Never throws.
 * @param budget opcodes left for the view; the rest of the script is unreadable
 */
export function describeScript(
  script: Uint8Array,
  network: Network,
  budget = new ScriptBudget(),
): Omit<ScriptView, 'own'> {
  const { lock, data } = readScript(script, network, budget);
  return {
    kind: lock.kind,
    address: lock.address ?? null,
    keys: lock.keys ?? [],
    needed: lock.needed ?? 0,
    data: data.slice(0, SHOWN_PIECES).map((piece) => showData(piece)),
    bytes: script.length,
    hex: toHex(script.subarray(0, SHOWN / 2)),
    asm: writeAsm(script, SHOWN),
  };
}

function readScript(script: Uint8Array, network: Network, budget: ScriptBudget): { lock: Lock; data: Uint8Array[] } {
  const { chunks, cut, more } = budget.read(script);
  const end = endOf(chunks);
  // The part beyond the budget may contain anything.
  if (more && end === chunks.length) return { lock: { kind: 'unreadable' }, data: textIn(chunks) };
  const known = readLock(script, chunks.slice(0, end), network);
  // Nothing after OP_RETURN is executed, so any bytes can follow it. Without OP_RETURN, the last push must be complete.
  if (known && (end < chunks.length || !cut)) {
    const data = [...known.data, ...afterEnd(script, chunks, end, cut)];
    // If there is no data, the lock must be the whole script, because no known software adds anything else to a lock.
    if (data.length > 0 || known.size === chunks.length) return { lock: known.lock, data };
  }
  return { lock: judge(script, chunks, end, cut), data: textIn(chunks) };
}

/** Returns the pushes that are text, up to {@link SHOWN_PIECES}. */
function textIn(chunks: readonly Chunk[]): Uint8Array[] {
  const texts: Uint8Array[] = [];
  for (const { data } of chunks) {
    if (texts.length === SHOWN_PIECES) break;
    if (data !== null && data.length >= TEXT_FROM && showData(data).text !== null) texts.push(data);
  }
  return texts;
}

/** Returns the index of the OP_RETURN that ends the script, or the number of chunks if none does. */
function endOf(chunks: readonly Chunk[]): number {
  let depth = 0;
  for (const [i, { opcode }] of chunks.entries()) {
    if (opcode === OP.RETURN) return depth === 0 ? i : chunks.length;
    if (opcode === OP.IF || opcode === OP.NOTIF) depth += 1;
    if (opcode === OP.ENDIF) depth -= 1;
  }
  return chunks.length;
}

function afterEnd(script: Uint8Array, chunks: readonly Chunk[], end: number, cut: boolean): Uint8Array[] {
  const [first, ...rest] = chunks.slice(end);
  if (!first) return [];
  const pushes = rest.flatMap(({ data }) => (data === null ? [] : [data]));
  if (!cut && pushes.length === rest.length) return pushes;
  return [script.subarray(first.end)];
}

/** Finds a known lock, which may be surrounded by data that has no effect. Returns null for other scripts. */
function readLock(
  script: Uint8Array,
  chunks: readonly Chunk[],
  network: Network,
): { lock: Lock; size: number; data: Uint8Array[] } | null {
  const before = skipData(chunks, 0);
  for (const size of [5, 2, multisigSize(chunks, before.next)]) {
    const parts = chunks.slice(before.next, before.next + size);
    const after = skipData(chunks, before.next + size);
    if (parts.length !== size || size === 0 || after.next !== chunks.length) continue;
    const lock = lockOf(script.subarray(parts[0]?.at, parts.at(-1)?.end), parts, network);
    if (lock) return { lock, size, data: [...before.data, ...after.data] };
  }
  return null;
}

/** Returns the length of a multisig lock (OP_m, keys, OP_n, OP_CHECKMULTISIG) in chunks, or 0 if it is too short. */
function multisigSize(chunks: readonly Chunk[], from: number): number {
  const size = chunks.findIndex(({ opcode }, i) => i >= from && opcode === OP.CHECKMULTISIG) - from + 1;
  return size >= 4 ? size : 0;
}

/**
 * Skips data that has no effect, because it is pushed and dropped again or is in a conditional that is never executed.
 */
function skipData(chunks: readonly Chunk[], from: number): { next: number; data: Uint8Array[] } {
  const data: Uint8Array[] = [];
  let next = from;
  for (;;) {
    const more = droppedData(chunks, next) ?? envelopedData(chunks, next);
    if (!more) return { next, data };
    data.push(...more.data);
    next = more.next;
  }
}

/** Reads pushes that are immediately followed by the same number of drops. */
function droppedData(chunks: readonly Chunk[], from: number): { next: number; data: Uint8Array[] } | null {
  const data: Uint8Array[] = [];
  let next = from;
  for (let chunk = chunks[next]; chunk?.data && isMinimal(chunk); chunk = chunks[next]) {
    data.push(chunk.data);
    next += 1;
  }
  let left = data.length;
  for (; left > 0; next += 1) {
    const opcode = chunks[next]?.opcode;
    if (opcode === OP.DROP) left -= 1;
    else if (opcode === OP.TWO_DROP && left >= 2) left -= 2;
    else return null;
  }
  return data.length > 0 ? { next, data } : null;
}

/** Reads an inscription's envelope: OP_FALSE OP_IF, pushes, OP_ENDIF. */
function envelopedData(chunks: readonly Chunk[], from: number): { next: number; data: Uint8Array[] } | null {
  if (chunks[from]?.opcode !== 0 || chunks[from + 1]?.opcode !== OP.IF) return null;
  const data: Uint8Array[] = [];
  for (let next = from + 2; next < chunks.length; next += 1) {
    const { opcode, data: pushed } = chunks[next] as Chunk;
    if (opcode === OP.ENDIF) return { next: next + 1, data };
    if (pushed === null) return null;
    if (pushed.length > 0) data.push(pushed);
  }
  return null;
}

/** Returns the lock that consists of exactly these bytes; null if it is unknown. */
function lockOf(bytes: Uint8Array, parts: readonly Chunk[], network: Network): Lock | null {
  const hash = p2pkhHash(bytes);
  if (hash) return { kind: 'address', address: writeAddress(hash, network) };
  const [first, last] = [parts[0] as Chunk, parts[parts.length - 1] as Chunk];
  if (parts.length === 2) {
    if (last.opcode !== OP.CHECKSIG || first.data === null || !isMinimal(first) || !hasKeyForm(first.data)) return null;
    // These bytes look like a key but aren't a point on the curve, so no signature can be valid.
    if (!isKey(first.data)) return { kind: 'nobody' };
    return { kind: 'key', keys: [toHex(first.data)], needed: 1, address: writeAddress(hash160(first.data), network) };
  }
  const [m, n] = [smallNumber(first), smallNumber(parts[parts.length - 2] as Chunk)];
  const keys = parts.slice(1, -2).map(({ data }) => data);
  if (last.opcode !== OP.CHECKMULTISIG || m === null || n !== keys.length || m > n) return null;
  if (!keys.every((key) => key !== null && hasKeyForm(key) && isKey(key)) || !parts.every(isMinimal)) return null;
  // The holder of a repeated or negated key can sign twice, so fewer than `needed` holders could spend the money.
  if (new Set(keys.map((key) => toHex((key as Uint8Array).subarray(1, 33)))).size < keys.length) return null;
  return { kind: 'keys', keys: keys.map((key) => toHex(key as Uint8Array)), needed: m };
}

function smallNumber({ opcode }: Chunk): number | null {
  return opcode >= OP.ONE && opcode <= OP.SIXTEEN ? opcode - OP.ONE + 1 : null;
}

/** True if bytes have the length and prefix of a key, compressed or uncompressed (SEC 1, section 2.3.3). */
function hasKeyForm(key: Uint8Array): boolean {
  return (key.length === 33 && (key[0] === 2 || key[0] === 3)) || (key.length === 65 && key[0] === 4);
}

function isKey(key: Uint8Array): boolean {
  try {
    Point.fromBytes(key).assertValidity();
    return true;
  } catch {
    return false;
  }
}

/** Returns the provable properties of a script with an unknown lock. */
function judge(script: Uint8Array, chunks: readonly Chunk[], end: number, cut: boolean): Lock {
  const isWhole = !cut || chunks[end] !== undefined;
  // An incomplete push makes a script fail, unless the script has ended before it.
  if (!isWhole) return { kind: chunks.some(({ opcode }) => opcode === OP.RETURN) ? 'unreadable' : 'nobody' };
  const run = chunks.slice(0, end);
  // The network rejects every transaction with a P2SH output.
  if (isScriptHash(script)) return { kind: 'retired' };
  const outcome = outcomeOf(run);
  if (outcome !== null) return { kind: outcome };
  return {
    kind: run.some(({ opcode }) => opcode >= OP.CHECKSIG && opcode <= OP.CHECKMULTISIGVERIFY) ? 'unreadable' : 'puzzle',
  };
}

/**
 * Executes a script that consists only of pushes, drops and verifications. Spending its output requires no key. Returns
 * null for other scripts.
 */
function outcomeOf(chunks: readonly Chunk[]): 'anyone' | 'nobody' | null {
  const stack: Uint8Array[] = [];
  let fails = false;
  for (const { opcode, data } of chunks) {
    if (data !== null) stack.push(data);
    // Missing stack items come from the unlocking script, so the spender can choose them freely.
    else if (opcode === OP.DROP) stack.pop();
    else if (opcode === OP.TWO_DROP) stack.splice(-2);
    else if (opcode === OP.VERIFY) fails ||= !isTrue(stack.pop());
    else if (opcode !== OP.NOP) return null;
  }
  return fails || !isTrue(stack.pop()) ? 'nobody' : 'anyone';
}

/**
 * True if a stack item is neither zero nor negative zero, or if it is missing, because the spender can then choose it.
 */
function isTrue(value: Uint8Array | undefined): boolean {
  return value === undefined || value.some((byte, i) => byte !== 0 && !(i === value.length - 1 && byte === 0x80));
}
