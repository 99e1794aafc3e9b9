/** Attacks by applications with unfinished actions after their allowance is removed or their site is blocked. */
import { expect, test } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { APP, call, called, output } from '../../../testkit/wallet/applications.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { approvalOf, decide, give, openWallet, paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));
const TOKEN = 'token-0123456789';
const OTHER_TOKEN = 'token-9876543210';
const action = (satoshis: number, options: object = {}, description = 'buy a thing') => ({
  description,
  outputs: [output(satoshis, SOMEBODY)],
  options,
});
const later = { signAndProcess: false };
const sendWith = (...txids: unknown[]) => ({ description: 'send it', options: { sendWith: txids } });

const allow = (workerRun: WorkerRun, limit = 1_000_000n, id = TOKEN) =>
  give(workerRun, { origin: APP, currency: 'BSV', limit, id });

/** Starts a wallet with 479,967 satoshis, and an allowance for its application. */
async function allowed(coins = [300_000, 150_000, 29_967]): Promise<WorkerRun> {
  const workerRun = await openWallet(network, coins);
  await allow(workerRun);
  return workerRun;
}

async function prepared(workerRun: WorkerRun, satoshis = 140_000, options: object = later): Promise<string> {
  const { signableTransaction } = await called(workerRun, 'createAction', action(satoshis, options));
  return signableTransaction!.reference;
}

const sign = (workerRun: WorkerRun, reference: string) => call(workerRun, 'signAction', { reference, spends: {} });
const balance = async (workerRun: WorkerRun) => (await workerRun.modules.store.balance(wallet)).satoshis;
const block = (workerRun: WorkerRun) => workerRun.modules.sites.setBlock(wallet, APP, Date.now() + 3_600_000);
/** Processes all payments until the network has them. */
const drained = (workerRun: WorkerRun) => workerRun.modules.drive.processAll(wallet);
const troubles = async (workerRun: WorkerRun) =>
  (await stored(workerRun)).payments.map(({ state, trouble, error }) => error?.code ?? trouble ?? state);

test('an action whose allowance was removed is never signed, and its coins are released immediately', async () => {
  const workerRun = await allowed();
  const reference = await prepared(workerRun);
  expect(await balance(workerRun)).toBeLessThan(479_967n);
  await workerRun.modules.allowances.revokeAllowance(wallet, TOKEN);
  expect(await balance(workerRun)).toBe(479_967n);
  expect(await troubles(workerRun)).toEqual(['action-ended']);
  expect(await sign(workerRun, reference)).toMatchObject({ parameter: 'reference' });
  await drained(workerRun);
  expect(network.broadcasts).toEqual([]);
  expect((await stored(workerRun)).coins.map(({ status }) => status)).toEqual(['available', 'available', 'available']);
});

test('an allowance is removed together with its waiting actions, even if the worker is stopped at any point', async () => {
  let workerRun = await allowed();
  await prepared(workerRun);
  await called(workerRun, 'createAction', action(20_000, { noSend: true }));
  for (let n = 1, isRemoved = false; !isRemoved; n += 1) {
    workerRun.dieAt(n);
    isRemoved =
      (await workerRun.untilDeath(() => workerRun.modules.allowances.revokeAllowance(wallet, TOKEN))) !== null;
    workerRun = await workerRun.profile.start();
    const count = await (await workerRun.modules.database.database(wallet)).count('allowances');
    expect((await troubles(workerRun)).toSorted()).toEqual(
      count === 1 ? ['held', 'signable'] : ['aborted', 'action-ended'],
    );
    isRemoved ||= count === 0;
  }
});

test('a waiting action ends when another allowance replaces the one that paid for it', async () => {
  const workerRun = await allowed();
  const reference = await prepared(workerRun);
  await allow(workerRun, 1_000_000n, OTHER_TOKEN);
  expect(await sign(workerRun, reference)).toMatchObject({ parameter: 'reference' });
  expect(await balance(workerRun)).toBe(479_967n);
  const [allowance] = await (await workerRun.modules.database.database(wallet)).getAll('allowances');
  expect(allowance).toMatchObject({ id: OTHER_TOKEN, spentSatoshis: 0n });
});

