import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freshModules } from '../../../testing/fresh-modules.ts';
import { codeOf } from '../../../testing/code-of.ts';
import { startForking, type ForkingNetwork } from '../../../testkit/network/forking.ts';
import { endAllWorkerRuns, Profile } from '../../../testkit/wallet/worker-run.ts';
import { merkleRoot, mineHeader, proofOf } from '../../../testkit/network/blocks.ts';
import type * as Proof from './proof.ts';
import type { Header } from '../whats-on-chain.ts';
import type { NetworkInfo } from '../network-info.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

const [A, B, C] = ['aa'.repeat(32), 'bb'.repeat(32), 'cc'.repeat(32)] as [string, string, string];

/** Starts a keyless wallet that has followed a 30-block chain from the 17th block on. */
async function prover(network: ForkingNetwork, { following = true, of = 'devnet' as NetworkInfo['network'] } = {}) {
  const workerRun = await new Profile(network.url).start();
  const { provenBlock } = await import('./spv.ts');
  const { followChain } = await import('./follow.ts');
  const info = { network: of, wocUrl: `${network.url}/woc` } as NetworkInfo;
  if (following) await followChain(wallet, info);
  const held = async () => (await workerRun.modules.database.database(wallet)).getAllFromIndex('headers', 'height');
  const asked = async (txid: string) => {
    const before = network.asked.length;
    const block = await provenBlock(wallet, info, txid);
    return {
      block,
      questions: network.asked.slice(before).map(({ url }) => url.replace('/woc', '').replace(/[0-9a-f]{64}/, ':hash')),
    };
  };
  return {
    prove: (txid: string) => provenBlock(wallet, info, txid),
    asked,
    held,
    follow: () => followChain(wallet, info),
  };
}

const PROOF = '/tx/:hash/proof/tsc';
const HEADER = '/block/:hash/header';

describe('a proof', () => {
  test('a proof in the followed chain needs no further header', async () => {
    const network = await startForking(29);
    const block = network.chain.mine([A, B]);
    const { asked } = await prover(network);
    expect(await asked(A)).toEqual({ block, questions: [PROOF] });
    expect(await asked(B)).toEqual({ block, questions: [PROOF] });
    expect(await asked(C)).toEqual({ block: null, questions: [PROOF] });
  });

  test('a proof in a block newer than the last one makes the wallet follow the chain first, and proofs in the same block need no more requests', async () => {
    const network = await startForking(30);
    const { asked, held } = await prover(network);
    const block = network.chain.mine([A, B]);
    const last = network.chain.grow(1);
    expect(await asked(A)).toEqual({ block, questions: [PROOF, HEADER, '/chain/info', HEADER, HEADER] });
    expect(await asked(B)).toEqual({ block, questions: [PROOF] });
    expect((await held()).slice(-2)).toEqual([block, last]);
  });

  test('a proof makes a wallet start following the chain', async () => {
    const network = await startForking(30);
    const block = network.chain.mine([A]);
    const { prove, held } = await prover(network, { following: false });
    expect(await prove(A)).toEqual(block);
    expect(await held()).toHaveLength(13);
  });

  test('a proof is missing if the index’s chain is too short', async () => {
    const network = await startForking(30);
    const { prove, held } = await prover(network);
    const before = await held();
    network.instead.set('/chain/info', { body: { blocks: 29, bestblockhash: network.chain.tip.hash } });
    const block = network.chain.mine([A]);
    expect(await prove(A)).toBeNull();
    expect(await held()).toEqual(before);
    network.instead.clear();
    expect(await prove(A)).toEqual(block);
  });

  test('a proof in a replaced block is rejected', async () => {
    const network = await startForking(29);
    const old = network.chain.mine([A]);
    const proof = network.chain.proof(A);
    const { prove, follow } = await prover(network);
    expect(await prove(A)).toEqual(old);
    network.chain.cut(1);
    network.chain.grow(2);
    await follow();
    network.instead.set(`/tx/${A}/proof/tsc`, { body: [proof] });
    expect(await prove(A)).toBeNull();
    network.instead.clear();
    const block = network.chain.mine([A]);
    expect(await prove(A)).toEqual(block);
  });

  test('a proof in the current block is found, also if the index returns others first', async () => {
    const network = await startForking(29);
    const { prove } = await prover(network);
    network.chain.mine([A]);
    const old = network.chain.proof(A) as object;
    network.chain.cut(1);
    const block = network.chain.mine([A, B]);
    network.chain.grow(1);
    const body = [old, { ...old, nodes: [C] }, network.chain.proof(A)];
    network.instead.set(`/tx/${A}/proof/tsc`, { body });
    expect(await prove(A)).toEqual(block);
  });

  test("a proof in a block next to the last one is rejected, regardless of the index's block at its height", async () => {
    const network = await startForking(29);
    const old = network.chain.mine([A]);
    const proof = network.chain.proof(A);
    const { prove, follow, held } = await prover(network);
    network.chain.cut(1);
    network.chain.mine([], { bits: '201fffff' });
    await follow();
    const before = await held();
    network.instead.set(`/tx/${A}/proof/tsc`, { body: [proof] }).set('/block/29/header', { body: old });
    expect(await prove(A)).toBeNull();
    expect(await held()).toEqual(before);
  });

  test('a proof whose block the index does not show is rejected', async () => {
    const network = await startForking(30);
    const { prove } = await prover(network);
    network.chain.headers.delete(network.chain.mine([A]).hash);
    expect(await prove(A)).toBeNull();
  });
});

