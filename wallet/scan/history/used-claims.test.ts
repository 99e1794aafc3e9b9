/** An index's claims that addresses were used, without a transaction that pays them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startForking, type ForkingNetwork } from '../../../testkit/network/forking.ts';
import { setTime } from '../../../testkit/wallet/clock.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { openWallet, restoreWallet, stored, wordsOf } from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import type { Chain } from '../../keys/keys.ts';
import { choose } from '../../chain/headers/testing-reorg.ts';

let network: ForkingNetwork;

beforeEach(async () => {
  network = await startForking(30);
});
afterEach(endAllWorkerRuns);

const balanceOf = async (run: WorkerRun) => (await run.modules.store.balance(wallet)).satoshis;
const overviewOf = (run: WorkerRun) => run.modules.overview.overview(wallet);
async function refresh(run: WorkerRun, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) await run.modules.poll.refresh(wallet, { all: true }).catch(() => undefined);
}
/** Returns addresses of the current wallet. */
async function receiving(run: WorkerRun, count: number, chain: Chain = 'receive'): Promise<string[]> {
  const { addressesAt } = await import('../../coins/addresses/addresses.ts');
  const keys = await run.modules.vault.publicKeys(wallet);
  return addressesAt(keys, 'devnet', chain, 0, count).map(({ address }) => address);
}

/** Creates a wallet that has spent its coins at `count` addresses, and has 50,000 satoshis at the next one. */
async function usedWallet(count: number, chain: Chain = 'receive') {
  const first = await openWallet(network, []);
  const known = await wordsOf(first);
  const own = await receiving(first, count + 2, chain);
  first.end();
  for (const address of own.slice(0, count)) network.spend(`${await network.faucet(address, 700)}:1`);
  await network.faucet(own[count] as string, 50_000);
  network.mine();
  return { known, own };
}

/** Creates a wallet with 50,000 satoshis. Returns its words. */
async function words(): Promise<string> {
  const run = await openWallet(network, [50_000]);
  network.mine();
  const words = await wordsOf(run);
  run.end();
  return words;
}

/** Makes an index claim for addresses that they were used. */
const claim = ({ instead }: ForkingNetwork, addresses: readonly string[]) =>
  addresses.forEach((address) => instead.set(`/address/${address}/used`, { body: true }));

/** Expects that the words restore money paid to the address that the wallet shows. */
async function expectRestored(run: WorkerRun, words: string, before: bigint): Promise<void> {
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

test('the words restore money received after an index has reported unused addresses as used', async () => {
  const known = await words();
  const run = await restoreWallet(network, known);
  claim(network, await receiving(run, 60));
  await refresh(run, 2);
  expect(await run.modules.addresses.nextUnused(wallet, 'receive')).toBe(60);
  expect(await run.modules.addresses.reachOf(wallet, 'receive')).toBe(0);
  network.instead.clear();
  await refresh(run, 3);
  // The claimed addresses can be issued again.
  expect((await overviewOf(run)).receiveAddress).toBe((await receiving(run, 2))[1]);
  await expectRestored(run, known, 50_000n);
});

test('the words restore money received after the user has left an index that reported unused addresses as used', async () => {
  const known = await words();
  const liar = await startForking(30);
  const run = await restoreWallet(liar, known);
  claim(liar, await receiving(run, 60));
  await refresh(run, 2);
  // An earlier version of the wallet marked the addresses as seen.
  const { inTransaction } = await import('../../store/database.ts');
  const { markSeen } = await import('../../coins/addresses/records.ts');
  await inTransaction(wallet, async (tx) => {
    for (const { script } of await tx.objectStore('addresses').getAll()) await markSeen(wallet, tx, script);
  });
  expect(await run.modules.addresses.reachOf(wallet, 'receive')).toBeGreaterThan(50);
  await choose(run, network);
  await refresh(run, 3);
  expect(await run.modules.addresses.reachOf(wallet, 'receive')).toBe(0);
  await expectRestored(run, known, 50_000n);
});

test('the words restore money received after an index has not returned whole lists for unused addresses', async () => {
  const run = await openWallet(network, []);
  const known = await wordsOf(run);
  const own = await receiving(run, 80);
  const endless = (address: string) => ({ address, result: [], nextPageToken: 't' });
  network.instead.set('/addresses/unspent/all', { body: own.map(endless) });
  for (const address of own)
    for (const query of ['', '?token=t'])
      network.instead.set(`/address/${address}/confirmed/unspent${query}`, { body: endless(address) });
  await refresh(run, 3);
  expect(await run.modules.addresses.reachOf(wallet, 'receive')).toBe(-1);
  network.instead.clear();
  await refresh(run, 3);
  await expectRestored(run, known, 0n);
});

test('a restore issues no address that was ever paid, and finds money after many spent coins', async () => {
  const { known, own } = await usedWallet(60);
  const run = await restoreWallet(network, known);
  await refresh(run, 2);
  expect(await run.modules.addresses.reachOf(wallet, 'receive')).toBe(60);
  expect((await overviewOf(run)).receiveAddress).toBe(own[61]);
  await expectRestored(run, known, 50_000n);
});

test('one refresh finds money after 250 spent coins, and the following ones the next unused address', async () => {
  const { known, own } = await usedWallet(250);
  const run = await restoreWallet(network, known);
  const { isScanUnfinished, noteProgress, readProgress } = await import('../scan-progress.ts');
  await refresh(run, 1);
  expect(await balanceOf(run)).toBe(50_000n);
  expect(await readProgress(wallet)).toMatchObject({ isGapUnfinished: true });
  for (let i = 0; i < 10 && (await isScanUnfinished(wallet)); i += 1) await refresh(run, 1);
  expect(await isScanUnfinished(wallet)).toBe(false);
  await noteProgress(wallet, { isGapUnfinished: true });
  expect(await isScanUnfinished(wallet)).toBe(true);
  expect(await run.modules.addresses.reachOf(wallet, 'receive')).toBe(250);
  expect((await overviewOf(run)).receiveAddress).toBe(own[251]);
});

test('an index that answers for one used address with an error does not keep the next address from being issued', async () => {
  const { known, own } = await usedWallet(60);
  network.instead.set(`/address/${own[19]}/unconfirmed/history`, { status: 500 });
  const run = await restoreWallet(network, known);
  await refresh(run, 2);
  expect(await run.modules.addresses.reachOf(wallet, 'receive')).toBe(60);
  expect((await overviewOf(run)).receiveAddress).toBe(own[61]);
});

test('money that a service had received stays in the balance although the index has no histories', async () => {
  const { known, own } = await usedWallet(60, 'service');
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
  expect(await run.modules.addresses.reachOf(wallet, 'service')).toBe(60);
});

test('money beyond a gap is moved only once the index no longer claims without proof that the gap was used', async () => {
  const run = await openWallet(network, [50_000]);
  network.mine();
  const { extendChain } = await import('../../coins/addresses/addresses.ts');
  await extendChain(wallet, await run.modules.vault.publicKeys(wallet), 'devnet', 'receive', 60);
  await network.faucet((await receiving(run, 41))[40] as string, 30_000);
  network.mine();
  const moves = async () => (await stored(run)).payments.filter(({ sweep }) => sweep).length;
  claim(network, await receiving(run, 41));
  await refresh(run, 2);
  const { moveUnfound } = await import('../../payments/sources/sweep/move-unfound.ts');
  await moveUnfound(wallet);
  expect([await balanceOf(run), await moves()]).toEqual([80_000n, 0]);
  network.instead.clear();
  setTime(Date.now() + 60_000);
  await moveUnfound(wallet);
  expect(await moves()).toBe(1);
});
