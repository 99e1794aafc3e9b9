import { expect, vi } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { APP, output } from '../../../testkit/wallet/applications.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { give, openWallet, stored } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

export const network = useNetwork();
export const until = <T>(holds: () => T | Promise<T>) => vi.waitFor(holds);

export const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));
export const action = (more: object = {}) => ({
  description: 'buy a thing',
  outputs: [output(20_000, SOMEBODY)],
  ...more,
});

export async function allowed(satoshis: number[] = [1_000_000, 1_000_000], limit = 1_000_000n): Promise<WorkerRun> {
  const workerRun = await openWallet(network, satoshis);
  await give(workerRun, { origin: APP, currency: 'BSV', limit });
  return workerRun;
}

export const allowanceOf = async (workerRun: WorkerRun) =>
  (await (await workerRun.modules.database.database(wallet)).getAll('allowances'))[0];
export const balance = async (workerRun: WorkerRun) => (await workerRun.modules.store.balance(wallet)).satoshis;
export const onlyPayment = async (workerRun: WorkerRun) => {
  const { payments } = await stored(workerRun);
  expect(payments).toHaveLength(1);
  return payments[0]!;
};