test('actions of an allowance that an earlier version removed are never signed or sent', async () => {
  const workerRun = await allowed([200_000, 200_000, 200_000]);
  const { txid } = await called(workerRun, 'createAction', action(30_000, { noSend: true }));
  const reference = await prepared(workerRun);
  const db = await workerRun.modules.database.database(wallet);
  await db.delete('allowances', [APP, '', 'automatic']);
  await allow(workerRun, 1_000_000n, OTHER_TOKEN);
  expect(await sign(workerRun, reference)).toMatchObject({ reason: 'action-ended' });
  expect(await call(workerRun, 'createAction', sendWith(txid))).toMatchObject({ reason: 'action-ended' });
  await drained(workerRun);
  expect(network.broadcasts).toEqual([]);
  expect(await troubles(workerRun)).toEqual(expect.arrayContaining(['held', 'signable']));
});

test("a new action that would send a noSend transaction is rejected if the noSend transaction's allowance is gone", async () => {
  const workerRun = await allowed([400_000, 25_000]);
  const kept = await called(workerRun, 'createAction', action(30_000, { noSend: true }));
  const db = await workerRun.modules.database.database(wallet);
  await db.delete('allowances', [APP, '', 'automatic']);
  await allow(workerRun, 1_000_000n, OTHER_TOKEN);
  const spends = action(1000, { noSendChange: kept.noSendChange }, 'take it along');
  void call(workerRun, 'createAction', spends, { userActivation: 'new' });
  await expect(decide(workerRun, await approvalOf(workerRun))).rejects.toMatchObject({ code: 'action-ended' });
  await drained(workerRun);
  expect(network.broadcasts).toEqual([]);
});

test('noSend transactions of a blocked site are never sent, with the wallet locked or unlocked', async () => {
  const workerRun = await allowed([450_000, 25_000]);
  const first = await called(workerRun, 'createAction', action(100_000, { noSend: true }));
  const second = await called(
    workerRun,
    'createAction',
    action(300_000, { noSend: true, noSendChange: first.noSendChange }),
  );
  await block(workerRun);
  await workerRun.modules.vault.lock(wallet);
  for (const txids of [[first.txid], [second.txid], [first.txid, second.txid]])
    expect(await call(workerRun, 'createAction', sendWith(...txids))).toHaveProperty('code');
  await workerRun.modules.vault.unlock(wallet, 'correct horse battery');
  await workerRun.modules.sites.setBlock(wallet, APP, null);
  expect(await call(workerRun, 'createAction', sendWith(second.txid))).toMatchObject({ parameter: 'sendWith' });
  await drained(workerRun);
  expect(network.broadcasts).toEqual([]);
  expect(await troubles(workerRun)).toEqual(['aborted', 'aborted']);
});

test("the user can cancel a blocked site's noSend transactions", async () => {
  const workerRun = await allowed([450_000, 25_000]);
  await called(workerRun, 'createAction', action(100_000, { noSend: true }));
  await block(workerRun);
  const [kept] = (await stored(workerRun)).payments;
  const { 'activity/read': read, 'activity/cancel': cancel } = workerRun.modules.handlers.walletHandlers(wallet);
  const { cancelFee } = await read({ id: kept!.id });
  await cancel({ id: kept!.id, feeSatoshis: cancelFee! });
  await drained(workerRun);
  await network.mine();
  await paymentWhere(workerRun, kept!.id, ({ state }) => state === 'failed');
  expect(await balance(workerRun)).toBe(475_000n - BigInt(cancelFee!));
});

test('a locked wallet broadcasts nothing before the user has unlocked it', async () => {
  const workerRun = await allowed([450_000, 25_000]);
  const { txid } = await called(workerRun, 'createAction', action(100_000, { noSend: true }));
  await workerRun.modules.vault.lock(wallet);
  const asked = call(workerRun, 'createAction', sendWith(txid), { userActivation: 'new' });
  await approvalOf(workerRun);
  await drained(workerRun);
  expect(network.broadcasts).toEqual([]);
  await workerRun.modules.vault.unlock(wallet, 'correct horse battery');
  expect(await asked).toMatchObject({ sendWithResults: [{ txid }] });
  await drained(workerRun);
  expect(network.broadcasts).toHaveLength(1);
});

