import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import { startForking, type ForkingNetwork } from '../testing/forking.ts';
import { endAllWorkerRuns, Profile } from '../testing/worker-run.ts';
import { merkleRoot, mineHeader } from '../testing/blocks.ts';
import type { Header } from './whats-on-chain.ts';
import type { NetworkInfo } from './network-info.ts';

afterEach(endAllWorkerRuns);

/** A wallet without keys on a network: it has nothing to do but to follow. */
async function follower(network: ForkingNetwork, { of = 'devnet' as NetworkInfo['network'] } = {}) {
  const workerRun = await new Profile(network.url).start();
  const { followChain } = await import('./follow.ts');
  const info = { network: of, wocUrl: `${network.url}/woc` } as NetworkInfo;
  const held = async () => (await workerRun.modules.database.database()).getAllFromIndex('headers', 'height');
  const asked = async (work: () => Promise<unknown>) => {
    const before = network.asked.length;
    await work();
    return network.asked.slice(before).map(({ url }) => url.replace('/woc', '').replace(/[0-9a-f]{64}/, ':hash'));
  };
  return {
    follow: () => followChain(info),
    held,
    heights: async () => (await held()).map(({ height }) => height),
    asked,
    workerRun,
  };
}

const headersOf = ({ chain }: ForkingNetwork, from: number): Header[] =>
  chain.blocks.slice(from).map(({ header }) => header);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('a wallet that follows the chain', () => {
  test('begins some blocks below the last one, and asks for each header once', async () => {
    const network = await startForking(30);
    const { follow, held, asked } = await follower(network);
    expect(await asked(follow)).toEqual(['/chain/info', ...range(17, 29).map(() => '/block/:hash/header')]);
    expect(await held()).toEqual(headersOf(network, 17));
    expect(await asked(follow)).toEqual(['/chain/info']);
    network.chain.grow(2);
    expect(await asked(follow)).toEqual(['/chain/info', '/block/:hash/header', '/block/:hash/header']);
    expect(await held()).toEqual(headersOf(network, 17));
  });

  test('begins with the first block where the chain is that short', async () => {
    const network = await startForking(3);
    const { follow, held } = await follower(network);
    await follow();
    network.chain.grow(2);
    await follow();
    expect(await held()).toEqual(headersOf(network, 0));
  });

  test('follows once where several parts of it ask together', async () => {
    const network = await startForking(30);
    const { follow, asked } = await follower(network);
    expect(await asked(() => Promise.all([follow(), follow(), follow()]))).toHaveLength(14);
  });

  test('fetches up to 60 blocks that it missed; of more only the last, where what it followed still holds', async () => {
    const network = await startForking(30);
    const { follow, heights, asked } = await follower(network);
    await follow();
    network.chain.grow(60);
    await follow();
    expect(await heights()).toEqual(range(17, 89));
    network.chain.grow(61);
    expect((await asked(follow)).slice(0, 2)).toEqual(['/chain/info', '/block/89/header']);
    expect(await heights()).toEqual([...range(17, 89), ...range(138, 150)]);
    network.chain.grow(1);
    await follow();
    expect((await heights()).slice(-3)).toEqual([149, 150, 151]);
  });

  test('sees after a long absence that its last blocks were replaced', async () => {
    const network = await startForking(30);
    const { follow, held } = await follower(network);
    await follow();
    network.chain.cut(3);
    network.chain.grow(200);
    await follow();
    expect(await held()).toEqual([...headersOf(network, 17).slice(0, 42 - 17), ...headersOf(network, 226 - 12)]);
  });

  test('does nothing if the index is behind its earlier answer', async () => {
    const network = await startForking(30);
    const { follow, held } = await follower(network);
    await follow();
    const before = await held();
    network.chain.cut(4);
    await follow();
    expect(await held()).toEqual(before);
  });
});

