/** Helpers for tests of addresses that an index reports as used. */
import { expect } from 'vitest';
import type { ForkingNetwork } from '../../../testkit/network/forking.ts';
import { setTime } from '../../../testkit/wallet/clock.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { openWallet, restoreWallet, wordsOf } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import type { Chain } from '../../keys/keys.ts';

export const balanceOf = async (run: WorkerRun) => (await run.modules.store.balance(wallet)).satoshis;
export const overviewOf = (run: WorkerRun) => run.modules.overview.overview(wallet);
export const reachOf = (run: WorkerRun, chain: Chain = 'receive') => run.modules.addresses.reachOf(wallet, chain);

export async function refresh(run: WorkerRun, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) await run.modules.poll.refresh(wallet, { all: true }).catch(() => undefined);
}

/** Refreshes after each of several periods (milliseconds). */
export async function refreshEvery(run: WorkerRun, ms: number, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    setTime(wallet.now() + ms);
    await refresh(run, 1);
  }
}

/** Returns addresses of the current wallet. */
export async function receiving(run: WorkerRun, count: number, chain: Chain = 'receive'): Promise<string[]> {
  const { addressesAt } = await import('../../coins/addresses/addresses.ts');
  const keys = await run.modules.vault.publicKeys(wallet);
  return addressesAt(keys, 'devnet', chain, 0, count).map(({ address }) => address);
}

/** Creates a wallet that has spent its coins at `count` addresses, and has 50,000 satoshis at the next one. */
export async function usedWallet(network: ForkingNetwork, count: number, chain: Chain = 'receive') {
  const first = await openWallet(network, []);
  const known = await wordsOf(first);
  const own = await receiving(first, count + 2, chain);
  first.end();
  for (const address of own.slice(0, count)) network.spend(`${await network.faucet(address, 700)}:1`);
  await network.faucet(own[count] as string, 50_000);
  network.mine();
  return { known, own };
}

/** Expects that the words restore money paid to the address that the wallet shows. */
export async function expectRestored(
  network: ForkingNetwork,
  run: WorkerRun,
  words: string,
  before: bigint,
): Promise<void> {
  const { receiveAddress, scan } = await overviewOf(run);
  expect(scan).toBeNull();
  await network.faucet(receiveAddress, 1_000_000);
  network.mine();
  await refresh(run, 3);
  expect(await balanceOf(run)).toBe(before + 1_000_000n);
  run.end();
  const restored = await restoreWallet(network, words);
  await refresh(restored, 3);
  expect((await overviewOf(restored)).scan).toBeNull();
  expect(await balanceOf(restored)).toBe(before + 1_000_000n);
}
