import { describe, expect, test } from 'vitest';
import { ARC_STATUSES } from '../../../protocol/arc.ts';
import { answering, type Answer } from '../testing/answers.ts';
import { broadcast, fetchPolicy, transactionStatus } from './arc.ts';

const TXID = 'ab'.repeat(32);
const unavailable = expect.objectContaining({ code: 'network-unavailable' }) as Error;
const outcome = async (answer: Answer) => (await broadcast((await answering(answer)).url, '0100', TXID)).kind;

describe('a broadcast', () => {
  test('hands the transaction in as ARC wants it', async () => {
    const { url, asked } = await answering({ body: { txid: TXID, txStatus: 'SEEN_ON_NETWORK' } });
    await broadcast(url, '0100', TXID);
    expect(asked).toMatchObject([{ method: 'POST', url: '/v1/tx', body: '{"rawTx":"0100"}' }]);
  });

  /** A node has said yes. What is only queued or on its way may still be refused. */
  const TAKEN = ['ACCEPTED_BY_NETWORK', 'SEEN_ON_NETWORK', 'MINED', 'MINED_IN_STALE_BLOCK'];
  const CONTESTED = ['DOUBLE_SPEND_ATTEMPTED', 'SEEN_IN_ORPHAN_MEMPOOL'];
  test.each(ARC_STATUSES)('that ARC calls %s', async (txStatus) => {
    const expected =
      txStatus === 'REJECTED'
        ? 'rejected'
        : CONTESTED.includes(txStatus)
          ? 'contested'
          : TAKEN.includes(txStatus)
            ? 'accepted'
            : 'unreachable';
    expect(
      await outcome({
        body: { txid: TXID, txStatus, timestamp: 'x', blockHash: null, competingTxs: null, extraInfo: '' },
      }),
    ).toBe(expected);
    // The status is what counts, whatever the number of the answer.
    expect(await outcome({ status: 409, body: { txid: TXID, txStatus } })).toBe(expected);
  });

  test.each([400, 460, 461, 463, 464, 465, 468, 469, 473, 474])(
    'answered with %i is refused for good',
    async (status) => {
      expect(await outcome({ status, body: { status, title: 'no', detail: 'why' } })).toBe('rejected');
      expect(await outcome({ status, body: 'garbage' })).toBe('rejected');
    },
  );

  test.each([409, 462, 466])('answered with %i may still end well', async (status) => {
    expect(await outcome({ status, body: { status, title: 'no' } })).toBe('contested');
  });

  test.each<[string, Answer]>([
    ['401', { status: 401 }],
    ['403', { status: 403 }],
    ['404', { status: 404 }],
    ['413', { status: 413 }],
    ['422', { status: 422, body: {} }],
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['502', { status: 502, body: '<html>' }],
    ['503', { status: 503 }],
    ['nothing', { body: '' }],
    ['garbage', { body: '<html>ok</html>' }],
    ['null', { body: 'null' }],
    ['a list', { body: [] }],
    ['no status', { body: { txid: TXID } }],
    ['a status nobody knows', { body: { txid: TXID, txStatus: 'GREAT' } }],
    ["another transaction's status", { body: { txid: 'cd'.repeat(32), txStatus: 'MINED' } }],
    ["another transaction's refusal", { body: { txid: 'cd'.repeat(32), txStatus: 'REJECTED' } }],
    ['a hang-up', ((_: never, response: { destroy(): void }) => response.destroy()) as never],
    ['too much', { body: { txid: TXID, txStatus: 'MINED', extraInfo: 'x'.repeat(1_000_001) } }],
  ])('answered with %s says nothing about it: it stays to be tried again', async (_, answer) => {
    expect(await outcome(answer)).toBe('unreachable');
  });

  test('never throws', async () => {
    expect(await broadcast('http://127.0.0.1:1', '00', TXID)).toMatchObject({ kind: 'unreachable' });
    expect(await broadcast('nonsense', '00', TXID)).toMatchObject({ kind: 'unreachable' });
  });

  test('gives a short reason', async () => {
    const { url } = await answering({
      status: 461,
      body: { title: 'Malformed', detail: 'd'.repeat(1000), extraInfo: 5 },
    });
    const told = await broadcast(url, '00', TXID);
    expect(told).toMatchObject({ detail: expect.stringMatching(/^Malformed: d+$/) });
    expect((told as { detail: string }).detail.length).toBeLessThanOrEqual(300);
  });
});

describe('the status of a transaction', () => {
  test('is what ARC says, or nothing where it knows none', async () => {
    const { url, asked } = await answering({ body: { txid: TXID, txStatus: 'MINED', blockHeight: 5 } });
    expect(await transactionStatus(url, TXID)).toMatchObject({ txStatus: 'MINED', blockHeight: 5 });
    expect(asked[0]?.url).toBe(`/v1/tx/${TXID}`);
    expect(
      await transactionStatus((await answering({ status: 404, body: { title: 'Not found' } })).url, TXID),
    ).toBeNull();
  });

  test.each<Answer>([
    { status: 500 },
    { body: 'garbage' },
    { body: { txid: 'cd'.repeat(32), txStatus: 'MINED' } },
    { body: { txid: TXID, txStatus: 'X' } },
  ])('is unknown for now, by answer %#', async (answer) => {
    await expect(transactionStatus((await answering(answer)).url, TXID)).rejects.toThrow(unavailable);
  });
});

describe('the fee policy', () => {
  const policy = (satoshis: unknown, bytes: unknown): Answer => ({
    body: {
      policy: {
        maxscriptsizepolicy: 1,
        maxtxsizepolicy: 1,
        maxtxsigopscountspolicy: 1,
        miningFee: { satoshis, bytes },
      },
      timestamp: '',
    },
  });

  test.each([
    [1, 1000],
    [100, 1000],
    [0, 1000],
    [50, 1000],
    [1, 1],
  ])('of %i satoshis for %i bytes is taken', async (satoshis, bytes) => {
    expect(await fetchPolicy((await answering(policy(satoshis, bytes))).url)).toEqual({ satoshis, bytes });
  });

  test.each<[string, Answer]>([
    ['negative', policy(-1, 1000)],
    ['by no bytes', policy(1, 0)],
    ['by less than none', policy(1, -1000)],
    ['in fractions', policy(0.5, 1000)],
    ['in fractions of bytes', policy(1, 0.5)],
    ['in words', policy('1', '1000')],
    ['too dear', policy(1001, 1000)],
    ['beyond all numbers', policy(1e300, 1e301)],
    ['missing', { body: {} }],
    ['garbage', { body: 'x' }],
    ['an error', { status: 500, body: {} }],
  ])('%s is not', async (_, answer) => {
    await expect(fetchPolicy((await answering(answer)).url)).rejects.toThrow(unavailable);
  });
});