describe('another branch', () => {
  test.each([1, 2, 12, 13, 60])('of %i blocks with more work replaces its own', async (depth) => {
    const network = await startForking(100);
    const { follow, held } = await follower(network);
    await follow();
    network.chain.grow(60);
    await follow();
    network.chain.cut(depth);
    network.chain.grow(depth + 1);
    await follow();
    expect(await held()).toEqual(headersOf(network, 87));
  });

  test('with as much work does not, and nothing is wrong with it: what was seen first stays', async () => {
    const network = await startForking(30);
    const { follow, held } = await follower(network);
    await follow();
    const before = await held();
    network.chain.cut(2);
    network.chain.grow(2);
    await follow();
    expect(await held()).toEqual(before);
    network.chain.grow(1);
    await follow();
    expect(await held()).toEqual(headersOf(network, 17));
  });

  test('with less work is refused loudly, once for all, and an honest one is followed after it', async () => {
    const network = await startForking(30);
    const { follow, held, asked, workerRun } = await follower(network);
    await follow();
    const before = await held();
    const own = [...network.chain.blocks];
    network.chain.cut(3);
    network.chain.grow(2);
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await asked(async () => expect(await codeOf(follow())).toBe('invalid-proof'))).toEqual(['/chain/info']);
    expect(await held()).toEqual(before);
    const last = network.chain.tip;
    network.chain.blocks.splice(0, Infinity, ...own);
    network.chain.grow(1);
    await follow();
    expect(await held()).toEqual(headersOf(network, 17));
    // A wallet that holds nothing of its own any more has nothing to weigh it against.
    await (await workerRun.modules.database.database()).clear('headers');
    network.chain.blocks.splice(
      27,
      Infinity,
      { header: network.chain.headers.get(last.previousblockhash as string) as Header, txids: [] },
      { header: last, txids: [] },
    );
    await follow();
    expect(await held()).toEqual(headersOf(network, 16));
  });

  test('is weighed by its work, not by its length', async () => {
    const network = await startForking(30);
    const { follow, held } = await follower(network);
    await follow();
    network.chain.mine([], { bits: '201fffff' }); // four times as hard as others
    await follow();
    const before = await held();
    network.chain.cut(1);
    network.chain.grow(3);
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await held()).toEqual(before);
    network.chain.grow(2);
    await follow();
    expect(await held()).toEqual(headersOf(network, 17));
  });

  test('that branches off 100 blocks back is followed, one that branches off earlier is an error, whatever its work', async () => {
    const network = await startForking(60);
    const { follow, held } = await follower(network);
    await follow();
    for (let i = 0; i < 2; i += 1) {
      network.chain.grow(60);
      await follow();
    }
    network.chain.cut(100);
    network.chain.grow(101);
    await follow();
    expect(await held()).toEqual(headersOf(network, 47));
    network.chain.cut(101);
    network.chain.grow(140);
    const before = await held();
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await held()).toEqual(before);
  });

  test('that leaves below all that is held replaces it, if it has more work over the same heights', async () => {
    const network = await startForking(50);
    const { follow, held } = await follower(network);
    await follow(); // from 37 on
    const before = await held();
    network.chain.cut(20);
    network.chain.grow(20);
    await follow();
    expect(await held()).toEqual(before);
    network.chain.grow(1);
    await follow();
    expect(await held()).toEqual(headersOf(network, 37));
  });

  test('that branches off at the block of an older coin must outweigh the blocks between, too', async () => {
    const network = await startForking(20);
    const header = network.chain.mine(['aa'.repeat(32)]);
    network.chain.grow(29);
    const { follow, held, workerRun } = await follower(network);
    await follow(); // from 37 on, 13 blocks
    await workerRun.modules.database.inTransaction((tx) => tx.objectStore('headers').put(header)); // as a proof in it does
    const before = await held();
    network.chain.cut(25);
    network.chain.grow(20); // 24 blocks from there, where the wallet's own chain has 29
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await held()).toEqual(before);
    network.chain.grow(6);
    await follow();
    expect(await held()).toEqual(headersOf(network, 20));
  });

  test('that ends far below is refused', async () => {
    const network = await startForking(130);
    const { follow, held } = await follower(network);
    await follow();
    const before = await held();
    network.chain.cut(120);
    network.chain.grow(5);
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await held()).toEqual(before);
  });
});

/** No test can do the main network's work: only that is not looked at. */
function anyWork() {
  vi.doMock('./proof.ts', async () => ({
    ...(await vi.importActual<object>('./proof.ts')),
    checkHeader: () => undefined,
  }));
  onTestFinished(() => vi.doUnmock('./proof.ts'));
}

describe('on the main network, after more than 60 blocks that it missed, a wallet', () => {
  /** A chain of real work, a wallet that followed it, and then many more blocks. */
  async function absent(bits: string) {
    anyWork();
    const network = await startForking(0);
    for (let i = 0; i < 30; i += 1) network.chain.mine([], { bits: '2000ffff' });
    const { follow, held } = await follower(network, { of: 'mainnet' });
    await follow();
    for (let i = 0; i < 61; i += 1) network.chain.mine([], { bits });
    return { network, follow, held, before: await held() };
  }

  test('goes on where the network has become much easier in between', async () => {
    const { network, follow, held, before } = await absent('202fffff'); // 48 times: 13 of them are over a quarter
    await follow();
    expect(await held()).toEqual([...before, ...headersOf(network, 91 - 13)]);
  });

  test('goes on where it has become harder', async () => {
    const { network, follow, held, before } = await absent('20007fff');
    await follow();
    expect(await held()).toEqual([...before, ...headersOf(network, 91 - 13)]);
  });

  test('reports an error for what cost next to nothing, and continues with the true chain', async () => {
    const { network, follow, held, before } = await absent('207fffff');
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await held()).toEqual(before);
    network.chain.cut(61);
    for (let i = 0; i < 70; i += 1) network.chain.mine([], { bits: '2000ffff' });
    await follow();
    expect(await held()).toEqual([...before, ...headersOf(network, 100 - 13)]);
  });
});

