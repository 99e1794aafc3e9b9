/**
 * Splits a submission in any of three formats into its transactions: raw, Extended Format (BRC-30) and BEEF (BRC-62,
 * BRC-95, BRC-96). Doesn't validate the transactions.
 */
import { concatBytes, toHex } from '../../protocol/bitcoin/bytes.ts';
import { type TransactionOutput, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { type Proof, readBump, skipBump } from './bump.ts';
import { Cursor } from './cursor.ts';
import { EnvelopeError } from './envelope-error.ts';

/** A submitted transaction: its bytes, and the outputs it spends if Extended Format contains them. */
export interface Candidate {
  bytes: Uint8Array;
  sources: readonly TransactionOutput[] | null;
}

/** A submission: proofs of mined ancestors, then the transactions to accept, the subject last. */
export interface Envelope {
  proofs: readonly Proof[];
  candidates: readonly Candidate[];
}

const EXTENDED = '0000000000ef';
const BEEF_V1 = '0100beef';
const BEEF_V2 = '0200beef';
const ATOMIC = '01010101';

/** Detects the format by its marker and splits the bytes. @throws EnvelopeError 463 (malformed), 467 and 468 (BEEF) */
export function readEnvelope(bytes: Uint8Array): Envelope {
  const marker = toHex(bytes.subarray(0, 4));
  if (marker === ATOMIC) return readAtomic(bytes);
  if (marker === BEEF_V1 || marker === BEEF_V2) return readBeef(bytes);
  if (toHex(bytes.subarray(4, 10)) === EXTENDED) return { proofs: [], candidates: [readExtended(bytes)] };
  return { proofs: [], candidates: [{ bytes, sources: null }] };
}

/** A transaction's bytes. `isProven` is true if the submission has a merkle path for it, which isn't checked. */
export interface Member {
  bytes: Uint8Array;
  isProven: boolean;
}

/**
 * Returns a submission's transactions, the subject last. Leaves it to the network to check merkle roots, because
 * computing them takes ten seconds for ten megabytes.
 * @throws EnvelopeError
 */
export function transactionsOf(bytes: Uint8Array): Member[] {
  if (!isBeef(bytes)) return readEnvelope(bytes).candidates.map((one) => ({ bytes: one.bytes, isProven: false }));
  const isAtomic = toHex(bytes.subarray(0, 4)) === ATOMIC;
  const cuts: Member[] = [];
  walkBeef(isAtomic ? bytes.subarray(36) : bytes, {
    path: skipBump,
    transaction: (cut, isProven) => cuts.push({ bytes: cut, isProven }),
  });
  if (isAtomic) assertMeant(bytes, cuts.at(-1)?.bytes ?? bytes);
  return cuts;
}

/** Returns a copy of a BEEF's subject, its last transaction. @throws EnvelopeError if the bytes aren't a BEEF */
export function subjectOfBeef(bytes: Uint8Array): Uint8Array {
  if (!isBeef(bytes)) throw new EnvelopeError(463, 'not a BEEF');
  return (transactionsOf(bytes).at(-1)?.bytes ?? bytes).slice();
}

const isBeef = (bytes: Uint8Array) => [ATOMIC, BEEF_V1, BEEF_V2].includes(toHex(bytes.subarray(0, 4)));

/** Reads BRC-30: a marker follows the version, and each input has the value and script of the output it spends. */
function readExtended(bytes: Uint8Array): Candidate {
  const cursor = new Cursor(bytes);
  const version = cursor.take(4);
  cursor.skip(6);
  const countAt = cursor.at;
  const count = cursor.compactSize();
  const parts = [version, bytes.subarray(countAt, cursor.at)];
  const sources: TransactionOutput[] = [];
  for (let i = 0; i < count; i += 1) {
    const inputAt = cursor.at;
    cursor.skip(36);
    cursor.skip(cursor.compactSize());
    cursor.skip(4);
    parts.push(bytes.subarray(inputAt, cursor.at));
    sources.push({ satoshis: cursor.uint64(), lockingScript: cursor.take(cursor.compactSize()) });
  }
  parts.push(bytes.subarray(cursor.at));
  return { bytes: concatBytes(...parts), sources };
}

function cutTransaction(cursor: Cursor): Uint8Array {
  const start = cursor.skip(4);
  for (let inputs = cursor.compactSize(); inputs > 0; inputs -= 1) {
    cursor.skip(36);
    cursor.skip(cursor.compactSize());
    cursor.skip(4);
  }
  for (let outputs = cursor.compactSize(); outputs > 0; outputs -= 1) {
    cursor.skip(8);
    cursor.skip(cursor.compactSize());
  }
  cursor.skip(4);
  return cursor.bytes.subarray(start, cursor.at);
}

/** Reads BRC-95: `01010101`, the subject's txid, and a BEEF. */
function readAtomic(bytes: Uint8Array): Envelope {
  const envelope = readBeef(bytes.subarray(36));
  assertMeant(bytes, envelope.candidates.at(-1)?.bytes ?? bytes);
  return envelope;
}

/** Checks that the last transaction of an Atomic BEEF (BRC-95) is the subject that it names. @throws EnvelopeError */
function assertMeant(atomic: Uint8Array, transaction: Uint8Array): void {
  if (txidOf(transaction) !== toHex(atomic.slice(4, 36).reverse()))
    throw new EnvelopeError(463, 'the last transaction is not the named subject');
}

function readBeef(bytes: Uint8Array): Envelope {
  const proofs: Proof[] = [];
  const candidates: Candidate[] = [];
  walkBeef(bytes, {
    path: (cursor) => proofs.push(readBump(cursor)),
    transaction: (cut) => candidates.push({ bytes: cut.slice(), sources: null }),
  });
  return { proofs, candidates };
}

/** Walks a BEEF (BRC-62, BRC-96): merkle paths, then transactions, parents first, each with its path index, if any. */
function walkBeef(
  bytes: Uint8Array,
  visit: { path: (cursor: Cursor) => void; transaction: (cut: Uint8Array, isProven: boolean) => void },
): void {
  const cursor = new Cursor(bytes);
  const second = toHex(cursor.take(4)) === BEEF_V2;
  const paths = cursor.compactSize();
  for (let left = paths; left > 0; left -= 1) visit.path(cursor);
  let transactions = 0;
  for (let left = cursor.compactSize(); left > 0; left -= 1) {
    const format = second ? cursor.uint8() : 0;
    if (format > 2) cursor.fail('an unknown transaction format');
    if (second && format === 1 && cursor.compactSize() >= paths)
      throw new EnvelopeError(468, 'a transaction refers to a missing merkle path');
    // This entry is only a txid. If the ledger doesn't have the transaction, the child's inputs are missing.
    if (format === 2) {
      cursor.skip(32);
      continue;
    }
    const cut = cutTransaction(cursor);
    const isProven = second ? format === 1 : cursor.uint8() === 1;
    if (!second && isProven && cursor.compactSize() >= paths)
      throw new EnvelopeError(468, 'a transaction refers to a missing merkle path');
    visit.transaction(cut, isProven);
    transactions += 1;
  }
  cursor.end();
  if (transactions === 0) throw new EnvelopeError(467, 'the BEEF contains no transaction');
}
