import { afterEach, describe, expect, test, vi } from 'vitest';
import type { PaymentRecord } from '../record.ts';
import { RECEIVE_PATHS } from '../../../testkit/wallet/arrivals.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { ask, paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import { network, BOB, CAROL, paying, wallet, paid, settled, until, taken } from './testing-deliver.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

/** Every nth crash point is tested. */
const STRIDE = 16;

afterEach(() => {
  vi.doUnmock('../../paymail/destination.ts');
  vi.doUnmock('../../chain/beef.ts');
});

/** Crashes consecutive workers at the given points, then runs until the payment is settled. */
async function throughDeaths(
  workerRun: WorkerRun,
  record: PaymentRecord,
  deaths: readonly number[],
): Promise<{ workerRun: WorkerRun; crashPoints: number }> {
  let now = workerRun;
  let crashPoints = 0;
  for (const dieAt of [...deaths, Number.POSITIVE_INFINITY]) {
    now = await now.profile.start(dieAt);
    await now.untilDeath(() =>
      paymentWhere(now, record.id, ({ state, height }) => state === 'settled' && height !== null),
    );
    crashPoints ||= now.crashPoints.length;
  }
  return { workerRun: now, crashPoints };
}

describe('a host', () => {
  test.each([
    ['refused', 1],
    ['answer-lost', 2],
    ['other-txid', 2],
    [500, 1],
    [404, 1],
  ] as const)(
    'the delivery to a host that first responds with "%s" is retried until the host acknowledges it',
    async (fault, times) => {
      const workerRun = await wallet();
      network.arrivals.deliveryFaults = [fault, fault === 'answer-lost' ? 'refused' : fault];
      const record = await settled(workerRun, await paid(workerRun, paying(BOB)));
      expect(record.deliveries).toMatchObject([{ state: 'done', attempts: 3, problem: null }]);
      expect(taken().length).toBeGreaterThanOrEqual(times);
      expect(new Set(taken().map(({ hex, reference }) => hex + reference)).size).toBe(1);
    },
  );

  test('a host that is down does not delay the page, the other host or the confirmation', async () => {
    const workerRun = await wallet();
    network.down.add('host');
    const record = await paid(workerRun, paying(BOB, CAROL));
    await until(() => expect(taken()).toMatchObject([{ path: RECEIVE_PATHS.service }]));
    await network.mine();
    const confirmed = await paymentWhere(
      workerRun,
      record.id,
      ({ height, deliveries }) => height !== null && (deliveries?.[0]?.attempts ?? 0) > 0,
    );
    expect(confirmed).toMatchObject({
      state: 'broadcast',
      report: { state: 'done' },
      unfinished: 1,
      deliveries: [{ state: 'waiting', problem: 'paymail-unavailable' }, { state: 'done' }],
    });
    await until(() => expect(workerRun.profile.browser.alarms.get('payments')).toBeDefined());
    // A repeated request returns immediately and the wallet can be removed, because the money has moved.
    expect(await ask(workerRun, record.requestId, record.options, { automatic: true })).toMatchObject({
      id: record.id,
      status: 'COMPLETED',
    });
    expect(await (await import('../runner/runner.ts')).countUnsent(current)).toBe(0);
    network.down.delete('host');
    expect(await settled(workerRun, record)).toMatchObject({
      unfinished: 0,
      deliveries: [{ state: 'done' }, { state: 'done' }],
    });
    await until(() => expect(workerRun.profile.browser.alarms.get('payments')).toBeUndefined());
  });
});

describe('deliveries if the worker is stopped', () => {
  test.each<['once' | 'twice', ('answer-lost' | 500)[]]>([
    ['once', []],
    ['twice', ['answer-lost', 500]],
  ])(
    'every host gets the transaction with its reference if the worker is stopped %s after the broadcast, with host faults %j',
    async (often, faults) => {
      let workerRun = await wallet();
      for (let n = 1, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += STRIDE) {
        network.reset();
        network.down = new Set(['host', 'service'] as const);
        const record = await paid(workerRun, paying(BOB, CAROL));
        workerRun.end();
        network.down.clear();
        await network.mine();
        network.arrivals.deliveryFaults = [...faults];
        const run = await throughDeaths(workerRun, record, often === 'twice' ? [n, (n % 7) + 2] : [n]);
        workerRun = run.workerRun;
        if (run.crashPoints < n) crashPoints = 0;
        const last = (await stored(workerRun)).payments.find(({ id }) => id === record.id);
        expect(last, `crash point ${n}`).toMatchObject({
          unfinished: 0,
          report: { state: 'done' },
          deliveries: [{ state: 'done' }, { state: 'done' }],
        });
        const wanted = record.quote.outputs.map(({ host }) => host?.reference);
        expect([...new Set(taken().map(({ reference }) => reference))].sort(), `crash point ${n}`).toEqual(
          wanted?.sort(),
        );
        expect(new Set(taken().map(({ hex }) => hex))).toEqual(new Set([record.signed?.rawtx]));
      }
    },
  );
});
