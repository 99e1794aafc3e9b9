/** Compares this BEEF reader with @bsv/sdk's: both must return the same data and reject the same input. */
import { Beef, BeefTx, MerklePath, Transaction as SdkTransaction, Utils } from '@bsv/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { codeThrownBy } from '../../testing/code-of.ts';
import { hash256, merkleRoot, proofOf } from '../../testkit/network/blocks.ts';
import { pathIn, readBeef } from './read-beef.ts';

const runs = (inTests: number) => ({ numRuns: inTests });
const [VERSION_1, VERSION_2] = [4_022_206_465, 4_022_206_466];

/** Returns the ID of a transaction that doesn't exist. */
const strange = (n: number) => toHex(hash256(new Uint8Array([n & 255, (n >> 8) & 255, n >> 16])));
function transaction(n: number, parents: string[]): { bytes: Uint8Array; txid: string } {
  const made: Transaction = {
    version: 1,
    inputs: parents.map((txid) => ({ txid, vout: 0, unlockingScript: new Uint8Array(n % 5), sequence: 0xffff_ffff })),
    outputs: [{ satoshis: BigInt(n), lockingScript: new Uint8Array(n % 300) }],
    lockTime: n,
  };
  const bytes = serializeTransaction(made);
  return { bytes, txid: txidOf(bytes) };
}

function pathOf(txids: readonly string[], index: number, height: number): MerklePath {
  const { nodes } = proofOf(txids, index, '');
  const own = { offset: index, hash: txids[index]!, txid: true };
  if (nodes.length === 0) return new MerklePath(height, [[own]]);
  const levels = nodes.map((node, level) => {
    const offset = (index >> level) ^ 1;
    return node === '*' ? { offset, duplicate: true } : { offset, hash: node };
  });
  return new MerklePath(
    height,
    levels.map((one, level) => (level === 0 ? [own, one].sort((a, b) => a.offset - b.offset) : [one])),
  );
}

const plan = fc.record({
  isOld: fc.boolean(),
  isAtomic: fc.boolean(),
  /** True for one merged path per block, false for one path per transaction. */
  isMerged: fc.boolean(),
  blocks: fc.array(
    fc.record({ size: fc.integer({ min: 1, max: 40 }), mined: fc.array(fc.nat(39), { minLength: 1, maxLength: 4 }) }),
    { minLength: 1, maxLength: 4 },
  ),
  /** For each unconfirmed transaction, its parents among the earlier ones. */
  children: fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), { maxLength: 30 }),
  isChain: fc.boolean(),
  /** Confirmed transactions that are included only by ID. */
  knownOnly: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  order: fc.array(fc.nat(), { minLength: 50, maxLength: 50 }),
});

type Generated<A> = A extends fc.Arbitrary<infer T> ? T : never;

interface Built {
  bytes: Uint8Array;
  subject: string | null;
  roots: Map<number, string>;
}

function build({
  isOld,
  isAtomic,
  isMerged,
  blocks,
  children,
  isChain,
  knownOnly,
  order,
}: Generated<typeof plan>): Built {
  const beef = new Beef(isOld ? VERSION_1 : VERSION_2);
  const roots = new Map<number, string>();
  const all: { bytes: Uint8Array; txid: string }[] = [];
  let n = 0;
  for (const [i, { size, mined }] of blocks.entries()) {
    const height = 100 + i;
    const places = new Set(mined.map((place) => place % size));
    const own = new Map([...places].map((place) => [place, transaction((n += 1), [strange(n)])]));
    const txids = Array.from({ length: size }, (_, place) => own.get(place)?.txid ?? strange(1000 * (i + 1) + place));
    roots.set(height, merkleRoot(txids));
    for (const [place, made] of own) {
      const path = pathOf(txids, place, height);
      const bumpIndex = isMerged ? beef.mergeBump(path) : beef.bumps.push(path) - 1;
      const isKnown = !isOld && knownOnly[n % 4] && place !== mined[0]! % size;
      beef.txs.push(
        isKnown ? BeefTx.fromTxid(made.txid) : BeefTx.fromTx(SdkTransaction.fromBinary([...made.bytes]), bumpIndex),
      );
      all.push(made);
    }
  }
  for (const parents of children) {
    const ids = parents.map((parent) => all[isChain ? all.length - 1 : parent % all.length]!.txid);
    const made = transaction((n += 1), [...new Set(ids)]);
    beef.txs.push(BeefTx.fromTx(SdkTransaction.fromBinary([...made.bytes])));
    all.push(made);
  }
  const subject = beef.txs.findLast((one) => !one.isTxidOnly)!.txid;
  const ranks = new Map(beef.txs.map((one, i) => [one, order[i % order.length]!]));
  beef.txs.sort((a, b) => ranks.get(a)! - ranks.get(b)!);
  const writer = new Utils.Writer();
  beef.toWriter(writer as never); // serializes in the order of `txs`
  const plain = Uint8Array.from(writer.toArray());
  const bytes = isAtomic ? concatBytes(fromHex('01010101'), fromHex(subject).reverse(), plain) : plain;
  return { bytes, subject: isAtomic ? subject : null, roots };
}

