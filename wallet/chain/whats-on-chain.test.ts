import { describe, expect, test, vi } from 'vitest';
import { answering, type FakeResponse, type RecordedRequest } from '../../testkit/network/answers.ts';
import {
  blockHeader,
  chainTip,
  merkleProofs,
  knownAmong,
  spenderOf,
  spendersOfMany,
  transactionHex,
  unspentOf,
} from './whats-on-chain.ts';
import { historyOf, isUsed } from './address-histories.ts';
import { wallet } from '../../testkit/wallet/current.ts';

vi.mock('./operator-keys.ts', () => ({ operatorKey: async () => null }));

const TXID = 'ab'.repeat(32);
const ADDRESS = 'mfbFX7N2MSrsJtojjSJiUfKRYQw3h9SZ3R';
const unavailable = expect.objectContaining({ code: 'network-unavailable' }) as Error;
const HEADER = {
  hash: TXID,
  height: 1,
  version: 1,
  merkleroot: TXID,
  time: 1,
  nonce: 1,
  bits: '207fffff',
  previousblockhash: TXID,
};
const UNSPENT = { tx_hash: TXID, tx_pos: 0, value: 5, height: 7 };
const list = (...result: unknown[]): FakeResponse => ({ body: [{ address: ADDRESS, script: 'x', result, error: '' }] });

const questions: [string, (url: string) => Promise<unknown>][] = [
  ['coins', (url) => unspentOf(wallet, url, [ADDRESS])],
  ['a proof', (url) => merkleProofs(wallet, url, TXID)],
  ['a header', (url) => blockHeader(wallet, url, TXID)],
  ['a spender', (url) => spenderOf(wallet, url, TXID, 0)],
  ['states of transactions', (url) => knownAmong(wallet, url, [TXID])],
  ['spenders of outputs', (url) => spendersOfMany(wallet, url, [{ txid: TXID, vout: 0 }])],
  ['the last block', (url) => chainTip(wallet, url)],
];

describe.each(questions)('a request for %s', (_, ask) => {
  test.each<[string, FakeResponse]>([
    ['nothing', { body: '' }],
    ['garbage', { body: '<html>' }],
    ['a number', { body: 5 }],
    ['a text', { body: '"x"' }],
    ['an empty object', { body: {} }],
    ['another shape', { body: [{ nodes: 'x', result: 'y', address: 5 }] }],
    ['an error', { status: 500 }],
    ['too many requests', { status: 429 }],
  ])('the response %s is rejected', async (__, answer) => {
    await expect(ask((await answering(answer)).url)).rejects.toThrow(unavailable);
  });
});

test.each([429, 503])(
  'an index that requests a delay (%i) gets no requests until then, and others do',
  async (status) => {
    const busy = await answering({ status, headers: { 'retry-after': '120' } });
    const other = await answering({ body: { blocks: 1, bestblockhash: TXID } });
    await expect(chainTip(wallet, busy.url)).rejects.toThrow(unavailable);
    await expect(chainTip(wallet, busy.url)).rejects.toThrow(unavailable);
    expect(await chainTip(wallet, other.url)).toEqual({ hash: TXID, height: 1 });
    expect(busy.asked).toHaveLength(1);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 120_000);
    await expect(chainTip(wallet, busy.url)).rejects.toThrow(unavailable);
    expect(busy.asked).toHaveLength(2);
    vi.restoreAllMocks();
  },
);

