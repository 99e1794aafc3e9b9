/** Mutates bytes: single bytes, ranges, counts, and literals from the code. */
import type { Random } from '../simulation/random.ts';

/** Maximum length of an input (bytes). */
export const MAX_INPUT_BYTES = 8192;
/**
 * Counts (compact sizes) near each limit, in minimal and longer encodings, and numbers that cause arithmetic errors.
 */
const EDGES = [
  ...['00', '01', '7f', '80', 'fc', 'fd', 'fe', 'ff', 'fdfc00', 'fdfd00', 'fdffff', 'fefd000000', 'feffff0000'],
  ...['fe00000100', 'feffffff7f', 'feffffffff', 'ff0000000001000000', 'ffffffffffffffffff', '0000', 'ffff'],
  ...['00000080', 'ffffffff', '00000000', '0100000000000000', '0040075af0750700', 'ffffffffffffffff'],
].map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')));

export interface Sources {
  random: Random;
  words: readonly Uint8Array[];
  other: () => Uint8Array;
}

const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
/** Returns the bytes with the range between two positions replaced. */
const replaced = (bytes: Uint8Array, from: number, to: number, by: Uint8Array): Uint8Array =>
  joined(bytes.subarray(0, from), by, bytes.subarray(to));

type Change = (bytes: Uint8Array, at: number, sources: Sources) => Uint8Array;

const piece = (bytes: Uint8Array, random: Random): Uint8Array => {
  const from = random.below(bytes.length);
  return bytes.slice(from, from + random.between(1, random.chance(0.7) ? 8 : bytes.length));
};

const CHANGES: readonly Change[] = [
  (bytes, at, { random }) => {
    const copy = bytes.slice();
    if (copy.length > 0) (copy[at] as number) ^= 1 << random.below(8);
    return copy;
  },
  (bytes, at, { random }) => replaced(bytes, at, at + 1, random.bytes(1)),
  (bytes, at, { random }) => {
    const copy = bytes.slice();
    if (copy.length > 0) (copy[at] as number) += random.between(-8, 8);
    return copy;
  },
  (bytes, at, { random }) => replaced(bytes, at, at, random.bytes(random.between(1, 8))),
  (bytes, at, { random }) =>
    replaced(bytes, at, at + random.between(1, random.chance(0.8) ? 8 : bytes.length + 1), EMPTY),
  (bytes, at, { random }) => {
    const edge = random.pick(EDGES);
    return replaced(bytes, at, at + random.pick([0, 1, edge.length]), edge);
  },
  // Encodes a one-byte count in three bytes.
  (bytes, at) => replaced(bytes, at, at + 1, Uint8Array.of(0xfd, bytes[at] ?? 0, 0)),
  (bytes, at, { random, words }) => {
    const word = words.length > 0 ? random.pick(words) : EMPTY;
    return replaced(bytes, at, at + random.pick([0, word.length]), word);
  },
  (bytes, at, { random }) => {
    const copied = piece(bytes, random);
    return replaced(bytes, at, at + random.pick([0, copied.length]), copied);
  },
  (bytes, at, { random }) => {
    const copied = piece(bytes, random);
    const times = Math.min(
      1 << random.below(random.chance(0.1) ? 12 : 3),
      Math.floor(MAX_INPUT_BYTES / (copied.length + 1)),
    );
    return replaced(bytes, at, at, joined(...Array.from({ length: times }, () => copied)));
  },
  (bytes, at, { other, random }) => {
    const more = other();
    return joined(bytes.subarray(0, at), more.subarray(random.chance(0.5) ? at : random.below(more.length + 1)));
  },
  (bytes, at, { other, random }) => replaced(bytes, at, at + random.pick([0, 8]), piece(other(), random)),
];
const EMPTY = new Uint8Array();

export function mutateBytes(bytes: Uint8Array, sources: Sources): Uint8Array {
  const { random } = sources;
  let changed = bytes;
  for (let left = 1 << random.below(4); left > 0; left -= 1)
    changed = random.pick(CHANGES)(changed, random.below(changed.length + 1), sources);
  return changed.length > MAX_INPUT_BYTES ? changed.slice(0, MAX_INPUT_BYTES) : changed;
}
