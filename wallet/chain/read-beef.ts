/**
 * Reads BEEF (BRC-62), including version 2 (BRC-96) and Atomic BEEF (BRC-95): transactions with merkle paths (BUMP,
 * BRC-74). Rejects truncated, repeated or trailing data. The contents are unverified (check-beef.ts).
 */
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { readTransaction, sha256d, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { ByteReader } from '../../protocol/bitcoin/wire-format.ts';

const VERSION_1 = 0xefbe_0001;
const VERSION_2 = 0xefbe_0002;
const ATOMIC = 0x0101_0101;
/** Maximum number of transactions, and of merkle paths, per BEEF. */
const MAX_MEMBERS = 1000;
/** Maximum height of a merkle tree (BRC-74). */
const MAX_TREE = 64;
/** Maximum number of leaves in all paths, each of which may require a hash computation. */
const MAX_LEAVES = MAX_MEMBERS * MAX_TREE;

/** A merkle path for one or more transactions in a block. */
export interface Bump {
  height: number;
  /**
   * Known hashes at each tree height by position (hex in display byte order), including computed ones. Null means that
   * the hash is a duplicate of its sibling.
   */
  levels: Map<number, string | null>[];
  /** Positions in the block by transaction ID. */
  places: ReadonlyMap<string, number>;
  bytes: Uint8Array;
}

export interface BeefMember {
  txid: string;
  bytes: Uint8Array;
  transaction: Transaction;
  /** Null if unconfirmed. */
  bump: Bump | null;
}

export interface Beef {
  /** The transaction for which an Atomic BEEF was made; null for other BEEFs. */
  subject: string | null;
  members: ReadonlyMap<string, BeefMember>;
}

const wrong = (detail: string) => new ServiceError('invalid-transaction', { detail: `BEEF: ${detail}` });

/** Reads a complete BEEF. @throws ServiceError `invalid-transaction` */
export function readBeef(bytes: Uint8Array): Beef {
  const reader = new ByteReader(bytes);
  let version = reader.uint32();
  const isAtomic = version === ATOMIC;
  const subject = isAtomic ? toHex(reader.bytes(32).reverse()) : null;
  if (isAtomic) version = reader.uint32();
  if (version !== VERSION_1 && version !== VERSION_2) throw wrong('version');
  const bumps = readBumps(reader, bytes);
  const members = new Map<string, BeefMember>();
  const names = new Set<string>();
  for (let left = counted(reader); left > 0; left -= 1) {
    const member = version === VERSION_1 ? readOld(reader, bytes, bumps) : readNew(reader, bytes, bumps);
    const txid = typeof member === 'string' ? member : member.txid;
    if (names.has(txid)) throw wrong('duplicate transaction');
    names.add(txid);
    if (typeof member !== 'string') members.set(txid, member);
  }
  if (reader.left > 0) throw wrong('trailing bytes');
  if (subject !== null && !members.has(subject)) throw wrong('transaction missing');
  return { subject, members };
}

/**
 * Reads a merkle path (BUMP, BRC-74, hex) that must contain a transaction.
 * @throws ServiceError `invalid-transaction`, `invalid-request`
 */
export function readMerklePath(hex: string, txid: string): Bump {
  const bytes = concatBytes(Uint8Array.of(1), fromHex(hex));
  const reader = new ByteReader(bytes);
  const [bump] = readBumps(reader, bytes) as [Bump];
  if (reader.left > 0 || !bump.places.has(txid)) throw wrong('path of another transaction');
  return bump;
}

function counted(reader: ByteReader): number {
  const count = reader.compactSize();
  if (count > MAX_MEMBERS) throw wrong('too many parts');
  return count;
}

/** Reads a transaction in BRC-62 format: its bytes, a flag for its merkle path, and the path's index. */
function readOld(reader: ByteReader, bytes: Uint8Array, bumps: readonly Bump[]): BeefMember {
  const from = reader.at;
  const transaction = readTransaction(reader);
  const raw = bytes.slice(from, reader.at);
  const flag = reader.uint8();
  if (flag > 1) throw wrong('flag');
  return memberOf(raw, transaction, flag === 1 ? bumpAt(bumps, reader.compactSize()) : null);
}

/**
 * Reads a transaction in BRC-96 format: the type, then the bytes, or only the ID if the recipient knows the
 * transaction.
 */
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
  if (!bump) throw wrong('missing path');
  return bump;
}

