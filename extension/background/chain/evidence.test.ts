import { afterEach, describe, expect, test } from 'vitest';
import { startForking, type ForkingNetwork } from '../testing/forking.ts';
import { endAllLives, Profile } from '../testing/life.ts';
import { merkleRoot, mineHeader, proofOf } from '../testing/blocks.ts';
import type { NetworkInfo } from './network.ts';
import type { Header } from './whats-on-chain.ts';

afterEach(endAllLives);

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: { code?: string }) => error.code ?? error,
  );
const [A, B, C] = ['aa'.repeat(32), 'bb'.repeat(32), 'cc'.repeat(32)] as [string, string, string];

/** A wallet without keys that has followed a chain of 30 blocks, from the 17th on. */
async function prover(network: ForkingNetwork, { following = true } = {}) {
  const life = await new Profile(network.url).start();
  const { provenBlock } = await import('./evidence.ts');
  const { followChain } = await import('./follow.ts');
  const info = { network: 'devnet', wocUrl: `${network.url}/woc` } as NetworkInfo;
  if (following) await followChain(info);
  const held = async () => (await life.modules.database.database()).getAllFromIndex('headers', 'height');
  const asked = async (txid: string) => {
    const before = network.asked.length;
    const block = await provenBlock(info, txid);
    return {
      block,
      questions: network.asked.slice(before).map(({ url }) => url.replace('/woc', '').replace(/[0-9a-f]{64}/, ':hash')),
    };
  };
  return { prove: (txid: string) => provenBlock(info, txid), asked, held, follow: () => followChain(info) };
}

const PROOF = '/tx/:hash/proof/tsc';
const HEADER = '/block/:hash/header';

describe('a proof', () => {
  test('in the followed chain needs no header any more', async () => {
    const network = await startForking(29);
    const block = network.chain.mine([A, B]);
    const { asked } = await prover(network);
    expect(await asked(A)).toEqual({ block, questions: [PROOF] });
    expect(await asked(B)).toEqual({ block, questions: [PROOF] });
    expect(await asked(C)).toEqual({ block: null, questions: [PROOF] });
  });

  test('in a block newer than the last one makes the wallet follow first, and its neighbours need nothing more', async () => {
    const network = await startForking(30);
    const { asked, held } = await prover(network);
    const block = network.chain.mine([A, B]);
    const last = network.chain.grow(1);
    expect(await asked(A)).toEqual({ block, questions: [PROOF, HEADER, '/chain/info', HEADER, HEADER] });
    expect(await asked(B)).toEqual({ block, questions: [PROOF] });
    expect((await held()).slice(-2)).toEqual([block, last]);
  });

  test('makes a wallet begin to follow', async () => {
    const network = await startForking(30);
    const block = network.chain.mine([A]);
    const { prove, held } = await prover(network, { following: false });
    expect(await prove(A)).toEqual(block);
    expect(await held()).toHaveLength(13);
  });

  test('is none yet where the chain that the index tells is not that far', async () => {
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

  test('in a block that another one replaced is none', async () => {
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

  test('in a block beside the last one is none, whatever the index shows at its height', async () => {
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

  test('whose block the index does not show is none', async () => {
    const network = await startForking(30);
    const { prove } = await prover(network);
    network.chain.headers.delete(network.chain.mine([A]).hash);
    expect(await prove(A)).toBeNull();
  });
});

describe('a proof in an older block than those that are followed', () => {
  test('holds where the index shows the same block at its height; its header is kept', async () => {
    const network = await startForking(5);
    const block = network.chain.mine([A, B]);
    network.chain.grow(24);
    const { asked, held } = await prover(network);
    expect(await asked(A)).toEqual({ block, questions: [PROOF, HEADER, '/block/5/header'] });
    expect(await asked(B)).toEqual({ block, questions: [PROOF] });
    expect((await held()).map(({ height }) => height)).toEqual([5, ...Array.from({ length: 13 }, (_, i) => 17 + i)]);
  });

  test('is none where the index shows another block at its height', async () => {
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

  test.each([15, 16])('is none where it does not link to what is held beside it (block %i)', async (height) => {
    const network = await startForking(15);
    network.chain.mine([A]);
    network.chain.mine([B]);
    network.chain.grow(13);
    const { prove, held } = await prover(network);
    const txid = height === 15 ? A : B;
    // A header of the right height and enough work, of another branch; 16 stands right below the first followed one.
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

  test('is none where it does not follow the held one below it', async () => {
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

describe('a wrong proof is refused loudly, and its header is not kept,', () => {
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
      endAllLives();
    }
  });
});