describe('a proof in an older block than those that are followed', () => {
  test('a proof is valid if the index shows the same block at its height, and its header is stored', async () => {
    const network = await startForking(5);
    const block = network.chain.mine([A, B]);
    network.chain.grow(24);
    const { asked, held } = await prover(network);
    expect(await asked(A)).toEqual({ block, questions: [PROOF, HEADER, '/block/5/header'] });
    expect(await asked(B)).toEqual({ block, questions: [PROOF] });
    expect((await held()).map(({ height }) => height)).toEqual([5, ...Array.from({ length: 13 }, (_, i) => 17 + i)]);
  });

  test('a proof is rejected if the index shows a different block at its height', async () => {
    const network = await startForking(5);
    network.chain.mine([A]);
    network.chain.grow(24);
    const { prove, held } = await prover(network);
    const before = await held();
    network.instead.set('/block/5/header', { body: network.chain.blocks[6]?.header });
    expect(await prove(A)).toBeNull();
    network.instead.set('/block/5/header', { status: 404 });
    expect(await prove(A)).toBeNull();
    expect(await held()).toEqual(before);
  });

  test.each([15, 16])('a proof is rejected if it does not link to its stored neighbors (block %i)', async (height) => {
    const network = await startForking(15);
    network.chain.mine([A]);
    network.chain.mine([B]);
    network.chain.grow(13);
    const { prove, held } = await prover(network);
    const txid = height === 15 ? A : B;
    // The header is from a different branch, but has the right height and enough work. Block 16 is directly below the
    // followed chain.
    if (height === 15) await prove(B);
    const before = await held();
    const txids = [C, txid];
    const other = mineHeader(merkleRoot(txids), {
      height,
      previous: network.chain.blocks[height - 1]?.header.hash as string,
    });
    network.chain.headers.set(other.hash, other);
    network.instead.set(`/tx/${txid}/proof/tsc`, { body: [proofOf(txids, 1, other.hash)] });
    network.instead.set(`/block/${height}/header`, { body: other });
    expect(await prove(txid)).toBeNull();
    expect(await held()).toEqual(before);
    network.instead.clear();
    expect(await prove(txid)).toEqual(network.chain.blocks[height]?.header);
  });

  test('a proof is rejected if it does not follow the stored header below it', async () => {
    const network = await startForking(5);
    network.chain.mine([A]);
    network.chain.mine([B]);
    network.chain.grow(23);
    const { prove } = await prover(network);
    await prove(A);
    const txids = [C, B];
    const other = mineHeader(merkleRoot(txids), { height: 6, previous: 'dd'.repeat(32) });
    network.chain.headers.set(other.hash, other);
    network.instead.set(`/tx/${B}/proof/tsc`, { body: [proofOf(txids, 1, other.hash)] });
    network.instead.set('/block/6/header', { body: other });
    expect(await prove(B)).toBeNull();
  });
});

