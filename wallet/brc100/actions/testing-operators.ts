import { expect } from 'vitest';
import { useOperators } from '../../../testkit/network/operators.ts';
import { paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { called } from '../../../testkit/wallet/applications.ts';
import { action, network } from './testing-create-action.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

export const { setFaults, face } = useOperators(network);

/** Waits until the wallet's only payment is broadcast, mines it and checks that the activity shows it as completed. */
async function expectCompleted(workerRun: WorkerRun): Promise<void> {
  const { payments } = await stored(workerRun);
  expect(payments).toHaveLength(1);
  const id = payments[0]?.id ?? '';
  await paymentWhere(workerRun, id, ({ state }) => state === 'broadcast' || state === 'settled');
  await network.mine();
  await paymentWhere(workerRun, id, ({ height }) => height !== null);
  const { items } = await workerRun.modules.handlers.walletHandlers(wallet)['activity/list']({ limit: 10 });
  expect(items.find((row) => row.id === id)).toMatchObject({ status: 'COMPLETED' });
}

/** Creates an action as an application would. It must complete even if the first response is an error. */
export async function expectMade(workerRun: WorkerRun): Promise<void> {
  await called(workerRun, 'createAction', action()).catch(() => undefined);
  await expectCompleted(workerRun);
}