describe('a header is refused loudly, and nothing changes, where', () => {
  const wrong: [string, (network: ForkingNetwork, last: Header) => void][] = [
    ['it is another one', ({ chain }, last) => chain.headers.set(last.hash, chain.blocks[20]?.header as Header)],
    [
      'it does not link to the one before it',
      ({ chain }, last) => chain.headers.set(last.hash, { ...last, previousblockhash: chain.blocks[28]?.header.hash }),
    ],
    [
      'it is a first block of its own',
      ({ chain }) => {
        const header = mineHeader(merkleRoot(['ab'.repeat(32)]), { height: 30, previous: null });
        chain.headers.set(header.hash, header);
        chain.blocks.splice(30, 1, { header, txids: [] });
      },
    ],
    ['its height is another', ({ chain }, last) => chain.headers.set(last.hash, { ...last, height: last.height + 1 })],
    [
      'its fields are others',
      ({ chain }, last) => chain.headers.set(last.hash, { ...last, merkleroot: 'ab'.repeat(32) }),
    ],
    [
      'it links to a held one that has another height',
      ({ chain }) => {
        const before = chain.blocks[28]?.header as Header;
        chain.blocks.splice(29);
        const header = mineHeader(merkleRoot(['ab'.repeat(32)]), { height: 31, previous: before.hash });
        chain.headers.set(header.hash, header);
        chain.blocks.push({ header, txids: [] });
      },
    ],
    [
      'its target is too easy',
      ({ chain }) => {
        chain.cut(1);
        chain.mine([], { bits: '2100ffff' });
      },
    ],
    [
      'it did not cost its work',
      ({ chain }) => {
        const last = chain.blocks.pop() as { header: Header };
        const header = mineHeader(merkleRoot(['ab'.repeat(32)]), {
          height: 30,
          previous: last.header.previousblockhash as string,
          valid: false,
        });
        chain.headers.set(header.hash, header);
        chain.blocks.push({ header, txids: [] });
      },
    ],
  ];

  test.each(wrong)('%s', async (_, alter) => {
    const network = await startForking(30);
    const { follow, held } = await follower(network);
    await follow();
    const before = await held();
    network.chain.grow(1);
    alter(network, network.chain.tip);
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await held()).toEqual(before);
  });

  test("it is the main network and the work is a test network's", async () => {
    const network = await startForking(30);
    const { follow, held } = await follower(network, { of: 'mainnet' });
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await held()).toEqual([]);
  });

  test('it is of the main network and far easier than those before it', async () => {
    anyWork();
    const network = await startForking(0);
    const { follow, held } = await follower(network, { of: 'mainnet' });
    network.chain.mine([], { bits: '2007ffff' });
    await follow();
    network.chain.mine([], { bits: '201ffffc' });
    await follow();
    expect(await held()).toEqual(headersOf(network, 0));
    const before = await held();
    network.chain.mine([], { bits: '207fffff' });
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await held()).toEqual(before);
  });

  test('it is of the main network and becomes easy step by step', async () => {
    anyWork();
    const network = await startForking(0);
    const { follow, held } = await follower(network, { of: 'mainnet' });
    for (let i = 0; i < 20; i += 1) network.chain.mine([], { bits: '2000ffff' });
    await follow();
    const before = await held();
    for (const bits of ['2003ff00', '200ff000', '203fc000']) network.chain.mine([], { bits });
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await held()).toEqual(before);
  });

  test('and it is followed once it is right', async () => {
    const network = await startForking(30);
    const { follow, held } = await follower(network);
    await follow();
    const last = network.chain.grow(1);
    network.chain.headers.set(last.hash, { ...last, merkleroot: 'ab'.repeat(32) });
    expect(await codeOf(follow())).toBe('invalid-proof');
    network.chain.headers.set(last.hash, last);
    await follow();
    expect(await held()).toEqual(headersOf(network, 17));
  });
});

test.each([
  { status: 500 },
  { status: 404 },
  { body: {} },
  { body: { blocks: 5 } },
  { body: { blocks: '5', bestblockhash: 'ab'.repeat(32) } },
  { body: { blocks: 5, bestblockhash: '' } },
])('a chain of which nothing is known for now, %j, changes nothing', async (answer) => {
  const network = await startForking(30);
  const { follow, held } = await follower(network);
  await follow();
  const before = await held();
  network.instead.set('/chain/info', answer);
  expect(await codeOf(follow())).toBe('network-unavailable');
  network.instead.clear();
  network.chain.headers.delete(network.chain.grow(2).previousblockhash as string); // one of several is missing
  expect(await codeOf(follow())).toBe('network-unavailable');
  expect(await held()).toEqual(before);
});
