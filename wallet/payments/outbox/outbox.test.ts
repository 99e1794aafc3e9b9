/** Tests several deliveries to a host that is down. */
import { afterEach, expect, test, vi } from 'vitest';
import { RECEIVE_PATHS } from '../../../testkit/wallet/arrivals.ts';
import { holdTime } from '../../../testkit/wallet/clock.ts';
import { paymentWhere } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import type { Delivery } from '../record.ts';
import { BOB, network, paid, paying, wallet } from './testing-deliver.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.doUnmock('../../paymail/destination.ts');
});

/** Makes two payments whose deliveries fail because the host is down. The clock is stopped. */
async function undelivered(): Promise<{ workerRun: WorkerRun; first: string; second: string }> {
  const workerRun = await wallet(false); // an account's service, at the host's origin, would respond
  holdTime();
  network.down.add('host');
  const payments = [await paid(workerRun, paying(BOB)), await paid(workerRun, paying(BOB))];
  for (const { id } of payments)
    await paymentWhere(workerRun, id, ({ deliveries }) => deliveries[0]?.problem === 'paymail-unavailable');
  const [first, second] = payments.map(({ id }) => id) as [string, string];
  return { workerRun, first, second };
}

/** Sets the schedule of a payment's deliveries. */
const tried = (workerRun: WorkerRun, id: string, more: Partial<Delivery>) =>
  workerRun.modules.transition.transition(current, id, 'broadcast', ({ deliveries }) => ({
    deliveries: deliveries.map((one) => ({ ...one, ...more })),
  }));

test('an overdue delivery isn’t sent once another one has found the host down', async () => {
  const { workerRun, first, second } = await undelivered();
  for (const id of [first, second]) await tried(workerRun, id, { attempts: 30, nextAt: Date.now() + 3600_000 });
  const asked = () => workerRun.crashPoints.filter((point) => point.includes(RECEIVE_PATHS.host)).length;
  await tried(workerRun, first, { attempts: 1, nextAt: 0 });
  await workerRun.modules.drive.processChanged(current, first);
  const before = asked();
  await tried(workerRun, second, { nextAt: 0 });
  await workerRun.modules.drive.processChanged(current, second);
  expect(asked()).toBe(before);
  expect(before).toBeGreaterThan(0);
  expect((await workerRun.modules.transition.readPayment(current, second))?.deliveries).toMatchObject([
    { attempts: 31, state: 'waiting', problem: 'paymail-unavailable' },
  ]);
});

test('all deliveries to a host are sent once it accepts one', async () => {
  const { workerRun, first, second } = await undelivered();
  for (const id of [first, second]) await tried(workerRun, id, { nextAt: Date.now() + 3600_000 });
  network.down.delete('host');
  await tried(workerRun, first, { nextAt: 0 });
  await workerRun.modules.drive.processAll(current);
  await paymentWhere(workerRun, second, ({ deliveries }) => deliveries[0]?.state === 'done');
});
