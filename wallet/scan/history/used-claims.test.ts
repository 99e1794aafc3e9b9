/** An index's claims that addresses were used, without a transaction that pays them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startForking, type ForkingNetwork } from '../../../testkit/network/forking.ts';
import { setTime } from '../../../testkit/wallet/clock.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import {
  approveAll,
  ask,
  openWallet,
  pay,
  restoreWallet,
  someone,
  stored,
  wordsOf,
} from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import { choose } from '../../chain/headers/testing-reorg.ts';
import { balanceOf, expectRestored, overviewOf, reachOf, receiving, refresh, refreshEvery } from './testing-used.ts';

let network: ForkingNetwork;

beforeEach(async () => {
  network = await startForking(30);
});
afterEach(endAllWorkerRuns);

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

test('the words restore money received after an index has reported unused addresses as used', async () => {
  const known = await words();
  const run = await restoreWallet(network, known);
  claim(network, await receiving(run, 60));
  await refresh(run, 2);
  expect(await run.modules.addresses.nextUnused(wallet, 'receive')).toBe(60);
  expect(await run.modules.addresses.reachOf(wallet, 'receive')).toBe(0);
  network.instead.clear();
  await refreshEvery(run, 3600_000, 3);
  // The claimed addresses can be issued again.
  expect((await overviewOf(run)).receiveAddress).toBe((await receiving(run, 2))[1]);
  await expectRestored(network, run, known, 50_000n);
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
  await expectRestored(network, run, known, 50_000n);
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
  await refreshEvery(run, 3600_000, 3);
  await expectRestored(network, run, known, 0n);
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

test('money beyond a fabricated payment that the wallet has tried to spend is moved back', async () => {
  const run = await openWallet(network, [50_000]);
  network.mine();
  await refresh(run, 1);
  const reach = await reachOf(run);
  const own = await receiving(run, 60);
  const fake = await network.faucet(own[reach + 15] as string, 200_000);
  await refresh(run, 1);
  expect(await reachOf(run)).toBe(reach + 15);
  const isFake = ({ txid }: { txid: string }) => txid === fake;
  network.judge = ({ inputs }) =>
    inputs.some(isFake) ? { status: 462, body: { txStatus: 'REJECTED', extraInfo: 'missing inputs' } } : null;
  approveAll(run);
  await ask(run, 'request-of-this-page-1', pay(someone(), 150_000)).catch(() => undefined);
  const real = await network.faucet(own[reach + 30] as string, 30_000);
  network.mine([real]);
  await refresh(run, 2);
  expect(await reachOf(run)).toBe(reach + 30);
  network.forget(fake);
  for (const [id, { transaction }] of network.known) if (transaction.inputs.some(isFake)) network.forget(id);
  await refreshEvery(run, 10 * 60_000, 8);
  const { moveUnfound } = await import('../../payments/sources/sweep/move-unfound.ts');
  await moveUnfound(wallet);
  expect(await reachOf(run)).toBe(reach);
  expect((await stored(run)).payments.filter(({ sweep }) => sweep)).toHaveLength(1);
});
