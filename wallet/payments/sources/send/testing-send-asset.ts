import { expect } from 'vitest';
import { Issuer } from '../../../../testkit/wallet/assets.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
import { openWallet, someone, stored } from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

export const network = useNetwork();

export const handlersOf = (run: WorkerRun) => run.modules.handlers.walletHandlers(wallet);

/** Opens a wallet with money and 1,000 token units in two coins. */
export async function holder(satoshis: readonly number[] = [100_000]) {
  const run = await openWallet(network, satoshis);
  const issuer = new Issuer(network);
  const { id, coin } = await issuer.mint(1000n);
  const to = (await run.modules.overview.overview(wallet)).receiveAddress;
  await issuer.make([coin], [issuer.holds(id, 600n, to), issuer.holds(id, 400n, to)]);
  await handlersOf(run)['assets/refresh']({});
  return { run, id, issuer };
}

export async function quoted(run: WorkerRun, id: string, amount: string, to: string) {
  const { asset, feeSatoshis } = await handlersOf(run)['assets/quote']({ asset: { token: id, amount }, to });
  if (asset?.type !== 'token' || feeSatoshis === null) throw new Error('no quote');
  return { requestId: 'the request', asset: { token: id, units: asset.units }, to, feeSatoshis };
}

export async function amountOf(run: WorkerRun): Promise<string | undefined> {
  await handlersOf(run)['assets/refresh']({});
  return (await handlersOf(run)['assets/list']({})).tokens[0]?.amount;
}

/** Returns an address's tokens according to the ledger, each as its amount and status (1 if valid). */
export async function heldBy(address: string): Promise<string[]> {
  const answer = await fetch(`${network.url}/devnet/ordinals/api/txos/address/${address}/unspent?bsv20=true`);
  const list = (await answer.json()) as { data: { bsv20: { amt: string; status: number } } }[];
  return list.map(({ data: { bsv20 } }) => `${bsv20.amt} ${bsv20.status}`);
}

/** Sends 700 token units to an address while the worker crashes at the given point. */
export async function sendThroughDeath(dieAt: number): Promise<void> {
  const { run, id } = await holder();
  const to = someone();
  const wanted = await quoted(run, id, '700', to);
  run.dieAt(dieAt);
  let now = run;
  for (;;) {
    const sent = await now.untilDeath(() => handlersOf(now)['assets/send'](wanted));
    if (sent?.taken) break;
    if (now.dead) now = await now.profile.start();
  }
  if (now.dead) now = await now.profile.start();
  expect(await heldBy(to)).toEqual(['700 1']);
  expect(await amountOf(now)).toBe('300');
  const { payments, coins } = await stored(now);
  expect(payments).toHaveLength(1);
  expect(coins.filter(({ status }) => status !== 'spent' && status !== 'available')).toEqual([]);
}
