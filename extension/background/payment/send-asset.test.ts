/** Sending assets where something goes wrong: the worker dies, the network refuses, another payment comes in between. */
import { describe, expect, test } from 'vitest';
import { SOAKING } from '../../../testing/soak.ts';
import { Issuer } from '../testing/assets.ts';
import { useNetwork } from '../testing/network.ts';
import { ask, openWallet, pay, paymentWhere, someone, stored, approveAll } from '../testing/wallet.ts';
import type { WorkerRun } from '../testing/worker-run.ts';

const network = useNetwork();
/** Of the crash points of a run, every how many-th is tried. */
const STRIDE = SOAKING ? 1 : 3;

const handlersOf = (run: WorkerRun) => run.modules.handlers.walletHandlers;

/** A wallet with money and 1,000 of a token, in two coins. */
async function holder(satoshis: readonly number[] = [100_000]) {
  const run = await openWallet(network, satoshis);
  const issuer = new Issuer(network);
  const { id, coin } = await issuer.mint(1000n);
  const to = (await run.modules.overview.overview()).receiveAddress;
  await issuer.make([coin], [issuer.holds(id, 600n, to), issuer.holds(id, 400n, to)]);
  await handlersOf(run)['assets/refresh']({});
  return { run, id, issuer };
}

async function quoted(run: WorkerRun, id: string, amount: string, to: string) {
  const { asset, feeSatoshis } = await handlersOf(run)['assets/quote']({ asset: { token: id, amount }, to });
  if (asset?.type !== 'token' || feeSatoshis === null) throw new Error('no quote');
  return { requestId: 'the request', asset: { token: id, units: asset.units }, to, feeSatoshis };
}

async function amountOf(run: WorkerRun): Promise<string | undefined> {
  await handlersOf(run)['assets/refresh']({});
  return (await handlersOf(run)['assets/list']({})).tokens[0]?.amount;
}

/** What an address holds of the token, by the ledger. */
async function heldBy(address: string): Promise<string[]> {
  const answer = await fetch(`${network.url}/devnet/ordinals/api/txos/address/${address}/unspent?bsv20=true`);
  const list = (await answer.json()) as { data: { bsv20: { amt: string; status: number } } }[];
  return list.map(({ data: { bsv20 } }) => `${bsv20.amt} ${bsv20.status}`);
}

/** Sends 700 while the worker dies at a point; gives the number of the points that the run passed. */
async function sendThroughDeath(dieAt: number): Promise<void> {
  const { run, id } = await holder();
  const to = someone();
  const wanted = await quoted(run, id, '700', to);
  run.dieAt(dieAt);
  let now = run;
  for (;;) {
    const sent = await Promise.race([handlersOf(now)['assets/send'](wanted), now.died.then(() => null)]);
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

describe('an asset that is sent', () => {
  test('arrives once, and what is left comes back, wherever the worker dies', async () => {
    const { run, id } = await holder();
    const wanted = await quoted(run, id, '700', someone());
    run.dieAt(Number.POSITIVE_INFINITY); // counts from here on
    await handlersOf(run)['assets/send'](wanted);
    const points = run.crashPoints.length;
    expect(points).toBeGreaterThan(5);
    for (let dieAt = 1; dieAt <= points; dieAt += STRIDE) await sendThroughDeath(dieAt);
  });

  test('costs money for its fee alone, never another asset, and is refused without money', async () => {
    const { run, id } = await holder([]);
    const answer = await handlersOf(run)['assets/quote']({ asset: { token: id, amount: '1' }, to: someone() });
    expect(answer).toMatchObject({ feeSatoshis: null, problem: { code: 'insufficient-funds' } });
  });

  test('goes to addresses of this network alone, at most at the fee that was shown', async () => {
    const { run, id } = await holder();
    const wanted = await quoted(run, id, '1', someone());
    const send = handlersOf(run)['assets/send'];
    for (const to of ['alice@pay.example', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'x'])
      await expect(send({ ...wanted, to })).rejects.toMatchObject({ code: 'invalid-recipient' });
    await expect(send({ ...wanted, feeSatoshis: '1' })).rejects.toMatchObject({ code: 'fee-changed' });
    await run.modules.vault.lock();
    await expect(send(wanted)).rejects.toMatchObject({ code: 'wallet-locked' });
    expect((await stored(run)).payments).toEqual([]);
  });

  test('and that the network refuses is replaced by way of its money: its own coins are spent by nothing else', async () => {
    const { run, id } = await holder([]);
    // Its own coins are in a block, where the money is not: of such coins one is spent in place of another payment.
    await network.mine();
    await handlersOf(run)['assets/refresh']({});
    const { receiveAddress } = await run.modules.overview.overview();
    for (const satoshis of [100_000, 90_000]) await network.faucet(receiveAddress, satoshis);
    await run.modules.poll.refresh();
    const wanted = await quoted(run, id, '700', someone());
    network.faults = [461];
    await expect(handlersOf(run)['assets/send'](wanted)).rejects.toMatchObject({ code: 'payment-contested' });
    const [refused] = (await stored(run)).payments;
    expect(refused?.trouble).toBe('refused');
    approveAll(run);
    const paid = await ask(run, 'another', pay(someone(), 150_000));
    if (typeof paid === 'string') throw new Error(paid);
    const [, other] = (await stored(run)).payments.toSorted((a, b) => a.createdAt - b.createdAt);
    const carriers = refused?.asset?.coins ?? [];
    expect(carriers).toHaveLength(2);
    expect(other?.replaces).toBe(refused?.id);
    expect(other?.signed?.inputs.filter((key) => carriers.includes(key))).toEqual([]);
    // Once a block has decided for the other payment, all of the token is free again.
    await network.mine();
    await run.modules.poll.refresh();
    await paymentWhere(run, refused?.id ?? '', ({ state }) => state === 'failed');
    expect(await amountOf(run)).toBe('1000');
  });
});