describe('coins', () => {
  test('coins are read with their fields', async () => {
    const { url, asked } = await answering(
      list(UNSPENT, { ...UNSPENT, tx_pos: 1, height: 0, isSpentInMempoolTx: true, status: 'unconfirmed' }),
    );
    expect(await unspentOf(wallet, url, [ADDRESS])).toEqual([
      { address: ADDRESS, txid: TXID, vout: 0, satoshis: 5n, height: 7, spentInMempool: false },
      { address: ADDRESS, txid: TXID, vout: 1, satoshis: 5n, height: 0, spentInMempool: true },
    ]);
    expect(asked).toMatchObject([
      { method: 'POST', url: '/addresses/unspent/all', body: JSON.stringify({ addresses: [ADDRESS] }) },
    ]);
  });

  test('coins without a block have no height, and the list is found in older responses', async () => {
    const { height: _, ...unconfirmed } = { ...UNSPENT, hex: '76a9', status: 'unconfirmed' };
    const { url } = await answering({ body: [{ address: ADDRESS, unspent: [unconfirmed], error: '' }] });
    expect(await unspentOf(wallet, url, [ADDRESS])).toEqual([
      { address: ADDRESS, txid: TXID, vout: 0, satoshis: 5n, height: 0, spentInMempool: false },
    ]);
  });

  test('coins come from two lists if there is no combined one, and a coin mined in between counts once', async () => {
    const { height: _, ...coin } = UNSPENT;
    const lists: Record<string, unknown[]> = {
      '/addresses/unconfirmed/unspent': [coin, { ...coin, tx_pos: 1 }],
      '/addresses/confirmed/unspent': [UNSPENT, { ...UNSPENT, tx_pos: 2 }],
    };
    const { url, asked } = await answering((one: RecordedRequest) =>
      lists[one.url] ? list(...(lists[one.url] as unknown[])) : { status: 404, body: 'Not Found' },
    );
    for (let times = 0; times < 2; times += 1) {
      expect((await unspentOf(wallet, url, [ADDRESS])).map(({ vout, height }) => [vout, height])).toEqual([
        [0, 7],
        [2, 7],
        [1, 0],
      ]);
    }
    expect(asked.map((one) => one.url)).toEqual([
      '/addresses/unspent/all',
      ...Object.keys(lists),
      ...Object.keys(lists),
    ]);
  });

  test('all coins are requested page by page if the list of several addresses has only the first', async () => {
    const confirmed = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => ({ ...UNSPENT, tx_pos: from + i }));
    const { height: _, ...coin } = UNSPENT;
    const unconfirmed = (length: number) => Array.from({ length }, (__, i) => ({ ...coin, tx_pos: 1000 + i }));
    const answers: Record<string, unknown> = {
      '/addresses/unconfirmed/unspent': [{ address: ADDRESS, result: unconfirmed(100) }],
      '/addresses/confirmed/unspent': [{ address: ADDRESS, result: confirmed(0, 20), nextPageToken: 'aa' }],
      [`/address/${ADDRESS}/unconfirmed/unspent`]: { address: ADDRESS, result: unconfirmed(120), nextPageToken: 'c' },
      [`/address/${ADDRESS}/unconfirmed/unspent?token=c`]: { address: ADDRESS, result: unconfirmed(130) },
      [`/address/${ADDRESS}/confirmed/unspent`]: { address: ADDRESS, result: confirmed(0, 25), nextPageToken: 'b/b' },
      [`/address/${ADDRESS}/confirmed/unspent?token=b%2Fb`]: {
        address: ADDRESS,
        result: confirmed(25, 30),
        nextPageToken: '',
      },
    };
    const { url } = await answering((one: RecordedRequest) =>
      answers[one.url] ? { body: answers[one.url] } : { status: 404 },
    );
    let requests = 0;
    const found = await unspentOf(wallet, url, [ADDRESS], () => (requests += 1));
    expect(found.filter((one) => one.height === 7).map(({ vout }) => vout)).toEqual(
      Array.from({ length: 30 }, (__, i) => i),
    );
    expect(found.filter((one) => one.height === 0)).toHaveLength(130);
    expect(requests).toBe(7);
  });

  test('a list is an error if no URL can contain the token of its next page', async () => {
    const { url } = await answering({ body: { result: [], nextPageToken: '\udc00' } });
    await expect(historyOf(wallet, url, ADDRESS, () => undefined)).rejects.toMatchObject({
      code: 'network-unavailable',
    });
  });

  test('a history with endless pages is returned in part, and marked as such', async () => {
    const listed = { tx_hash: UNSPENT.tx_hash, height: 7 };
    const { url, asked } = await answering((one: RecordedRequest) => ({
      body: one.url.includes('/unconfirmed/') ? {} : { result: [listed], nextPageToken: 'aa' },
    }));
    expect(await historyOf(wallet, url, ADDRESS, () => undefined)).toEqual({
      transactions: [{ txid: UNSPENT.tx_hash, height: 7 }],
      isWhole: false,
    });
    expect(asked).toHaveLength(21);
  });

  test('a list of coins with endless pages is an error', async () => {
    const { url } = await answering({ body: [{ address: ADDRESS, result: [UNSPENT], nextPageToken: 'aa' }] });
    await expect(unspentOf(wallet, url, [ADDRESS])).rejects.toThrow(unavailable);
    const page = { address: ADDRESS, result: [UNSPENT], nextPageToken: 'aa' };
    const endless = await answering((one: RecordedRequest) => ({ body: one.method === 'POST' ? [page] : page }));
    await expect(unspentOf(wallet, endless.url, [ADDRESS])).rejects.toThrow(
      expect.objectContaining({ code: 'too-large' }) as Error,
    );
    expect(endless.asked).toHaveLength(21);
  });

  test('coins of an address that was not requested are ignored', async () => {
    expect(
      await unspentOf(
        wallet,
        (
          await answering({
            body: [
              { address: 'mother', result: [UNSPENT] },
              { address: ADDRESS, result: null },
            ],
          })
        ).url,
        [ADDRESS],
      ),
    ).toEqual([]);
    expect(await unspentOf(wallet, (await answering({ body: [] })).url, [ADDRESS])).toEqual([]);
  });

  test.each([
    { ...UNSPENT, value: 1.5 },
    { ...UNSPENT, value: '5' },
    { ...UNSPENT, value: 2 ** 60 },
    { ...UNSPENT, tx_hash: 'xyz' },
    { ...UNSPENT, tx_hash: TXID.toUpperCase() },
    { ...UNSPENT, tx_hash: `${TXID}/../x` },
    { ...UNSPENT, tx_pos: null },
    { ...UNSPENT, tx_pos: 0.5 },
  ])('coins with impossible values are rejected: %j', async (one) => {
    await expect(unspentOf(wallet, (await answering(list(one))).url, [ADDRESS])).rejects.toThrow(unavailable);
  });
});

