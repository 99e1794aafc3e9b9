/**
 * Reads BEEF (BRC-62), also of version 2 (BRC-96) and for one transaction (atomic, BRC-95): transactions with merkle
 * paths (BUMP, BRC-74). Exactly: what is cut off, repeated or left over is refused. Nothing is believed yet
 * (check-beef.ts).
 */
import { concatBytes, fromHex, toHex } from '../../../protocol/bytes.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { ByteReader, readTransaction, sha256d, txidOf, type Transaction } from '../../../protocol/transaction.ts';

const VERSION_1 = 0xefbe_0001;
const VERSION_2 = 0xefbe_0002;
const ATOMIC = 0x0101_0101;
/** Most transactions, and most merkle paths, that one BEEF is read with. */
const MAX_MEMBERS = 1000;
/** BRC-74: no tree of a block is higher. */
const MAX_TREE = 64;

/** A merkle path of some transactions of one block. */
export interface Bump {
  height: number;
  /** At each height of the tree the known hashes (hex as ids are written) by their place; null: a copy of the one beside. */
  levels: Map<number, string | null>[];
  /** As it was read. */
  bytes: Uint8Array;
}

/** A transaction of a BEEF. */
export interface BeefMember {
  txid: string;
  bytes: Uint8Array;
  transaction: Transaction;
  /** Null where it says nothing of a block. */
  bump: Bump | null;
}

/** What a BEEF says. */
export interface Beef {
  /** The transaction that it is about; null where it names none. */
  subject: string | null;
  members: ReadonlyMap<string, BeefMember>;
}

const wrong = (detail: string) => new ServiceError('invalid-transaction', { detail: `BEEF: ${detail}` });

/**
 * Reads a whole BEEF.
 * @throws ServiceError `invalid-transaction`
 */
export function readBeef(bytes: Uint8Array): Beef {
  const reader = new ByteReader(bytes);
  let version = reader.uint32();
  const isAtomic = version === ATOMIC;
  const subject = isAtomic ? toHex(reader.bytes(32).reverse()) : null;
  if (isAtomic) version = reader.uint32();
  if (version !== VERSION_1 && version !== VERSION_2) throw wrong('version');
  const bumps = Array.from({ length: counted(reader) }, () => readBump(reader, bytes));
  const members = new Map<string, BeefMember>();
  const names = new Set<string>();
  for (let left = counted(reader); left > 0; left -= 1) {
    const member = version === VERSION_1 ? readOld(reader, bytes, bumps) : readNew(reader, bytes, bumps);
    const txid = typeof member === 'string' ? member : member.txid;
    if (names.has(txid)) throw wrong('a transaction twice');
    names.add(txid);
    if (typeof member !== 'string') members.set(txid, member);
  }
  if (reader.left > 0) throw wrong('trailing bytes');
  if (subject !== null && !members.has(subject)) throw wrong('without its transaction');
  return { subject, members };
}

function counted(reader: ByteReader): number {
  const count = reader.compactSize();
  if (count > MAX_MEMBERS) throw wrong('too many parts');
  return count;
}

/** BRC-62: the transaction, then whether it has a path, and which. */
function readOld(reader: ByteReader, bytes: Uint8Array, bumps: readonly Bump[]): BeefMember {
  const from = reader.at;
  const transaction = readTransaction(reader);
  const raw = bytes.slice(from, reader.at);
  const flag = reader.uint8();
  if (flag > 1) throw wrong('flag');
  return memberOf(raw, transaction, flag === 1 ? bumpAt(bumps, reader.compactSize()) : null);
}

/** BRC-96: what it is, then that; of a transaction that the receiver knows the id alone. */
function readNew(reader: ByteReader, bytes: Uint8Array, bumps: readonly Bump[]): BeefMember | string {
  const format = reader.uint8();
  if (format === 2) return toHex(reader.bytes(32).reverse());
  if (format > 2) throw wrong('format');
  const bump = format === 1 ? bumpAt(bumps, reader.compactSize()) : null;
  const from = reader.at;
  const transaction = readTransaction(reader);
  return memberOf(bytes.slice(from, reader.at), transaction, bump);
}

function bumpAt(bumps: readonly Bump[], index: number): Bump {
  const bump = bumps[index];
  if (!bump) throw wrong('a path that is not there');
  return bump;
}

function memberOf(bytes: Uint8Array, transaction: Transaction, bump: Bump | null): BeefMember {
  return { txid: txidOf(bytes), bytes, transaction, bump };
}

function readBump(reader: ByteReader, bytes: Uint8Array): Bump {
  const from = reader.at;
  const height = reader.compactSize();
  const tree = reader.uint8();
  if (tree === 0 || tree > MAX_TREE) throw wrong('height of a tree');
  const levels = Array.from({ length: tree }, () => readLevel(reader));
  return { height, levels, bytes: bytes.slice(from, reader.at) };
}

function readLevel(reader: ByteReader): Map<number, string | null> {
  const count = reader.compactSize();
  // Each leaf takes at least two bytes.
  if (count * 2 > reader.left) throw wrong('count of leaves');
  const level = new Map<number, string | null>();
  for (let left = count; left > 0; left -= 1) {
    const offset = reader.compactSize();
    const flags = reader.uint8();
    if (flags > 2 || level.has(offset)) throw wrong('a leaf');
    level.set(offset, flags === 1 ? null : toHex(reader.bytes(32).reverse()));
  }
  return level;
}

/**
 * The path of one transaction, in TSC form: its place and the hashes beside it from the leaf up. Hashes that the path
 * leaves out since they follow from others are worked out.
 * @throws ServiceError `invalid-proof` (it does not lead from there to the top)
 */
export function pathIn({ levels }: Bump, txid: string): { index: number; nodes: string[] } {
  const leaves = levels[0] as Map<number, string | null>;
  const index = [...leaves].find(([, hash]) => hash === txid)?.[0];
  if (index === undefined) throw new ServiceError('invalid-proof', { detail: 'BEEF: a path of another transaction' });
  // A block of one transaction: its id is the root.
  if (levels.length === 1 && leaves.size === 1 && index === 0) return { index, nodes: [] };
  const nodes = levels.map((_, height) => {
    const at = Math.floor(index / 2 ** height);
    const node = hashAt(levels, height, at % 2 === 0 ? at + 1 : at - 1);
    if (node === undefined) throw new ServiceError('invalid-proof', { detail: 'BEEF: a path with a gap' });
    return node ?? '*';
  });
  return { index, nodes };
}

/** The hash at a place of the tree: given, or worked out from the two below it and kept; undefined where it is unknown. */
function hashAt(levels: Bump['levels'], height: number, offset: number): string | null | undefined {
  const level = levels[height] as Map<number, string | null>;
  const given = level.get(offset);
  if (given !== undefined || height === 0) return given;
  const left = hashAt(levels, height - 1, offset * 2);
  if (left === undefined || left === null) return undefined;
  const right = hashAt(levels, height - 1, offset * 2 + 1);
  if (right === undefined) return undefined;
  const bytes = (hash: string) => fromHex(hash).reverse();
  const hash = toHex(sha256d(concatBytes(bytes(left), bytes(right ?? left))).reverse());
  level.set(offset, hash);
  return hash;
}