/** Computes the root of a path without using the reader's hashing. */
function rootOf(txid: string, { index, nodes }: { index: number; nodes: string[] }): string {
  let hash: Uint8Array = fromHex(txid).reverse();
  for (const [height, node] of nodes.entries()) {
    const other = node === '*' ? hash : fromHex(node).reverse();
    hash = hash256(Math.floor(index / 2 ** height) % 2 === 0 ? concatBytes(hash, other) : concatBytes(other, hash));
  }
  return toHex(Uint8Array.from(hash).reverse());
}

test('a valid BEEF is parsed as by @bsv/sdk: versions 1 and 2, atomic, only IDs, paths of many blocks, in any order', () => {
  fc.assert(
    fc.property(plan, (planned) => {
      const { bytes, subject, roots } = build(planned);
      const ours = readBeef(bytes);
      const theirs = Beef.fromBinary([...bytes]);
      expect([ours.subject, theirs.atomicTxid ?? null]).toEqual([subject, subject]);
      const whole = theirs.txs.filter((one) => !one.isTxidOnly);
      expect([...ours.members.keys()]).toEqual(whole.map(({ txid }) => txid));
      for (const one of whole) {
        const { bytes: raw, transaction: read, bump } = ours.members.get(one.txid)!;
        expect([...raw]).toEqual(one.rawTx);
        expect(read.inputs.map(({ txid, vout }) => [txid, vout])).toEqual(
          one.tx!.inputs.map(({ sourceTXID, sourceOutputIndex }) => [sourceTXID, sourceOutputIndex]),
        );
        expect(read.outputs.map(({ satoshis, lockingScript }) => [Number(satoshis), toHex(lockingScript)])).toEqual(
          one.tx!.outputs.map(({ satoshis, lockingScript }) => [satoshis, lockingScript.toHex()]),
        );
        expect(bump === null).toBe(one.bumpIndex === undefined);
        if (!bump) continue;
        const path = theirs.bumps[one.bumpIndex!]!;
        expect(bump.height).toBe(path.blockHeight);
        const root = rootOf(one.txid, pathIn(bump, one.txid));
        expect([root, path.computeRoot(one.txid)]).toEqual([roots.get(bump.height), roots.get(bump.height)]);
      }
      expect(theirs.verifyValid(true).valid).toBe(true);
    }),
    runs(20),
  );
});

const change = fc.record({
  kind: fc.constantFrom('flip', 'set', 'cut', 'drop', 'repeat', 'swap'),
  at: fc.nat(),
  to: fc.nat(),
  length: fc.integer({ min: 1, max: 80 }),
});

function changed(bytes: Uint8Array, { kind, at, to, length }: Generated<typeof change>): Uint8Array {
  if (bytes.length === 0) return bytes;
  const [from, other] = [at % bytes.length, to % bytes.length];
  const part = bytes.slice(from, from + length);
  const copy = bytes.slice();
  if (kind === 'flip') copy[from]! ^= 1 << (to % 8);
  else if (kind === 'set') copy[from] = to % 256;
  else if (kind === 'cut') return bytes.slice(0, from);
  else if (kind === 'drop') return concatBytes(bytes.slice(0, from), bytes.slice(from + length));
  else if (kind === 'repeat') return concatBytes(bytes.slice(0, other), part, bytes.slice(other));
  else {
    copy.set(bytes.slice(other, other + part.length), from);
    copy.set(part.slice(0, bytes.length - other), other);
  }
  return copy;
}

/**
 * True if @bsv/sdk accepts the BEEF. Missing ancestors are allowed, because the wallet requests them from the network
 * (check-beef.ts).
 */
function isValid(bytes: Uint8Array): boolean {
  const beef = Beef.fromBinary([...bytes]);
  if (beef.verifyValid(true).valid) return true;
  const { missingInputs, notValid } = beef.sortTxs();
  return missingInputs.length + notValid.length > 0;
}

test('a changed BEEF is rejected if @bsv/sdk calls it invalid, and nothing is added to it', () => {
  fc.assert(
    fc.property(plan, fc.array(change, { minLength: 1, maxLength: 3 }), (planned, changes) => {
      const bytes = changes.reduce(changed, build(planned).bytes);
      const code = codeThrownBy(() => readBeef(bytes));
      if (code === 'invalid-transaction') return;
      expect(code).toBe('none');
      expect(isValid(bytes)).toBe(true);
      const members = [...readBeef(bytes).members.values()];
      const paths = [...new Set(members.map(({ bump }) => bump))];
      const kept = [...members, ...paths].reduce((sum, part) => sum + (part?.bytes.length ?? 0), 0);
      expect(kept).toBeLessThan(bytes.length);
    }),
    runs(60),
  );
});