test('a noSend transaction is not released if the wallet is locked in the meantime', async () => {
  const workerRun = await allowed([200_000, 250_000]);
  const { txid } = await called(workerRun, 'createAction', action(100_000, { noSend: true }));
  const { watchLock } = await import('../../vault/session.ts');
  const { releaseHeld } = await import('../../payments/sources/action/send-held.ts');
  const isStillUnlocked = await watchLock(wallet);
  expect(isStillUnlocked()).toBe(true);
  await workerRun.modules.vault.lock(wallet);
  await workerRun.modules.vault.unlock(wallet, 'correct horse battery');
  expect(isStillUnlocked()).toBe(false);
  await workerRun.modules.vault.lock(wallet);
  const kept = (await stored(workerRun)).payments.find(({ signed }) => signed?.txid === txid)!;
  await expect(releaseHeld(wallet, [kept.id])).rejects.toMatchObject({ code: 'wallet-locked' });
  expect(await troubles(workerRun)).toEqual(['held']);
});

test("a blocked site can't abort anything", async () => {
  const workerRun = await allowed([450_000, 20_000, 5000]);
  const { txid } = await called(workerRun, 'createAction', action(300_000, { noSend: true }));
  const reference = await prepared(workerRun, 10_000);
  await block(workerRun);
  for (const named of [txid, reference])
    expect(await call(workerRun, 'abortAction', { reference: named })).toMatchObject({ reason: 'site-blocked' });
  const { giveUpSigned } = await import('../../payments/network/give-up.ts');
  const kept = (await stored(workerRun)).payments.find(({ signed }) => signed !== null)!;
  await expect(giveUpSigned(wallet, kept.id)).rejects.toMatchObject({ code: 'site-blocked' });
});

test('blocking a site in its approval window ends the site’s waiting actions', async () => {
  const workerRun = await allowed();
  await prepared(workerRun);
  void call(workerRun, 'createAction', action(900_000_000), { userActivation: 'new' });
  await workerRun.modules.decide.rejectPrompt(wallet, await approvalOf(workerRun), Date.now() + 3_600_000);
  expect((await troubles(workerRun)).toSorted()).toEqual(['action-ended', 'refused']);
  expect(await balance(workerRun)).toBe(479_967n);
});

test("an approved action and other sites' actions stay when an allowance is removed", async () => {
  const workerRun = await openWallet(network, [200_000, 200_000, 200_000, 200_000]);
  const asked = called(workerRun, 'createAction', action(70_000, later), { userActivation: 'new' });
  await decide(workerRun, await approvalOf(workerRun));
  const { reference } = (await asked).signableTransaction!;
  await allow(workerRun);
  const kept = await called(workerRun, 'createAction', action(30_000, { noSend: true }));
  const other = 'https://other.example';
  await give(workerRun, { origin: other, currency: 'BSV', limit: 1_000_000n, id: OTHER_TOKEN });
  const theirs = await called(workerRun, 'createAction', action(40_000, { noSend: true }), { origin: other });
  await workerRun.modules.allowances.revokeAllowance(wallet, TOKEN);
  expect(await call(workerRun, 'createAction', sendWith(kept.txid))).toMatchObject({ parameter: 'sendWith' });
  expect(await sign(workerRun, reference)).toHaveProperty('txid');
  await block(workerRun);
  expect(await called(workerRun, 'createAction', sendWith(theirs.txid), { origin: other })).toHaveProperty(
    'sendWithResults',
  );
  await drained(workerRun);
  expect(network.broadcasts).toHaveLength(2);
});

test('a waiting action is signed and sent if its allowance still covers it', async () => {
  const workerRun = await allowed();
  const kept = await called(workerRun, 'createAction', action(20_000, { noSend: true }));
  const reference = await prepared(workerRun, 100_000);
  expect(await sign(workerRun, reference)).toHaveProperty('txid');
  expect(await called(workerRun, 'createAction', sendWith(kept.txid))).toHaveProperty('sendWithResults');
  await drained(workerRun);
  expect(network.broadcasts).toHaveLength(2);
});
