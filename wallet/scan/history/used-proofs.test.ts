/** Proofs that addresses were used, which the wallet requests after a restore. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startForking, type ForkingNetwork } from '../../../testkit/network/forking.ts';
import { setTime } from '../../../testkit/wallet/clock.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { openWallet, restoreWallet, stored, wordsOf } from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import { choose } from '../../chain/headers/testing-reorg.ts';
import {
  balanceOf,
  expectRestored,
  overviewOf,
  reachOf,
  receiving,
  refresh,
  refreshEvery,
  usedWallet,
} from './testing-used.ts';

let network: ForkingNetwork;

beforeEach(async () => {
  network = await startForking(30);
});
afterEach(endAllWorkerRuns);

test('a restore issues no address that was ever paid, and finds money after many spent coins', async () => {
  const { known, own } = await usedWallet(network, 25);
  const run = await restoreWallet(network, known);
  await refresh(run, 2);
  expect(await run.modules.addresses.reachOf(wallet, 'receive')).toBe(25);
  expect((await overviewOf(run)).receiveAddress).toBe(own[26]);
  await expectRestored(network, run, known, 50_000n);
});

test('money that a service had received stays in the balance although the index has no histories', async () => {
  const { known, own } = await usedWallet(network, 25, 'service');
  const histories = own.flatMap((address) =>
    ['confirmed', 'unconfirmed'].map((status) => `/address/${address}/${status}/history`),
  );
  for (const path of histories) network.instead.set(path, { status: 404 });
  const run = await restoreWallet(network, known);
  await refresh(run, 2);
  const { moveUnfound } = await import('../../payments/sources/sweep/move-unfound.ts');
  await moveUnfound(wallet);
  expect([await balanceOf(run), (await stored(run)).payments]).toEqual([50_000n, []]);
  expect((await overviewOf(run)).scan).toBeNull();
  // Proofs aren't requested again immediately.
  const asked = () => network.asked.filter(({ url }) => url.endsWith('/history')).length;
  const before = asked();
  await refresh(run, 2);
  expect(asked()).toBe(before);
  network.instead.clear();
  setTime(wallet.now() + 3600_000);
  await refresh(run, 2);
  expect(await run.modules.addresses.reachOf(wallet, 'service')).toBe(25);
});

test('several used addresses with failing histories do not keep the others from being proven', async () => {
  const { known, own } = await usedWallet(network, 25);
  for (const i of [16, 17, 18, 19]) network.instead.set(`/address/${own[i]}/unconfirmed/history`, { status: 500 });
  const run = await restoreWallet(network, known);
  await refresh(run, 2);
  expect(await reachOf(run)).toBe(25);
});

test.each([12, 14])('change addresses can be issued after a restore of a wallet with %i used ones', async (count) => {
  const first = await openWallet(network, [50_000]);
  const known = await wordsOf(first);
  const change = await receiving(first, count, 'change');
  first.end();
  for (const address of change) network.spend(`${await network.faucet(address, 700)}:1`);
  network.mine();
  await restoreWallet(network, known).then((run) => refresh(run, 2));
  const { changeAddresses } = await import('../../payments/plan/change-addresses.ts');
  const indexes = async (pieces: number, isSetAside: boolean) =>
    (await changeAddresses(wallet, pieces, null, [], isSetAside)).addresses.map(({ index }) => index);
  expect(await indexes(4, false)).toEqual([0, 1, 2, 3].map((i) => count + i));
  expect(await indexes(1, true)).toEqual([count]);
});

test('an index without merkle paths is not queried every half minute', async () => {
  const { known } = await usedWallet(network, 25);
  for (const txid of network.known.keys()) network.instead.set(`/tx/${txid}/proof/tsc`, { status: 404 });
  const run = await restoreWallet(network, known);
  const { isScanUnfinished } = await import('../scan-progress.ts');
  await refreshEvery(run, 30_000, 10);
  expect(await isScanUnfinished(wallet)).toBe(false);
});

test('an index that the user chooses proves what the last one could not', async () => {
  const { known, own } = await usedWallet(network, 25);
  const old = await startForking(30);
  for (const { hex } of network.known.values()) old.take(Buffer.from(hex, 'hex'));
  old.mine();
  for (const address of own)
    for (const status of ['confirmed', 'unconfirmed'])
      old.instead.set(`/address/${address}/${status}/history`, { status: 404 });
  const run = await restoreWallet(old, known);
  await refresh(run, 2);
  expect(await reachOf(run)).toBe(-1);
  await choose(run, network);
  await refresh(run, 3);
  expect(await reachOf(run)).toBe(25);
});

test('a gap that another browser has filled with spent payments is noticed while money beyond it is to be moved', async () => {
  const run = await openWallet(network, [50_000]);
  network.mine();
  const { extendChain } = await import('../../coins/addresses/addresses.ts');
  const { moveUnfound } = await import('../../payments/sources/sweep/move-unfound.ts');
  const own = await receiving(run, 45);
  await extendChain(wallet, await run.modules.vault.publicKeys(wallet), 'devnet', 'receive', 60);
  await run.modules.vault.lock(wallet);
  await network.faucet(own[41] as string, 30_000);
  network.mine();
  await refresh(run, 2);
  const reach = await reachOf(run);
  for (const address of own.slice(reach + 1, 41)) network.spend(`${await network.faucet(address, 700)}:1`);
  network.mine();
  await run.modules.vault.unlock(wallet, 'correct horse battery');
  for (let i = 0; i < 3; i += 1) {
    await moveUnfound(wallet);
    await refreshEvery(run, 10 * 60_000, 1);
  }
  expect(await reachOf(run)).toBe(41);
});
