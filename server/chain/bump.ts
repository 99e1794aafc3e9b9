/**
 * Reads a merkle path (BUMP, BRC-74) and computes its root. @bsv/sdk's parser trusts the counts that it reads, so nine
 * bytes that claim four billion leaves exhaust memory.
 */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { Cursor } from './cursor.ts';
import { EnvelopeError } from './envelope-error.ts';
import { merkleParent } from './merkle.ts';

export interface Proof {
  height: number;
  root: string;
}

/** A level's node hashes, keyed by offset; null for a duplicate of the left sibling. */
type Level = Map<number, string | null>;

const DUPLICATE = 1;

function fail(): never {
  throw new EnvelopeError(468, 'a merkle path lacks a hash');
}

function readLevel(cursor: Cursor): Level {
  const level: Level = new Map();
  for (let left = cursor.compactSize(); left > 0; left -= 1) {
    const offset = cursor.compactSize();
    const flags = cursor.uint8();
    if (flags > 2 || level.has(offset)) fail();
    level.set(offset, flags === DUPLICATE ? null : toHex(cursor.take(32).slice().reverse()));
  }
  return level;
}

/** Computes the parents of a level's nodes and adds them to the next level. A parent already there must match. */
function climb(level: Level, above: Level): Level {
  for (const [offset, hash] of level) {
    if (hash === null) continue;
    const right = offset % 2 === 1;
    const sibling = level.get(right ? offset - 1 : offset + 1);
    // Only a right sibling can be a duplicate.
    if (sibling === undefined || (sibling === null && right)) fail();
    const parent = right ? merkleParent(sibling ?? hash, hash) : merkleParent(hash, sibling ?? hash);
    const given = above.get(Math.floor(offset / 2));
    if (given !== undefined && given !== parent) fail();
    above.set(Math.floor(offset / 2), parent);
  }
  return above;
}

/** Pairs the last hash of a complete level with itself if the number of nodes is odd. */
function addCopy(level: Level): void {
  if (level.size > 1 && level.size % 2 === 1 && !level.has(level.size)) level.set(level.size, null);
}

/** Reads the merkle path at the cursor. @throws EnvelopeError 468 (no single root), 463 (malformed) */
export function readBump(cursor: Cursor): Proof {
  const height = cursor.compactSize();
  const levels: Level[] = [];
  for (let left = cursor.uint8(); left > 0; left -= 1) levels.push(readLevel(cursor));
  const [first, ...above] = levels;
  if (!first) fail();
  // In a block with only a coinbase, the leaf is the root.
  const alone = levels.length === 1 && first.size === 1 ? first.get(0) : undefined;
  if (typeof alone === 'string') return { height, root: alone };
  // Some services list all leaves of a block and omit the higher levels.
  const isWhole = first.size > 1 && [...first.keys()].every((offset) => offset < first.size);
  if (isWhole && above.length === 0) addCopy(first);
  let top = [...above, new Map() as Level].reduce((level, next) => {
    const climbed = climb(level, next);
    if (isWhole) addCopy(climbed);
    return climbed;
  }, first);
  while (isWhole && top.size > 1) {
    top = climb(top, new Map() as Level);
    addCopy(top);
  }
  const root = top.size === 1 ? top.get(0) : undefined;
  return typeof root === 'string' ? { height, root } : fail();
}

/** Skips the merkle path at the cursor without computing its root. @throws EnvelopeError 463, 468 (malformed) */
export function skipBump(cursor: Cursor): void {
  cursor.compactSize();
  for (let levels = cursor.uint8(); levels > 0; levels -= 1) {
    for (let left = cursor.compactSize(); left > 0; left -= 1) {
      cursor.compactSize();
      const flags = cursor.uint8();
      if (flags > 2) fail();
      if (flags !== DUPLICATE) cursor.skip(32);
    }
  }
}