const compact = (n: number) => new Utils.Writer().writeVarIntNum(n).toArray();
const one = transaction(7, [strange(1)]);
const two = transaction(8, [one.txid]);
const block = [one.txid, strange(2), strange(3), strange(4)];
const path = pathOf(block, 0, 100).toBinary();
const hash = (txid: string) => [...fromHex(txid).reverse()];
const leaf = (offset: number, txid: string, flags = 0) => [...compact(offset), flags, ...hash(txid)];
const v1 = (paths: number[][], ...txs: number[][]) =>
  Uint8Array.from([1, 0, 0xbe, 0xef, ...compact(paths.length), ...paths.flat(), ...compact(txs.length), ...txs.flat()]);
const v2 = (paths: number[][], ...txs: number[][]) => {
  const bytes = v1(paths, ...txs);
  bytes[0] = 2;
  return bytes;
};
const oldOne = [...one.bytes, 1, 0];
const oldTwo = [...two.bytes, 0];

/** Input that this reader rejects although the SDK accepts it, with the reason. */
const STRICTER: [string, Uint8Array][] = [
  ['bytes behind the end: two texts for one BEEF', Uint8Array.from([...v1([path], oldOne), 0])],
  [
    'a count that is not minimal: two texts for one BEEF',
    Uint8Array.from([1, 0, 0xbe, 0xef, 0xfd, 0, 0, 1, ...oldTwo]),
  ],
  ['a transaction twice: one of the two would not be looked at', v1([path], oldOne, oldOne)],
  ['a flag other than 0 and 1 (BRC-62)', v1([path], [...one.bytes, 2, 0])],
  ['a format other than 0, 1 and 2 (BRC-96)', v2([path], [3, ...two.bytes])],
  [
    'flags of a leaf other than 0, 1 and 2 (BRC-74)',
    v1([[100, 1, 2, ...leaf(0, one.txid, 6), ...leaf(1, strange(2))]], oldOne),
  ],
  ['a subject that is not in it (BRC-95)', Uint8Array.from([1, 1, 1, 1, ...hash(strange(9)), ...v1([path], oldOne)])],
  ['a transaction without inputs', v1([], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ['a leaf alone at a place other than the first', v1([[100, 1, 1, ...leaf(5, one.txid, 2)]], oldOne)],
  [
    'two blocks at one height, the second of transactions that are not in it',
    v1([path, [100, 1, 2, ...leaf(0, strange(5)), ...leaf(1, strange(6))]], oldOne),
  ],
  [
    'more than a thousand paths',
    v1(
      Array.from({ length: 1001 }, () => path),
      oldOne,
    ),
  ],
];

describe('data that @bsv/sdk accepts', () => {
  test.each(STRICTER)('the parser rejects %s', (_, bytes) => {
    expect(() => Beef.fromBinary([...bytes])).not.toThrow();
    expect(codeThrownBy(() => readBeef(bytes))).toBe('invalid-transaction');
  });

  test('the unmodified originals are parsed', () => {
    expect([...readBeef(v1([path], oldOne, oldTwo)).members.keys()]).toEqual([one.txid, two.txid]);
    expect([...readBeef(v2([path], [1, 0, ...one.bytes], [0, ...two.bytes])).members.keys()]).toHaveLength(2);
  });
});

describe('data that @bsv/sdk rejects', () => {
  test('a transaction without its ancestors is parsed, because the network is queried for them', () => {
    const bytes = v1([], oldTwo);
    expect(Beef.fromBinary([...bytes]).verifyValid(true).valid).toBe(false);
    expect(readBeef(bytes).members.get(two.txid)?.bump).toBeNull();
  });
});

describe('a path', () => {
  /** A BUMP for a four-transaction block that also includes the hashes that a reader could compute. */
  const whole = (above: number[]) => [100, 2, 4, ...block.flatMap((txid, i) => leaf(i, txid, 2)), 2, ...above];
  const pair = (a: string, b: string) =>
    toHex(hash256(concatBytes(fromHex(a).reverse(), fromHex(b).reverse())).reverse());
  const [left, right] = [pair(block[0]!, block[1]!), pair(block[2]!, block[3]!)];

  test('a path may contain redundant and unconnected hashes, but no contradiction', () => {
    expect(readBeef(v1([whole([...leaf(0, left), ...leaf(1, right)])], oldOne)).members.size).toBe(1);
    expect(codeThrownBy(() => readBeef(v1([whole([...leaf(0, left), ...leaf(1, strange(9))])], oldOne)))).toBe(
      'invalid-transaction',
    );
    const stray = [100, 2, 2, ...leaf(0, one.txid, 2), ...leaf(1, block[1]!), 2, ...leaf(1, right), ...leaf(9, right)];
    expect(readBeef(v1([stray], oldOne)).members.size).toBe(1);
  });

  test.each<[string, number[]]>([
    [
      'of another transaction',
      pathOf(block, 1, 100)
        .toBinary()
        .map((byte, i) => (i === 5 ? byte ^ 1 : byte)),
    ],
    ['with a gap', [100, 2, 2, ...leaf(0, one.txid, 2), ...leaf(1, block[1]!), 0]],
    ['of no height', [100, 0]],
    ['of more heights than a tree has', [100, 65, ...Array.from({ length: 65 }, () => 0)]],
    ['with a copy in the place of its leaf', [100, 1, 2, ...leaf(0, one.txid, 2), 0, 1]],
    ['with a copy of nothing', [100, 1, 3, ...leaf(0, one.txid, 2), ...leaf(1, block[1]!), 100, 1]],
    ['with a place that its height cannot hold', [100, 1, 2, ...leaf(4, one.txid, 2), ...leaf(5, block[1]!)]],
    ['of two blocks', [100, 1, 4, ...block.flatMap((txid, i) => leaf(i < 2 ? i : i + 2, txid, 2))]],
  ])('a path %s is rejected', (_, wrong) => {
    expect(codeThrownBy(() => readBeef(v1([wrong], oldOne)))).toBe('invalid-transaction');
  });
});

describe('excessive counts are rejected immediately', () => {
  const huge = [0xfe, 0xff, 0xff, 0xff, 0xff];
  test.each<[string, number[]]>([
    ['paths', [1, 0, 0xbe, 0xef, ...huge]],
    ['transactions', [1, 0, 0xbe, 0xef, 0, ...huge]],
    ['leaves', [1, 0, 0xbe, 0xef, 1, 100, 1, ...huge]],
    ['inputs', [1, 0, 0xbe, 0xef, 0, 1, 1, 0, 0, 0, ...huge]],
    ['bytes of a script', [1, 0, 0xbe, 0xef, 0, 1, 1, 0, 0, 0, 1, ...hash(strange(1)), 0, 0, 0, 0, ...huge]],
    ['outputs', [1, 0, 0xbe, 0xef, 0, 1, 1, 0, 0, 0, 1, ...hash(strange(1)), 0, 0, 0, 0, 0, 0, 0, 0, 0, ...huge]],
    ['numbers of 64 bits', [1, 0, 0xbe, 0xef, 0xff, 1, 0, 0, 0, 0, 0, 0, 0]],
  ])('%s', (_, bytes) => {
    expect(codeThrownBy(() => readBeef(Uint8Array.from(bytes)))).toBe('invalid-transaction');
  });

  test('a path with too many leaves is rejected immediately, as each leaf costs a hash', () => {
    const copies = Array.from({ length: 64_001 }, (_, i) => [0xfd, (i + 253) & 255, (i + 253) >> 8, 1]).flat();
    expect(() => readBeef(v1([[100, 1, ...compact(64_001), ...copies]], oldOne))).toThrow(
      expect.objectContaining({ detail: 'BEEF: too many leaves' }),
    );
  });
});

test.each([2, 3, 4, 5, 6, 7, 12, 33])(
  'a path that lists all %d transactions of a block and no higher level is parsed, as by @bsv/sdk',
  (count) => {
    const made = transaction(count, [strange(0)]);
    for (const at of [0, count >> 1, count - 1]) {
      const txids = Array.from({ length: count }, (_, i) => (i === at ? made.txid : strange(i + 1)));
      const leaves = txids.map((hash, offset) => ({ offset, hash, txid: offset === at }));
      const all = count % 2 === 1 ? [...leaves, { offset: count, duplicate: true }] : leaves;
      const path = [
        ...[100, 1, all.length],
        ...all.flatMap((leaf) =>
          'hash' in leaf ? [leaf.offset, leaf.txid ? 2 : 0, ...fromHex(leaf.hash).reverse()] : [leaf.offset, 1],
        ),
      ];
      if (count % 2 === 0) expect(MerklePath.fromBinary(path).computeRoot(made.txid)).toBe(merkleRoot(txids));
      const beef = Uint8Array.from([...compactOf32(VERSION_1), 1, ...path, 1, ...made.bytes, 1, 0]);
      const { bump } = readBeef(beef).members.get(made.txid) ?? {};
      expect(bump && pathIn(bump, made.txid)).toEqual({ index: at, nodes: proofOf(txids, at, '').nodes });
    }
  },
);

function compactOf32(version: number): number[] {
  return [0, 8, 16, 24].map((shift) => (version >>> shift) & 255);
}