describe('a transaction', () => {
  test.each<[FakeResponse, string | null]>([
    [{ body: '00ff' }, '00ff'],
    [{ body: ' 00ff\n' }, '00ff'],
    [{ status: 404, body: '00ff' }, null],
  ])('the response %j is parsed as the transaction %j', async (answer, expected) => {
    expect(await transactionHex(wallet, (await answering(answer)).url, TXID)).toBe(expected);
  });

  test.each(['', 'xyz', '{"hex":"00"}', '00f', '<html>'])(
    'a transaction doesn’t count as unknown to the index if the response is %j',
    async (body) => {
      await expect(transactionHex(wallet, (await answering({ body })).url, TXID)).rejects.toThrow(unavailable);
    },
  );
});

describe('an address', () => {
  test.each<[FakeResponse, boolean]>([
    [{ body: true }, true],
    [{ body: 'true' }, true],
    [{ body: { used: true } }, true],
    [{ body: false }, false],
    [{ body: { used: false } }, false],
    [{ status: 404, body: true }, false],
  ])('the response %j shows whether the address was used: %j', async (answer, expected) => {
    expect(await isUsed(wallet, (await answering(answer)).url, ADDRESS)).toBe(expected);
  });

  test.each(['', 'garbage', '<html>', '{}', '{"used":"yes"}', 'tr'])(
    'an address doesn’t count as unused if the response is %j',
    async (body) => {
      await expect(isUsed(wallet, (await answering({ body })).url, ADDRESS)).rejects.toThrow(unavailable);
    },
  );
});

describe('a missing item', () => {
  test('a missing item is null', async () => {
    const { url } = await answering({ status: 404, body: 'not found' });
    expect(
      await Promise.all([
        blockHeader(wallet, url, 5),
        spenderOf(wallet, url, TXID, 0),
        transactionHex(wallet, url, TXID),
      ]),
    ).toEqual([null, null, null]);
    for (const one of [{ status: 404 }, { body: null }, { body: [] }])
      expect(await merkleProofs(wallet, (await answering(one)).url, TXID)).toEqual([]);
  });
});

// The responses come from WhatsOnChain's documentation and from other clients of its API.
test('states of transactions are parsed in the format of the index', async () => {
  const [mined, unconfirmed, unknown] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
  const body = [
    { txid: mined, blockhash: TXID, blockheight: 612_251, blocktime: 1_575_841_517, confirmations: 278_272 },
    { txid: unconfirmed },
    { txid: unknown, error: 'unknown' },
  ];
  const { url } = await answering({ body });
  expect(await knownAmong(wallet, url, [mined, unconfirmed, unknown])).toEqual(new Set([mined, unconfirmed]));
});

test('spenders of outputs are parsed in the format of the index', async () => {
  const spender = 'd'.repeat(64);
  const body = [
    { utxo: { txid: TXID, vout: 0 }, spentIn: { txid: spender, vin: 1, status: 'confirmed' }, error: '' },
    { utxo: { txid: TXID, vout: 1 }, error: '' },
    { utxo: { txid: TXID, vout: 2 }, spentIn: { status: 'Unknown UTXO' }, error: '' },
  ];
  const outputs = [0, 1, 2].map((vout) => ({ txid: TXID, vout }));
  const { url } = await answering({ body });
  expect(await spendersOfMany(wallet, url, outputs)).toEqual(new Map([[`${TXID}:0`, spender]]));
});

test('an index without lists of states returns none', async () => {
  const { url } = await answering({ status: 404 });
  expect(await knownAmong(wallet, url, [TXID])).toBeNull();
  expect(await spendersOfMany(wallet, url, [{ txid: TXID, vout: 0 }])).toBeNull();
});

test('proofs, headers, spenders and the last block are parsed in the format of the index', async () => {
  const proof = { index: 3, txOrId: TXID, target: TXID, nodes: ['*', TXID] };
  expect(await merkleProofs(wallet, (await answering({ body: [proof] })).url, TXID)).toEqual([proof]);
  expect(await blockHeader(wallet, (await answering({ body: { ...HEADER, size: 5 } })).url, 1)).toEqual(HEADER);
  expect(
    await spenderOf(wallet, (await answering({ body: { txid: TXID, vin: 0, status: 'confirmed' } })).url, TXID, 2),
  ).toBe(TXID);
  expect(
    await chainTip(
      wallet,
      (await answering({ body: { chain: 'main', blocks: 5, headers: 6, bestblockhash: TXID } })).url,
    ),
  ).toEqual({ hash: TXID, height: 5 });
  for (const target of ['../../tx', 5, ''])
    await expect(merkleProofs(wallet, (await answering({ body: [{ ...proof, target }] })).url, TXID)).rejects.toThrow(
      unavailable,
    );
});