describe('a proof in a block without stored neighbors, on the main network', () => {
  /**
   * Starts a wallet that has headers 20 to 32 and 94 to 106, and an index that proves a transaction in block 50. Skips
   * the main network's proof-of-work check, which tests can't meet.
   */
  async function withGap({ before = '2000ffff', after = '2000ffff', old = '2000ffff', at = 50 } = {}) {
    vi.doMock('./proof.ts', async () => {
      const actual = await vi.importActual<typeof Proof>('./proof.ts');
      return {
        ...actual,
        checkHeader: () => undefined,
        checkProof: (...[txid, proof, header]: Parameters<typeof actual.checkProof>) =>
          actual.checkProof(txid, proof, header, 'devnet'),
      };
    });
    freshModules();
    onTestFinished(() => {
      vi.doUnmock('./proof.ts');
      freshModules();
    });
    const network = await startForking(0);
    const mine = (count: number, bits: string) => {
      for (let i = 0; i < count; i += 1) network.chain.mine(network.chain.blocks.length === at ? [A] : [], { bits });
    };
    if (at < 20) mine(at + 5, old);
    mine(33 - network.chain.blocks.length, before);
    const { follow, ...rest } = await prover(network, { of: 'mainnet' });
    mine(17, old);
    mine(20, old);
    mine(37, after);
    await follow();
    return { network, ...rest, block: network.chain.blocks[at]?.header as Header };
  }
  /** Makes the index return a different block at the given height, from a short branch that only the index has. */
  function forge({ chain, instead }: ForkingNetwork, { bits = '207fffff', at = 50, builders = 0 } = {}) {
    const txids = [C, B];
    let forged = mineHeader(merkleRoot(txids), { bits, height: at, previous: 'dd'.repeat(32) });
    const proof = proofOf(txids, 1, forged.hash);
    for (let height = at; height <= at + builders; height += 1) {
      chain.headers.set(forged.hash, forged);
      instead.set(`/block/${height}/header`, { body: forged });
      forged = mineHeader(merkleRoot([C]), { bits, height: height + 1, previous: forged.hash });
    }
    instead.set(`/tx/${B}/proof/tsc`, { body: [proof] });
  }

  test('a proof is valid immediately if its block has about the work of its neighbors', async () => {
    for (const old of ['2000ffff', '20007fff', '2003ff00']) {
      const { asked, block } = await withGap({ old });
      expect(await asked(A), old).toEqual({ block, questions: [PROOF, HEADER, '/block/50/header'] });
      endAllWorkerRuns();
    }
  });

  test('a proof from times of much less work is valid due to the blocks that build on it', async () => {
    const { asked, block } = await withGap({ old: '200fffff' }); // 16 times easier to mine
    expect(await asked(A)).toEqual({
      block,
      questions: [PROOF, HEADER, ...[50, 51, 52, 53].map((height) => `/block/${height}/header`)],
    });
  });

  test('a proof’s block is compared only with the easier of the blocks before and after it', async () => {
    for (const [before, after] of [
      ['200fffff', '2000ffff'],
      ['2000ffff', '200fffff'],
    ]) {
      const { asked, block } = await withGap({ before, after, old: '203fffff' });
      expect(await asked(A)).toEqual({ block, questions: [PROOF, HEADER, '/block/50/header'] });
      endAllWorkerRuns();
    }
  });

  test('a proof below all followed blocks is valid, as a restored wallet requires', async () => {
    const { prove, block } = await withGap({ at: 4, old: '203fffff' });
    expect(await prove(A)).toEqual(block);
  });

  test.each([4, 50])('a proof in a block of very little work is an error (block %i)', async (at) => {
    const { network, prove, held } = await withGap();
    const before = await held();
    forge(network, { at });
    expect(await codeOf(prove(B))).toBe('invalid-proof'); // no block builds on it
    forge(network, { at, builders: 15 });
    expect(await codeOf(prove(B))).toBe('invalid-proof');
    expect(await held()).toEqual(before);
  });
});

describe('a wrong proof is an error, and its header is not stored:', () => {
  const wrong: [string, (network: ForkingNetwork, block: Header) => void][] = [
    ['of another transaction', ({ instead, chain }) => instead.set(`/tx/${A}/proof/tsc`, { body: [chain.proof(B)] })],
    [
      'by a path that leads elsewhere',
      ({ instead }, block) => instead.set(`/tx/${A}/proof/tsc`, { body: [proofOf([A, C], 0, block.hash)] }),
    ],
    ['by another header', ({ chain }, block) => chain.headers.set(block.hash, chain.blocks[3]?.header as Header)],
    [
      'by an altered header',
      ({ chain }, block) => chain.headers.set(block.hash, { ...block, merkleroot: A, version: 1 }),
    ],
  ];
  test.each(wrong)('%s', async (_, alter) => {
    for (const behind of [0, 24]) {
      const network = await startForking(30 - behind);
      const { prove, held } = await prover(network, { following: false });
      const block = network.chain.mine([A, B]);
      network.chain.grow(behind);
      alter(network, block);
      expect(await codeOf(prove(A)), `${behind} blocks behind`).toBe('invalid-proof');
      expect((await held()).some(({ hash }) => hash === block.hash)).toBe(false);
      endAllWorkerRuns();
    }
  });
});
