import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freshModules } from '../../../testing/fresh-modules.ts';
import { codeOf } from '../../../testing/code-of.ts';
import { startForking, type ForkingNetwork } from '../../../testkit/network/forking.ts';
import { endAllWorkerRuns, Profile } from '../../../testkit/wallet/worker-run.ts';
import { merkleRoot, mineHeader } from '../../../testkit/network/blocks.ts';
import type { Header } from '../whats-on-chain.ts';
import type { NetworkInfo } from '../network-info.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

/** Starts a keyless wallet that only follows headers. */
async function follower(network: ForkingNetwork, { of = 'devnet' as NetworkInfo['network'] } = {}) {
  const workerRun = await new Profile(network.url).start();
  const { followChain } = await import('./follow.ts');
  const info = { network: of, wocUrl: `${network.url}/woc` } as NetworkInfo;
  const held = async () => (await workerRun.modules.database.database(wallet)).getAllFromIndex('headers', 'height');
  const asked = async (work: () => Promise<unknown>) => {
    const before = network.asked.length;
    await work();
    return network.asked.slice(before).map(({ url }) => url.replace('/woc', '').replace(/[0-9a-f]{64}/, ':hash'));
  };
  return {
    follow: () => followChain(wallet, info),
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
  test('a new wallet starts a few blocks below the last one, and requests each header once', async () => {
    const network = await startForking(30);
    const { follow, held, asked } = await follower(network);
    expect(await asked(follow)).toEqual(['/chain/info', ...range(17, 29).map(() => '/block/:hash/header')]);
    expect(await held()).toEqual(headersOf(network, 17));
    expect(await asked(follow)).toEqual(['/chain/info']);
    network.chain.grow(2);
    expect(await asked(follow)).toEqual(['/chain/info', '/block/:hash/header', '/block/:hash/header']);
    expect(await held()).toEqual(headersOf(network, 17));
  });

  test('a new wallet starts with the first block if the chain is that short', async () => {
    const network = await startForking(3);
    const { follow, held } = await follower(network);
    await follow();
    network.chain.grow(2);
    await follow();
    expect(await held()).toEqual(headersOf(network, 0));
  });

  test('concurrent calls fetch headers once', async () => {
    const network = await startForking(30);
    const { follow, asked } = await follower(network);
    expect(await asked(() => Promise.all([follow(), follow(), follow()]))).toHaveLength(14);
  });

  test('up to 60 missed blocks are fetched, and only the last one of more if the followed chain is still active', async () => {
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

  test('replaced blocks are noticed after a long absence', async () => {
    const network = await startForking(30);
    const { follow, held } = await follower(network);
    await follow();
    network.chain.cut(3);
    network.chain.grow(200);
    await follow();
    expect(await held()).toEqual([...headersOf(network, 17).slice(0, 42 - 17), ...headersOf(network, 226 - 12)]);
  });

  test('an index behind its earlier response changes nothing', async () => {
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
  test.each([1, 2, 12, 13, 60])("a branch of %i blocks with more work replaces the wallet's own", async (depth) => {
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

  test('a branch with equal work is ignored without an error, because the first one seen wins', async () => {
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

  test('a branch with less work is reported as an error once, and an honest branch is followed after it', async () => {
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
    // Without stored headers, the wallet has no work to compare with.
    await (await workerRun.modules.database.database(wallet)).clear('headers');
    network.chain.blocks.splice(
      27,
      Infinity,
      { header: network.chain.headers.get(last.previousblockhash as string) as Header, txids: [] },
      { header: last, txids: [] },
    );
    await follow();
    expect(await held()).toEqual(headersOf(network, 16));
  });

  test('a branch is compared by work, not by length', async () => {
    const network = await startForking(30);
    const { follow, held } = await follower(network);
    await follow();
    network.chain.mine([], { bits: '201fffff' }); // four times the work of the other blocks
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

  test('a branch that starts 100 blocks back is followed, and one that starts earlier is an error, regardless of its work', async () => {
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

  test('a branch that starts below all stored headers replaces them if it has more work over the same heights', async () => {
    const network = await startForking(50);
    const { follow, held } = await follower(network);
    await follow(); // stores headers from height 37
    const before = await held();
    network.chain.cut(20);
    network.chain.grow(20);
    await follow();
    expect(await held()).toEqual(before);
    network.chain.grow(1);
    await follow();
    expect(await held()).toEqual(headersOf(network, 37));
  });

  test('a branch that starts at the block of an older coin must also have more work than the blocks in between', async () => {
    const network = await startForking(20);
    const header = network.chain.mine(['aa'.repeat(32)]);
    network.chain.grow(29);
    const { follow, held, workerRun } = await follower(network);
    await follow(); // stores 13 headers, from height 37 upwards
    await workerRun.modules.database.inTransaction(wallet, (tx) => tx.objectStore('headers').put(header)); // as a proof would
    const before = await held();
    network.chain.cut(25);
    network.chain.grow(20); // 24 blocks above block 20, compared with 29 in the wallet's chain
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await held()).toEqual(before);
    network.chain.grow(6);
    await follow();
    expect(await held()).toEqual(headersOf(network, 20));
  });

  test('a branch that ends far below the last followed block is rejected', async () => {
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

/** Skips the main network's proof-of-work check, which tests can't meet. */
function anyWork() {
  vi.doMock('./proof.ts', async () => ({
    ...(await vi.importActual<object>('./proof.ts')),
    checkHeader: () => undefined,
  }));
  freshModules();
  onTestFinished(() => {
    vi.doUnmock('./proof.ts');
    freshModules();
  });
}

describe('a wallet on the main network after more than 60 missed blocks', () => {
  /** Mines a chain with realistic work, lets a wallet follow it, then mines many more blocks. */
  async function absent(bits: string) {
    anyWork();
    const network = await startForking(0);
    for (let i = 0; i < 30; i += 1) network.chain.mine([], { bits: '2000ffff' });
    const { follow, held } = await follower(network, { of: 'mainnet' });
    await follow();
    for (let i = 0; i < 61; i += 1) network.chain.mine([], { bits });
    return { network, follow, held, before: await held() };
  }

  test('the wallet continues if the difficulty has fallen sharply', async () => {
    const { network, follow, held, before } = await absent('202fffff'); // 48 times easier to mine
    await follow();
    expect(await held()).toEqual([...before, ...headersOf(network, 91 - 13)]);
  });

  test('the wallet continues if the difficulty has risen', async () => {
    const { network, follow, held, before } = await absent('20007fff');
    await follow();
    expect(await held()).toEqual([...before, ...headersOf(network, 91 - 13)]);
  });

  test('blocks of very little work are an error, and the true chain is followed', async () => {
    const { network, follow, held, before } = await absent('207fffff');
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await held()).toEqual(before);
    network.chain.cut(61);
    for (let i = 0; i < 70; i += 1) network.chain.mine([], { bits: '2000ffff' });
    await follow();
    expect(await held()).toEqual([...before, ...headersOf(network, 100 - 13)]);
  });
});

describe('a wrong header is an error and changes nothing:', () => {
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
    ['its height differs', ({ chain }, last) => chain.headers.set(last.hash, { ...last, height: last.height + 1 })],
    [
      'its other fields differ',
      ({ chain }, last) => chain.headers.set(last.hash, { ...last, merkleroot: 'ab'.repeat(32) }),
    ],
    [
      'it links to a stored one that has a different height',
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

  test("a test network's work on the main network is an error", async () => {
    const network = await startForking(30);
    const { follow, held } = await follower(network, { of: 'mainnet' });
    expect(await codeOf(follow())).toBe('invalid-proof');
    expect(await held()).toEqual([]);
  });

  test('a header of the main network that is far easier than those before it is an error', async () => {
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

  test('a main network that becomes easier step by step is an error', async () => {
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

  test('the corrected header is followed', async () => {
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
])('a chain without data, %j, changes nothing', async (answer) => {
  const network = await startForking(30);
  const { follow, held } = await follower(network);
  await follow();
  const before = await held();
  network.instead.set('/chain/info', answer);
  expect(await codeOf(follow())).toBe('network-unavailable');
  network.instead.clear();
  network.chain.headers.delete(network.chain.grow(2).previousblockhash as string); // the second-to-last header
  expect(await codeOf(follow())).toBe('network-unavailable');
  expect(await held()).toEqual(before);
});