function memberOf(bytes: Uint8Array, transaction: Transaction, bump: Bump | null): BeefMember {
  const txid = txidOf(bytes);
  if (bump && !bump.places.has(txid)) throw wrong('path of another transaction');
  return { txid, bytes, transaction, bump };
}

function readBumps(reader: ByteReader, bytes: Uint8Array): Bump[] {
  const roots = new Map<number, string>();
  let leaves = 0;
  return Array.from({ length: counted(reader) }, () => {
    const from = reader.at;
    const height = reader.compactSize();
    const tree = reader.uint8();
    if (tree === 0 || tree > MAX_TREE) throw wrong('tree height');
    const levels = Array.from({ length: tree }, () => readLevel(reader));
    leaves += levels.reduce((sum, { size }) => sum + size, 0);
    if (leaves > MAX_LEAVES) throw wrong('too many leaves');
    const read = bytes.slice(from, reader.at);
    const places = placesIn(levels);
    const root = completed(levels);
    if ((roots.get(height) ?? root) !== root) throw wrong('two blocks at one height');
    roots.set(height, root);
    return { height, levels, places, bytes: read };
  });
}

function readLevel(reader: ByteReader): Map<number, string | null> {
  const count = reader.compactSize();
  // Each leaf takes at least two bytes.
  if (count * 2 > reader.left) throw wrong('number of leaves');
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
 * Returns the positions of transaction IDs. A repeated ID gets its lowest position, because the others are merkle tree
 * duplicates.
 */
function placesIn(levels: Bump['levels']): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, hash] of levels[0] as Map<number, string | null>)
    if (hash !== null) places.set(hash, Math.min(place, places.get(hash) ?? place));
  return places;
}

/**
 * Computes the hashes that a path omits, up to the root, which all leaves must share. Ignores unconnected hashes,
 * because some wallets include them.
 * @returns the root
 */
function completed(levels: Bump['levels']): string {
  let known = levels[0] as Map<number, string | null>;
  // In a block with a single transaction, its ID is the root.
  const isAlone = levels.length === 1 && known.size === 1 && known.has(0);
  // Some services list all leaves of a block and omit the higher levels.
  const isWhole = known.size > 1 && [...known.keys()].every((place) => place < known.size);
  if (isWhole && levels.length === 1) addCopy(known);
  for (const [height, level] of isAlone ? [] : levels.entries()) {
    const above = new Map<number, string>();
    let given = levels[height + 1];
    for (const place of known.keys()) {
      const up = Math.floor(place / 2);
      if (above.has(up)) continue;
      const [left, right] = [level.get(2 * up), level.get(2 * up + 1)];
      if (!left || right === undefined) throw wrong('path with a gap');
      const joined = hashOfTwo(left, right ?? left);
      if ((given?.get(up) ?? joined) !== joined) throw wrong('path of two blocks');
      above.set(up, joined);
    }
    if (!given && isWhole && above.size > 1) levels.push((given = new Map(above)));
    for (const [place, hash] of above) given?.set(place, hash);
    if (given && isWhole) addCopy(given);
    known = above;
  }
  const root = known.get(0);
  if (!root || known.size > 1) throw wrong('path without a root');
  return root;
}

/** If a complete level has an odd number of hashes, adds a duplicate as the last one's sibling. */
function addCopy(level: Map<number, string | null>): void {
  if (level.size > 1 && level.size % 2 === 1 && !level.has(level.size)) level.set(level.size, null);
}

const bytesOf = (hash: string) => fromHex(hash).reverse();
const hashOfTwo = (left: string, right: string) => toHex(sha256d(concatBytes(bytesOf(left), bytesOf(right))).reverse());

/** Returns a transaction's path in TSC format: its position, and the sibling hashes from the leaf up. */
export function pathIn({ levels, places }: Bump, txid: string): { index: number; nodes: string[] } {
  const index = places.get(txid) as number;
  if (levels.length === 1 && levels[0]?.size === 1) return { index, nodes: [] };
  const nodes = levels.map((level, height) => {
    const at = Math.floor(index / 2 ** height);
    return level.get(at % 2 === 0 ? at + 1 : at - 1) ?? '*';
  });
  return { index, nodes };
}
