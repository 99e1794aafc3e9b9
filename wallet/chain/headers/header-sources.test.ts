import { afterEach, describe, expect, test } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import { answering, type FakeResponse, type RecordedRequest } from '../../../testkit/network/answers.ts';
import { TestChain } from '../../../testkit/network/blocks.ts';
import { endAllWorkerRuns, Profile } from '../../../testkit/wallet/worker-run.ts';
import type { NetworkInfo } from '../network-info.ts';
import type { Header } from '../whats-on-chain.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

/** A test source: its own copy of the chain, and responses that override it. */
interface Source {
  chain: TestChain;
  instead: ((path: string) => FakeResponse | undefined) | null;
}

const copyOf = (chain: TestChain): TestChain => {
  const copy = new TestChain(0);
  copy.blocks.push(...chain.blocks);
  for (const [hash, header] of chain.headers) copy.headers.set(hash, header);
  return copy;
};

/** Starts a wallet without keys. Its two sources, WhatsOnChain and Chaintracks, have the same chain at first. */
async function twoSources(length = 30) {
  const woc: Source = { chain: new TestChain(length), instead: null };
  const tracks: Source = { chain: copyOf(woc.chain), instead: null };
  const { url, asked } = await answering((one: RecordedRequest) => {
    const [, name = ''] = one.url.split('/');
    const path = one.url.slice(name.length + 1);
    const source = name === 'woc' ? woc : tracks;
    const own = name === 'woc' ? source.chain.answer(path) : source.chain.chaintracks(path);
    return source.instead?.(path) ?? own ?? { status: 404 };
  });
  const workerRun = await new Profile(url).start();
  const { followChain } = await import('./follow.ts');
  const { provenAt, provenBlock, headerAtHeight } = await import('./spv.ts');
  const info = { network: 'devnet', wocUrl: `${url}/woc`, headersUrl: `${url}/chaintracks` } as NetworkInfo;
  const held = async () => (await workerRun.modules.database.database(current)).getAllFromIndex('headers', 'height');
  return {
    woc,
    tracks,
    both: [woc, tracks],
    held,
    tip: async () => (await held()).at(-1)?.hash,
    follow: () => followChain(current, info),
    asked,
    provenBlock: (txid: string) => provenBlock(current, info, txid),
    provenAt: (txid: string, at: Parameters<typeof provenAt>[3]) => provenAt(current, info, txid, at),
    headerAtHeight: (height: number) => headerAtHeight(current, info, height),
  };
}

const grow = (sources: readonly Source[], count: number): Header => {
  const [first, ...others] = sources as [Source, ...Source[]];
  for (let i = 0; i < count; i += 1) {
    first.chain.mine();
    const block = first.chain.blocks.at(-1) as TestChain['blocks'][number];
    for (const { chain } of others) {
      chain.blocks.push(block);
      chain.headers.set(block.header.hash, block.header);
    }
  }
  return first.chain.tip;
};

const FAULTS: [string, (path: string) => FakeResponse | undefined][] = [
  ['is down', () => ({ status: 503 })],
  ['hangs up', () => (_request, response) => response.destroy()],
  ['answers with a page', () => ({ body: '<html>' })],
  ['has no headers', () => ({ status: 404 })],
];

