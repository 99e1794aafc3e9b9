import { MerklePath } from '@bsv/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hash256, merkleRoot, mineHeader, proofOf } from '../../../testkit/network/blocks.ts';
import { checkEase, checkHeader as checkHeaderOf, checkProof as checkProofOf, leastWork, workOf } from './proof.ts';

const checkHeader = (header: Parameters<typeof checkHeaderOf>[0]) => checkHeaderOf(header, 'devnet');
const checkProof = (
  ...[txid, proof, header]: Parameters<typeof checkProofOf> extends [...infer A, unknown] ? A : never
) => checkProofOf(txid, proof, header, 'devnet');

const invalid = expect.objectContaining({ code: 'invalid-proof' }) as Error;
const txidsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => hash256(Buffer.from([i, count])).toString('hex'));

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('in a block of %i transactions', (count) => {
  const txids = txidsOf(count);
  const header = mineHeader(merkleRoot(txids));

  test('each transaction is proved by its own path, and @bsv/sdk finds the same root', () => {
    for (const [index, txid] of txids.entries()) {
      const proof = proofOf(txids, index, header.hash);
      checkProof(txid, proof, header);
      const path = proof.nodes.map((node, level) => {
        const offset = (index >> level) ^ 1;
        return [node === '*' ? { offset, duplicate: true } : { offset, hash: node }];
      });
      if (path[0]) path[0].push({ offset: index, hash: txid, txid: true } as never);
      if (count > 1) expect(new MerklePath(123, path as never).computeRoot(txid)).toBe(header.merkleroot);
    }
  });

  test('a path proves no other transaction', () => {
    for (const [index, txid] of txids.entries()) {
      const proof = proofOf(txids, index, header.hash);
      for (const other of [...txids.filter((one) => one !== txid), 'ff'.repeat(32)]) {
        expect(() => checkProof(other, proof, header)).toThrow(invalid);
        expect(() => checkProof(other, { ...proof, txOrId: other }, header)).toThrow(invalid);
      }
    }
  });

  test('changing a node, index or length of a path breaks it', () => {
    for (const [index, txid] of txids.entries()) {
      const proof = proofOf(txids, index, header.hash);
      const refused = (change: Partial<typeof proof>) =>
        expect(() => checkProof(txid, { ...proof, ...change }, header), JSON.stringify(change)).toThrow(invalid);
      for (let other = -1; other <= 2 ** proof.nodes.length + 1; other += 1)
        if (other !== index) refused({ index: other });
      for (const [at, node] of proof.nodes.entries()) {
        for (const changed of [
          node === '*' ? 'ab'.repeat(32) : '*',
          'cd'.repeat(32),
          node.toUpperCase() === node ? 'x' : node.toUpperCase(),
          '',
          `${node}00`,
        ]) {
          if (changed !== node) refused({ nodes: proof.nodes.with(at, changed) });
        }
      }
      refused({ nodes: proof.nodes.slice(0, -1), ...(count === 1 ? { index: 1 } : {}) });
      refused({ nodes: [...proof.nodes, '*'] });
      refused({ nodes: [...proof.nodes, 'ab'.repeat(32)] });
      refused({ target: 'ab'.repeat(32) });
    }
  });
});

describe('a path', () => {
  test("a path can't place a transaction where the tree only repeats it (CVE-2012-2459)", () => {
    const txids = txidsOf(3);
    const header = mineHeader(merkleRoot(txids));
    const last = txids[2] as string;
    const proof = proofOf(txids, 2, header.hash);
    checkProof(last, proof, header);
    expect(() => checkProof(last, { ...proof, index: 3 }, header)).toThrow(invalid);
    expect(() => checkProof(last, { ...proof, index: 3, nodes: [last, proof.nodes[1] as string] }, header)).toThrow(
      invalid,
    );
  });

  test('a path of many steps or with a huge index is rejected immediately', () => {
    const txids = txidsOf(2);
    const header = mineHeader(merkleRoot(txids));
    const proof = proofOf(txids, 0, header.hash);
    expect(() =>
      checkProof(txids[0] as string, { ...proof, nodes: Array.from({ length: 100_000 }, () => '*') }, header),
    ).toThrow(invalid);
    for (const index of [Number.MAX_SAFE_INTEGER, 2 ** 32, 2 ** 31])
      expect(() => checkProof(txids[0] as string, { ...proof, index }, header)).toThrow(invalid);
  });
});

