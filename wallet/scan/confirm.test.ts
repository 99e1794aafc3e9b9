import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { NetworkInfo } from '../chain/network-info.ts';
import type * as Spv from '../chain/headers/spv.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import { mineHeader } from '../../testkit/network/blocks.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { testCoin, testReceipt } from '../../testkit/wallet/coins.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import type * as Gone from './gone.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const BLOCK = mineHeader('00'.repeat(32), { height: 8 });

const scan = useDatabase(async () => ({
  ...(await import('./confirm.ts')),
  ...(await import('./work.ts')),
  ...(await import('../coins/records.ts')),
  ...(await import('../../protocol/errors/service-error.ts')),
}));

/**
 * Numbers of the transactions that are mined, that have an invalid proof, for which a proof was requested, and that
 * were checked for disappearance.
 */
const network = { proven: [] as number[], wrong: [] as number[], asked: [] as number[], looked: [] as number[] };
const txid = (n: number) => n.toString(16).padStart(64, '0');
const numberOf = (id: string) => Number.parseInt(id, 16);

// Other tests cover proofs and the checks for disappeared transactions.
beforeAll(() => {
  vi.doMock('../chain/headers/spv.ts', () => ({
    provenBlock: (async (_wallet: unknown, _, id) => {
      network.asked.push(numberOf(id));
      if (network.wrong.includes(numberOf(id))) throw new scan.ServiceError('invalid-proof');
      return network.proven.includes(numberOf(id)) ? BLOCK : null;
    }) satisfies typeof Spv.provenBlock,
  }));
  vi.doMock('../chain/operators.ts', () => ({}));
  vi.doMock('./gone.ts', async () => ({
    ...(await vi.importActual<typeof Gone>('./gone.ts')),
    checkReceipt: (async (_wallet: unknown, _, receipt) =>
      void network.looked.push(numberOf(receipt.txid))) satisfies typeof Gone.checkReceipt,
  }));
});

let work: InstanceType<typeof scan.Work>;
beforeEach(async () => {
  setTime(NOW);
  vi.spyOn(Math, 'random').mockReturnValue(0);
  Object.assign(network, { proven: [], wrong: [], asked: [], looked: [] });
  work = new scan.Work(wallet);
  await scan.db.put('headers', BLOCK);
});

const put = (n: number, ...coins: Parameters<typeof testCoin>[1][]) =>
  scan.write(async (tx) => {
    for (const [vout, coin] of coins.entries())
      await scan.putCoin(tx, testCoin(500n, { txid: txid(n), vout, height: null, ...coin }));
  });
const receipt = (n: number, more: Partial<Receipt> = {}) =>
  scan.db.put('receipts', testReceipt({ txid: txid(n), ...more }));
const lookedAt = (ago: number) => ({ look: { at: NOW - ago, unknown: 2, since: 3 } });
const check = () => scan.checkUnconfirmed(wallet, {} as NetworkInfo, work);
const heights = async () => (await scan.db.getAll('coins')).map(({ height }) => height);

describe('requests for proofs', () => {
  test('a proof is requested for a transaction that the index reports as mined, while one of its coins is unconfirmed', async () => {
    await put(1, { height: 7 }, {});
    await put(2, { height: 7 });
    await put(3, {});
    for (const n of [1, 2, 4]) work.mined.add(txid(n));
    network.proven = [1, 3];
    await check();
    expect(network.asked).toEqual([1]);
    expect(await heights()).toEqual([8, 8, 7, null]);
  });

  test('a proof is requested for received money that no list shows any longer, and confirms it', async () => {
    await put(1, { status: 'spent', paymentId: 'payment' });
    for (const n of [1, 2, 3]) await receipt(n);
    await receipt(4, { height: 8, unconfirmed: 0 });
    work.shown.add(txid(2));
    work.mined.add(txid(3));
    network.proven = [1];
    await check();
    expect(network.asked).toEqual([1]);
    expect(await scan.db.get('receipts', txid(1))).toMatchObject({ height: 8, unconfirmed: 0 });
    expect(network.looked).toEqual([]);
  });

  test('a proof is requested for gone money once a day', async () => {
    await receipt(1, { failed: 'dropped', ...lookedAt(24 * 60 * MINUTE) });
    await receipt(2, { failed: 'dropped', ...lookedAt(24 * 60 * MINUTE - 1) });
    await check();
    expect([network.asked, network.looked]).toEqual([[1], [1]]);
  });

  test('proofs are requested while the refresh has requests left and the network is available', async () => {
    for (const n of [1, 2, 3]) {
      await put(n, {});
      work.mined.add(txid(n));
    }
    work.checks.took(98);
    await check();
    expect(network.asked).toEqual([1, 2]);
    work = new scan.Work(wallet);
    for (const n of [1, 2, 3]) work.mined.add(txid(n));
    for (let i = 0; i < 5; i += 1)
      await work.passingOver(async () => {
        throw new scan.ServiceError('network-unavailable');
      });
    await check();
    expect(network.asked).toEqual([1, 2]);
  });

  test('an invalid proof hides no others', async () => {
    for (const n of [1, 2]) {
      await put(n, {});
      work.mined.add(txid(n));
    }
    [network.wrong, network.proven] = [[1], [2]];
    await check();
    expect(await heights()).toEqual([null, 8]);
    expect(work.faults.map(({ code }) => code)).toEqual(['invalid-proof']);
  });
});

describe('transactions without a proof', () => {
  test('an unlisted transaction is checked once that is due, which takes four requests in total', async () => {
    await receipt(1, lookedAt(9 * MINUTE));
    await receipt(2, lookedAt(9 * MINUTE - 1));
    await receipt(3);
    work.checks.took(95);
    await check();
    // After four requests for the first transaction and one for the second, the budget is used up.
    expect([network.asked, network.looked]).toEqual([[1, 2], [1]]);
  });

  test('a transaction reported as mined is not checked', async () => {
    await put(1, {});
    await receipt(1);
    work.mined.add(txid(1));
    await check();
    expect([network.asked, network.looked]).toEqual([[1], []]);
  });
});

describe('before the checks', () => {
  test('a transaction that the index shows counts as known', async () => {
    for (const n of [1, 2]) await receipt(n, lookedAt(MINUTE));
    work.shown.add(txid(1));
    work.shown.add(txid(3));
    await receipt(3, { look: { at: 9, unknown: 0, since: 5 } });
    await check();
    expect((await scan.db.getAll('receipts')).map(({ look }) => look)).toEqual([
      { at: NOW - MINUTE, unknown: 0, since: NOW - MINUTE },
      { at: NOW - MINUTE, unknown: 2, since: 3 },
      { at: 9, unknown: 0, since: 5 },
    ]);
  });

  test('a coin that a payment has released is removed from the balance if its own transaction is gone', async () => {
    await put(1, {}, { status: 'reserved' });
    await receipt(1, { failed: 'dropped', ...lookedAt(MINUTE) });
    await put(2, {});
    await receipt(2, lookedAt(MINUTE));
    await check();
    expect((await scan.db.getAll('coins')).map(({ status }) => status)).toEqual(['gone', 'reserved', 'available']);
    expect(await scan.db.get('receipts', txid(1))).toEqual(
      testReceipt({ txid: txid(1), failed: 'dropped', ...lookedAt(MINUTE) }),
    );
  });
});
