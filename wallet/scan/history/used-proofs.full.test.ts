/** Proofs that addresses were used, if one refresh does not suffice for all of them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startForking, type ForkingNetwork } from '../../../testkit/network/forking.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { restoreWallet } from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import { balanceOf, overviewOf, refresh, usedWallet } from './testing-used.ts';

let network: ForkingNetwork;

beforeEach(async () => {
  network = await startForking(30);
});
afterEach(endAllWorkerRuns);

test('one refresh finds money after 420 spent coins, and the following ones the next unused address', async () => {
  const { known, own } = await usedWallet(network, 420);
  const run = await restoreWallet(network, known);
  const { isScanUnfinished, noteProgress, readProgress } = await import('../scan-progress.ts');
  await refresh(run, 1);
  expect(await balanceOf(run)).toBe(50_000n);
  expect(await readProgress(wallet)).toMatchObject({ isGapUnfinished: true });
  for (let i = 0; i < 10 && (await isScanUnfinished(wallet)); i += 1) await refresh(run, 1);
  expect(await isScanUnfinished(wallet)).toBe(false);
  await noteProgress(wallet, { isGapUnfinished: true });
  expect(await isScanUnfinished(wallet)).toBe(true);
  expect(await run.modules.addresses.reachOf(wallet, 'receive')).toBe(420);
  expect((await overviewOf(run)).receiveAddress).toBe(own[421]);
});