describe('a header', () => {
  const header = mineHeader(merkleRoot(txidsOf(2)));

  test("a header is identified by its hash: no field can be altered, and Bitcoin's first header is valid", () => {
    checkHeader(header);
    for (const change of [
      { version: 1 },
      { merkleroot: 'ab'.repeat(32) },
      { time: 5 },
      { nonce: header.nonce + 1 },
      { bits: '207ffffe' },
      { previousblockhash: 'cd'.repeat(32) },
      { previousblockhash: null },
      { hash: 'ab'.repeat(32) },
    ]) {
      expect(() => checkHeader({ ...header, ...change }), JSON.stringify(change)).toThrow(invalid);
    }
    checkHeader({
      hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      height: 0,
      version: 1,
      previousblockhash: null,
      merkleroot: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
      time: 1_231_006_505,
      bits: '1d00ffff',
      nonce: 2_083_236_893,
    });
  });

  test('a header must have the work that it claims', () => {
    expect(() => checkHeader(mineHeader(merkleRoot(txidsOf(2)), { valid: false }))).toThrow(invalid);
    expect(() => checkHeader(mineHeader(merkleRoot(txidsOf(2)), { bits: '1d00ffff', valid: false }))).toThrow(invalid);
  });

  test('a header of the main network must have real work, in any encoding of its target', () => {
    expect(() => checkHeaderOf(header, 'mainnet')).toThrow(invalid);
    expect(() => checkHeaderOf(header, 'testnet')).toThrow(invalid);
    for (const bits of ['ff7fffff', '217fffff', '20ffffff'])
      expect(() => checkHeader(mineHeader(merkleRoot(txidsOf(2)), { bits })), bits).toThrow(invalid);
  });

  test.each(['', 'zzzzzzzz', '20', '0x207fff', '207FFFFF', '207fffff00', '00000000', '01000000', 'ff000000'])(
    'a header with bits %j is rejected',
    (bits) => {
      expect(() => checkHeader({ ...header, bits })).toThrow(invalid);
    },
  );

  test('a header with random fields is rejected without another error', () => {
    fc.assert(
      fc.property(
        fc.record({
          version: fc.integer(),
          time: fc.integer(),
          nonce: fc.integer(),
          height: fc.integer(),
          bits: fc.string(),
          previousblockhash: fc.option(fc.string()),
        }),
        (fields) => {
          expect(() => checkHeader({ ...header, ...fields })).toThrow(invalid);
        },
      ),
    );
  });
});

describe('a header of the main network', () => {
  const header = mineHeader(merkleRoot(txidsOf(2)));
  const chainOf = (...bits: string[]) => bits.map((one) => ({ ...header, bits: one }));

  test('a header is at most four times as easy as the previous ones', () => {
    const before = chainOf('18010000');
    for (const bits of ['18010000', '18020000', '18040000', '17000001']) checkEase(chainOf(bits), before, 'mainnet');
    for (const bits of ['18040001', '18050000', '19000500', '1d00ffff']) {
      expect(() => checkEase(chainOf(bits), before, 'mainnet'), bits).toThrow(invalid);
      checkEase(chainOf(bits), before, 'testnet'); // allows minimum difficulty after 20 minutes without a block
    }
  });

  test("a header is compared with the mean of up to 144 previous ones, so a branch can't become easier step by step", () => {
    checkEase(chainOf('18010000', '18030000', '18040000'), [], 'mainnet');
    expect(() => checkEase(chainOf('18010000', '18040000', '18100000'), [], 'mainnet')).toThrow(invalid);
    const many = Array.from({ length: 144 }, () => '18010000');
    checkEase(chainOf('18010000'), chainOf('1700ffff', ...many.slice(1)), 'mainnet');
    const hard = chainOf('17000001', ...many.slice(1));
    expect(() => checkEase(chainOf('18010000'), hard, 'mainnet')).toThrow(invalid);
    checkEase(chainOf('18010000'), [...hard, ...chainOf('18010000')], 'mainnet'); // the hardest is 145 headers back
  });

  test('an unlinked header must have a quarter of the work on its easier side', () => {
    const [easy, hard] = [chainOf('18040000'), chainOf('18010000', '18010000')];
    const quarter = (one: typeof easy) => workOf(one[0] as typeof header) / 4n;
    expect(leastWork([easy, hard], 'mainnet')).toBe(quarter(easy));
    expect(leastWork([hard, easy], 'mainnet')).toBe(quarter(easy));
    expect(leastWork([[], hard], 'mainnet')).toBe(quarter(hard));
    expect(leastWork([hard, []], 'mainnet')).toBe(quarter(hard));
    expect(leastWork([[], []], 'mainnet')).toBe(0n);
    expect(leastWork([hard, hard], 'testnet')).toBe(0n);
  });
});

test("work equals the chain work of Bitcoin's first block: 2^256 / (target + 1)", () => {
  expect(workOf({ bits: '1d00ffff' })).toBe(0x1_0001_0001n);
  expect(workOf({ bits: '207fffff' })).toBe(2n);
  expect(workOf({ bits: '1803a30c' })).toBeGreaterThan(workOf({ bits: '1803a30d' }));
});
