import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { ErrorCode } from '../../protocol/errors/service-error.ts';
import { codeOf } from '../../testing/code-of.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import type * as Spv from '../chain/headers/spv.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const scan = useDatabase(async () => ({
  ...(await import('./work.ts')),
  ...(await import('../../protocol/errors/service-error.ts')),
}));

const fetchTransaction = vi.fn<typeof Spv.fetchTransaction>();
const asked: string[] = [];

// Only the size of responses matters here. wallet/chain/headers/spv.test.ts tests verification.
beforeAll(() => void vi.doMock('../chain/headers/spv.ts', () => ({ fetchTransaction })));

test('a budget lasts until its requests or its bytes are used up', () => {
  const requests = new scan.Budget(2);
  requests.took(1, 1e12);
  expect(requests.left).toBe(true);
  requests.took(1);
  expect(requests.left).toBe(false);
  const bytes = new scan.Budget(100, 50);
  bytes.took(1, 49);
  expect(bytes.left).toBe(true);
  bytes.took(0, 1);
  expect(bytes.left).toBe(false);
  bytes.took(0, 1);
  expect(bytes.left).toBe(false);
});

describe('work on one item', () => {
  const failing = (code: ErrorCode) => async () => {
    throw new scan.ServiceError(code);
  };
  const fail = async (work: InstanceType<typeof scan.Work>, code: ErrorCode) =>
    (await work.passingOver(failing(code)))?.code;

  test('work that succeeds records no error', async () => {
    const work = new scan.Work(wallet);
    expect(await work.passingOver(async () => undefined)).toBeNull();
    expect([work.faults, work.isOver, work.isCut]).toEqual([[], false, false]);
  });

  test.each(['invalid-proof', 'too-large', 'invalid-transaction'] as const)(
    'an error is skipped, and thrown at the end: %s',
    async (code) => {
      const work = new scan.Work(wallet);
      for (let i = 0; i < 9; i += 1) expect(await fail(work, code)).toBe(code);
      expect(work.faults.map((fault) => fault.code)).toEqual(Array.from({ length: 9 }, () => code));
      expect(work.isOver).toBe(false);
    },
  );

  test('a failed request decides nothing until five have failed in a row', async () => {
    const work = new scan.Work(wallet);
    for (let i = 0; i < 4; i += 1) expect(await fail(work, 'network-unavailable')).toBe('network-unavailable');
    expect([work.isOver, work.faults]).toEqual([false, []]);
    await fail(work, 'network-unavailable');
    expect(work.isOver).toBe(true);
    expect(work.faults.map(({ code }) => code)).toEqual(['network-unavailable']);
  });

  test('a response shows that the network is available', async () => {
    const work = new scan.Work(wallet);
    for (let i = 0; i < 4; i += 1) await fail(work, 'network-unavailable');
    await work.passingOver(async () => undefined);
    for (let i = 0; i < 4; i += 1) await fail(work, 'network-unavailable');
    await fail(work, 'invalid-proof');
    for (let i = 0; i < 4; i += 1) await fail(work, 'network-unavailable');
    expect(work.isOver).toBe(false);
  });

  test('an error that affects everything is not skipped', async () => {
    const work = new scan.Work(wallet);
    expect(await codeOf(work.passingOver(failing('wallet-not-set-up')))).toBe('wallet-not-set-up');
    const bug = new TypeError('a bug');
    expect(await codeOf(work.passingOver(async () => Promise.reject(bug)))).toBe(bug);
    expect(work.faults).toEqual([]);
  });
});

describe('a transaction', () => {
  /** Sets up an index with responses of these lengths (characters). With length 0, the transaction is unknown. */
  function indexOf(sizes: Record<string, number | ErrorCode>) {
    asked.length = 0;
    fetchTransaction.mockImplementation(async (_wallet, _, txid, count) => {
      asked.push(txid);
      const size = sizes[txid] ?? 0;
      if (typeof size === 'string') throw new scan.ServiceError(size);
      if (size === 0) return null;
      count?.(size);
      return { version: 1, lockTime: 0, inputs: [], outputs: [] };
    });
    return { work: new scan.Work(wallet), info: {} as NetworkInfo };
  }

  test('a transaction is fetched once in a refresh, and uses a request and its bytes of the budget', async () => {
    const { work, info } = indexOf({ one: 1000 });
    const first = await work.transaction(info, 'one');
    expect(first).not.toBeNull();
    expect(await work.transaction(info, 'one')).toBe(first);
    expect(asked).toEqual(['one']);
    work.transactions.took(98, 64_000_000 - 1001);
    expect(work.transactions.left).toBe(true);
    work.transactions.took(0, 1);
    expect(work.transactions.left).toBe(false);
    work.transactions.took(1, -1);
    expect(work.transactions.left).toBe(false);
  });

  test('a transaction that the index lacks or fails at uses a request, and is requested again', async () => {
    const { work, info } = indexOf({ failing: 'network-unavailable' });
    for (let i = 0; i < 49; i += 1) {
      expect(await work.transaction(info, 'none')).toBeNull();
      expect(await codeOf(work.transaction(info, 'failing'))).toBe('network-unavailable');
    }
    expect(asked).toHaveLength(98);
    work.transactions.took(1, 64_000_000 - 1);
    expect(work.transactions.left).toBe(true);
    work.transactions.took(1);
    expect(work.transactions.left).toBe(false);
  });

  test('a transaction that exceeds the maximum response uses as much as was read', async () => {
    const { work, info } = indexOf({ large: 'too-large' });
    await codeOf(work.transaction(info, 'large'));
    expect(work.transactions.left).toBe(true);
    await codeOf(work.transaction(info, 'large'));
    expect(work.transactions.left).toBe(false);
  });

  test('a transaction is cached while there is space, and the oldest are removed first', async () => {
    const { work, info } = indexOf({ a: 8_000_000, b: 7_000_000, c: 5_000_000, d: 1, e: 30_000_000 });
    const fetched = async (...txids: string[]) => {
      asked.length = 0;
      for (const txid of txids) await work.transaction(info, txid);
      return asked.join('');
    };
    expect(await fetched('a', 'b', 'c')).toBe('abc');
    expect(await fetched('a', 'b', 'c')).toBe('');
    expect(await fetched('d', 'b', 'c')).toBe('d');
    expect(await fetched('a', 'c', 'd', 'a')).toBe('a');
    expect(await fetched('b')).toBe('b');
    // A transaction larger than the limit is cached until the next one is fetched.
    expect(await fetched('e', 'e', 'd', 'e')).toBe('ede');
  });
});