describe('a wallet with two sources of headers', () => {
  describe.each(['woc', 'tracks'] as const)('if %s fails', (failing) => {
    test.each(FAULTS)('the wallet follows the other source while this one %s', async (_, fault) => {
      const wallet = await twoSources();
      await wallet.follow();
      wallet[failing].instead = fault;
      const last = grow(wallet.both, 2);
      await wallet.follow();
      expect(await wallet.tip()).toBe(last.hash);
    });

    test('a new wallet starts with the other source', async () => {
      const wallet = await twoSources();
      wallet[failing].instead = () => ({ status: 503 });
      await wallet.follow();
      expect(await wallet.held()).toEqual(wallet.woc.chain.blocks.slice(17).map(({ header }) => header));
    });

    test('the wallet follows the other source’s longer chain while this one lags', async () => {
      const wallet = await twoSources();
      await wallet.follow();
      const last = grow([failing === 'woc' ? wallet.tracks : wallet.woc], 3);
      await wallet.follow();
      expect(await wallet.tip()).toBe(last.hash);
    });

    test('the chain with more work is followed and kept while this source shows a shorter branch', async () => {
      const wallet = await twoSources();
      wallet[failing].chain.cut(3);
      grow([wallet[failing]], 2);
      await wallet.follow();
      const longer = wallet[failing === 'woc' ? 'tracks' : 'woc'];
      expect(await wallet.tip()).toBe(longer.chain.tip.hash);
      grow([wallet[failing]], 1);
      await wallet.follow();
      expect(await wallet.tip()).toBe(longer.chain.tip.hash);
      const last = grow([longer], 1);
      await wallet.follow();
      expect(await wallet.tip()).toBe(last.hash);
    });

    test('a tip without its work is ignored', async () => {
      const wallet = await twoSources();
      await wallet.follow();
      const last = grow(wallet.both, 1);
      const lie = { ...last, merkleroot: 'ab'.repeat(32) };
      wallet[failing].chain.headers.set(last.hash, lie);
      (wallet[failing].chain.blocks.at(-1) as { header: Header }).header = lie;
      await wallet.follow();
      const [held] = (await wallet.held()).slice(-1);
      expect(held).toEqual(last);
    });

    test('a height that no chain has is ignored', async () => {
      const wallet = await twoSources();
      await wallet.follow();
      const { hash } = wallet.woc.chain.tip;
      wallet[failing].instead = (path) =>
        path === '/chain/info'
          ? { body: { blocks: 900_000_000, bestblockhash: hash.replace(/^./, 'f') } }
          : path === '/v2/tip'
            ? { body: { ...(wallet.tracks.chain.chaintracks(path)?.body as object), height: 900_000_000 } }
            : undefined;
      const last = grow([failing === 'woc' ? wallet.tracks : wallet.woc], 1);
      await wallet.follow();
      expect(await wallet.tip()).toBe(last.hash);
    });
  });

  test('an error is reported if both sources fail, or if one lies and the other one lags', async () => {
    const wallet = await twoSources();
    await wallet.follow();
    const before = await wallet.held();
    const last = grow([wallet.woc], 1);
    wallet.woc.chain.headers.set(last.hash, { ...last, merkleroot: 'ab'.repeat(32) });
    wallet.tracks.chain.cut(1);
    expect(await codeOf(wallet.follow())).toBe('invalid-proof');
    wallet.woc.instead = () => ({ status: 503 });
    wallet.tracks.instead = () => ({ status: 503 });
    expect(await codeOf(wallet.follow())).toBe('network-unavailable');
    expect(await wallet.held()).toEqual(before);
  });

  test("a source that is down isn't contacted for a while", async () => {
    const wallet = await twoSources();
    wallet.woc.instead = () => ({ status: 503 });
    await wallet.follow();
    wallet.asked.length = 0;
    await wallet.follow();
    expect(wallet.asked.map(({ url }) => url)).toEqual(['/chaintracks/v2/tip']);
  });
});

describe('a proof in an older block', () => {
  const TXID = 'cd'.repeat(32);
  /** Sets up a proof for a transaction in a block below the followed chain. */
  async function proven() {
    const wallet = await twoSources(5);
    const block = wallet.woc.chain.mine([TXID]);
    wallet.tracks.chain.blocks.push(wallet.woc.chain.blocks.at(-1) as TestChain['blocks'][number]);
    wallet.tracks.chain.headers.set(block.hash, block);
    grow(wallet.both, 30);
    await wallet.follow();
    const { index, nodes } = wallet.woc.chain.proof(TXID) as { index: number; nodes: string[] };
    return { wallet, block, path: { index, nodes, height: block.height } };
  }
  const headerAt = (path: string) => /header/.test(path);

  test('the proof counts with the headers of chaintracks while WhatsOnChain shows none', async () => {
    const { wallet, block, path } = await proven();
    wallet.woc.instead = (asked) => (headerAt(asked) ? { status: 500 } : undefined);
    expect(await wallet.provenAt(TXID, path)).toEqual(block);
    expect(await wallet.provenBlock(TXID)).toEqual(block);
    expect(await wallet.headerAtHeight(8)).toEqual(wallet.woc.chain.blocks[8]?.header);
  });

  test('the proof counts if one source shows a different block at its height', async () => {
    const { wallet, block, path } = await proven();
    wallet.woc.chain.blocks.splice(0, Infinity, ...new TestChain(40).blocks);
    expect(await wallet.provenAt(TXID, path)).toEqual(block);
  });

  test("the proof doesn't count if no source has its block", async () => {
    const { wallet, path } = await proven();
    for (const { chain } of wallet.both) chain.blocks.splice(0, Infinity, ...new TestChain(40).blocks);
    expect(await codeOf(wallet.provenAt(TXID, path))).toBe('invalid-proof');
  });
});
