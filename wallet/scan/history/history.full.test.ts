import { afterEach, describe, expect, test } from 'vitest';
import type { ActivityItem } from '../../../protocol/messages/wallet-messages.ts';
import type { Operator } from '../../../testkit/network/operators.ts';
import { approveAll, ask, openWallet, pay, someone } from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import { expectRestored, network, rowsOf, leftOf, restored } from './testing-history.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';
import { pay as payWallet, payAll, spend, startIndex, wallet } from '../testing-scan.ts';

/** Only every `STRIDE`th crash point is tested. */
const STRIDE = 12;
afterEach(endAllWorkerRuns);

describe('the development network', () => {
  test('the details and the export of a payment match the chain, and contain no other data', async () => {
    const before = await openWallet(network, [1_000_000]);
    approveAll(before);
    const to = someone();
    await ask(before, 'request-1', pay(to, 20_000, { label: 'A book' }));
    await network.mine();
    const { modules } = await restored(before);
    const { items } = (await modules.handlers.walletHandlers(current)['activity/export']({ direction: 'sent' })) as {
      items: ActivityItem[];
    };
    expect(items).toMatchObject([
      { isFromChain: true, origin: null, amount: null, label: null, recipients: [{ to, satoshis: '20000' }] },
    ]);
    expect(
      await modules.handlers.walletHandlers(current)['activity/read']({ id: items[0]?.txid as string }),
    ).toMatchObject({
      outputs: [{ type: 'ADDRESS', to, satoshis: '20000', currency: 'BSV' }],
      decided: null,
      deliveries: [],
    });
  });
});

describe.each<[Operator, Operator]>([
  ['arc', 'arcade'],
  ['arcade', 'arc'],
])('two operators, the first of which has a fault: %s', (first, second) => {
  test.each<[string, object]>([
    ['is down', { name: 'down' }],
    ['is slow', { name: 'slow', seconds: 3 }],
    ['requires a key', { name: 'key-required', key: 'k' }],
    ['is overloaded', { name: 'overloaded', seconds: 3600 }],
    ['refuses, wrongly', { name: 'refused', code: 461 }],
    ['accepts and forgets', { name: 'silence' }],
  ])('history and coins are restored from the words if the first operator %s', async (_, fault) => {
    await expectRestored(first, second, fault);
  });
});

describe('the time of restored money', () => {
  test('restored money has no time before a proof places it in a block, and money received since has its own', async () => {
    const lists = await startIndex();
    const old = payWallet(lists, 'receive', 0, 700);
    lists.mine(['ee'.repeat(32), old.txid]);
    lists.instead.set(`/tx/${old.txid}/proof/tsc`, { status: 404 });
    const fresh = payWallet(lists, 'receive', 1, 800);
    const made = await wallet(lists, true);
    await made.refreshCoins(current);
    const timesKnown = async () => {
      const { items } = (await made.handlers.walletHandlers(current)['activity/list']({ limit: 9 })) as {
        items: ActivityItem[];
      };
      return Object.fromEntries(items.map(({ txid, isTimeUnknown }) => [txid, !isTimeUnknown]));
    };
    expect(await timesKnown()).toEqual({ [old.txid]: false, [fresh.txid]: true });
    lists.instead.clear();
    await made.refreshCoins(current);
    expect(await timesKnown()).toEqual({ [old.txid]: true, [fresh.txid]: true });
  });

  test('a worker killed at any point produces the same rows', async () => {
    const lists = await startIndex();
    const [one] = payAll(lists, [
      { chain: 'receive', at: 0, value: 700 },
      { chain: 'receive', at: 1, value: 500 },
    ]);
    spend(lists, [one!], { change: { chain: 'change', at: 0, value: 600 } });
    let points = Number.POSITIVE_INFINITY;
    for (let n = 1; n <= points; n += STRIDE) {
      const made = await wallet(lists, true);
      const run = made.workerRun;
      run.dieAt(n);
      await run.untilDeath(() => made.refreshCoins(current).catch(() => undefined));
      if (run.crashPoints.length < n) points = 0;
      run.end();
      const next = await wallet(lists, true, made.profile);
      await next.refreshCoins(current);
      await next.refreshCoins(current);
      const rows = (await rowsOf(next)).map(({ direction, satoshis, feeSatoshis }) => [
        direction,
        satoshis,
        feeSatoshis,
      ]);
      expect(rows.sort(), `crash point ${n}`).toEqual([
        ['received', '1200', null],
        ['sent', '1', '99'],
      ]);
      expect(await next.satoshis(), `crash point ${n}`).toBe(1100n);
      expect(await leftOf(next), `crash point ${n}`).toBeNull();
      endAllWorkerRuns();
    }
  });
});
