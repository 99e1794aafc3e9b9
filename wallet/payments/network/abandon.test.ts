/** Tests that the user can end actions that spend only their application's money and are unknown to the network. */
import { Transaction } from '@bsv/sdk';
import { expect, test } from 'vitest';
import { writeAddress } from '../../../protocol/bitcoin/address.ts';
import {
  APP,
  appKey,
  appScript,
  call,
  called,
  output,
  signInput,
  transactionIn,
  UNLOCKING_BYTES,
} from '../../../testkit/wallet/applications.ts';
import { setTime } from '../../../testkit/wallet/clock.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { codeOf } from '../../../testing/code-of.ts';
import {
  ask,
  approvalOf,
  decide,
  give,
  openWallet,
  pay,
  paymentWhere,
  someone,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { hash160 } from '../../keys/keys.ts';
import { reviveAbove } from './reorg.ts';
import type { PaymentRecord } from '../record.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

const HOUR_MS = 3600_000;
const TOKEN = 'token-0123456789';
const index = () => `${network.url}/devnet/woc/v1/bsv/test/tx`;
const handlers = (run: WorkerRun) => run.modules.handlers.walletHandlers(current);
const balance = async (run: WorkerRun) => (await run.modules.store.balance(current)).satoshis;
const recordOf = async (run: WorkerRun, id: string) =>
  (await stored(run)).payments.find((one) => one.id === id) as PaymentRecord;
const spentOf = async (run: WorkerRun) =>
  (await (await run.modules.database.database(current)).getAll('allowances')).map(({ spentSatoshis }) => spentSatoshis);

async function wallet(coins = [500_000], limit = 100_000n): Promise<WorkerRun> {
  const run = await openWallet(network, coins);
  await give(run, { origin: APP, currency: 'BSV', limit, id: TOKEN });
  return run;
}

/** Funds the application with 5,000 satoshis. @returns the outpoint, `txid.vout` */
async function funded(): Promise<string> {
  const txid = await network.faucet(writeAddress(hash160(appKey(0).publicKey), 'devnet'), 5000);
  const hex = await (await fetch(`${index()}/${txid}/hex`)).text();
  const isIts = (script: string) => script === appScript(0);
  return `${txid}.${Transaction.fromHex(hex).outputs.findIndex(({ lockingScript }) => isIts(lockingScript.toHex()))}`;
}

/**
 * Changes a payment's record to simulate an event on the network. First waits for any attempt in progress, which could
 * overwrite the change.
 */
async function changePayment(run: WorkerRun, id: string, changed: Partial<PaymentRecord>): Promise<void> {
  await run.modules.drive.processChanged(current, id);
  await run.modules.database.inTransaction(current, async (tx) => {
    const before = await tx.objectStore('payments').get(id);
    await tx.objectStore('payments').put({ ...before!, ...changed });
  });
}

/** Creates an action that spends 5,000 of its application's satoshis and pays the change to the user. */
async function moved(run: WorkerRun, outputs: object[], options: object = {}): Promise<PaymentRecord> {
  const { signableTransaction } = await called(run, 'createAction', {
    description: 'move it',
    inputs: [{ outpoint: await funded(), inputDescription: 'the thing', unlockingScriptLength: UNLOCKING_BYTES }],
    outputs,
    options,
  });
  const { reference, tx } = signableTransaction!;
  const spends = { 0: { unlockingScript: signInput(transactionIn(tx), 0, 5000) } };
  const { txid } = await called(run, 'signAction', { reference, spends, options });
  return (await stored(run)).payments.find(({ signed }) => signed?.txid === txid)!;
}

const refusals = () => Array.from({ length: 10 }, () => 461 as const);

/** Creates the same action as {@link moved}, but the network refuses it. Its change is 3,979 satoshis. */
async function refused(run: WorkerRun, outputs: object[] = [output(1000, appScript(1))]): Promise<PaymentRecord> {
  network.faults = refusals();
  const { id } = await moved(run, outputs);
  const record = await paymentWhere(run, id, ({ trouble }) => trouble === 'refused');
  network.faults = [];
  return record;
}

/** Broadcasts a transaction without the wallet, as its application could. */
async function broadcast({ signed }: PaymentRecord): Promise<void> {
  const { ok } = await fetch(`${index()}/raw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ txhex: signed!.rawtx }),
  });
  expect(ok).toBe(true);
}

const end = (run: WorkerRun, id: string) => handlers(run)['activity/end']({ id });
const changeOf = async (run: WorkerRun, { signed }: PaymentRecord) =>
  (await stored(run)).coins.find(({ txid }) => txid === signed?.txid)!;
const addressOf = async (run: WorkerRun, script: string) =>
  (await run.modules.database.database(current)).get('addresses', script);

test('the user can end a rejected action that spends only its application’s money, and the wallet stops checking the action', async () => {
  const run = await wallet();
  const record = await refused(run);
  const [had, spent] = [await balance(run), await spentOf(run)];
  expect((await handlers(run)['activity/read']({ id: record.id })).canEnd).toBe(true);
  const { sites } = await handlers(run)['sites/list']({});
  expect(sites.find(({ origin }) => origin === APP)?.setAside).toMatchObject({ satoshis: '0', unfinished: 1 });
  await end(run, record.id);
  expect(await recordOf(run, record.id)).toMatchObject({ state: 'failed', error: { code: 'action-ended' } });
  const details = await handlers(run)['activity/read']({ id: record.id });
  expect(details.canEnd).toBeUndefined();
  expect(details.debit).not.toBeNull();
  expect(details.item.status).toBe('FAILED');
  expect((await handlers(run)['sites/list']({})).sites.find(({ origin }) => origin === APP)?.setAside).toBeUndefined();
  expect(await balance(run)).toBe(had);
  expect(await spentOf(run)).toEqual(spent);
  const asked: string[] = [];
  network.before = (url) => void asked.push(url);
  for (let hours = 0; hours < 48; hours += 1) {
    setTime(Date.now() + HOUR_MS);
    await run.modules.drive.processAll(current);
  }
  expect(asked).toEqual([]);
});

test('the change address of an ended action is free again, and is not recorded as seen', async () => {
  const run = await wallet();
  const record = await refused(run);
  const { script } = await changeOf(run, record);
  expect((await addressOf(run, script))?.used).toBe(true);
  await end(run, record.id);
  const address = await addressOf(run, script);
  expect([address?.used, address?.seen ?? false]).toEqual([false, false]);
  expect((await changeOf(run, record)).status).toBe('void');
});

test.each([false, true])(
  'an ended action that is mined later is settled, with its change available and its debit kept (site blocked: %s)',
  async (isBlocked) => {
    const run = await wallet();
    const record = await refused(run);
    const [had, spent] = [await balance(run), await spentOf(run)];
    expect(spent).not.toEqual([0n]);
    await end(run, record.id);
    if (isBlocked) await run.modules.sites.setBlock(current, APP, Number.MAX_SAFE_INTEGER);
    network.broadcasts = [];
    await broadcast(record);
    await network.mine();
    await run.modules.poll.refresh(current);
    await paymentWhere(run, record.id, ({ state, height, error }) => state === 'settled' && height !== null && !error);
    const change = await changeOf(run, record);
    expect([change.status, change.satoshis]).toEqual(['available', 3977n]);
    expect(await balance(run)).toBe(had + 3977n);
    expect((await addressOf(run, change.script))?.seen).toBe(true);
    expect(await spentOf(run)).toEqual(spent);
    expect(network.broadcasts).toEqual([]);
  },
);

test('an ended action is reinstated only if the index returns its transaction, and the wallet doesn’t broadcast it', async () => {
  const run = await wallet();
  const record = await refused(run);
  await end(run, record.id);
  await broadcast(record);
  network.broadcasts = [];
  network.hidden.add(record.signed!.txid);
  await run.modules.poll.refresh(current);
  await run.modules.drive.processAll(current);
  // The index lists the action's output, but doesn't return the transaction, so the action isn't reinstated.
  expect(await recordOf(run, record.id)).toMatchObject({ state: 'failed' });
  network.hidden.clear();
  await run.modules.poll.refresh(current);
  await paymentWhere(run, record.id, ({ state }) => state === 'settled');
  expect(network.broadcasts).toEqual([]);
});

test('a rescan of all addresses detects that an ended action without change was mined', async () => {
  const run = await wallet();
  const record = await refused(run, [output(4979, appScript(1))]);
  expect(record.signed?.ownOutputs).toEqual([]);
  const spent = await spentOf(run);
  await end(run, record.id);
  await broadcast(record);
  await network.mine();
  setTime(Date.now() + HOUR_MS);
  await run.modules.poll.refresh(current, { all: true });
  await paymentWhere(run, record.id, ({ state, height }) => state === 'settled' && height !== null);
  expect(await spentOf(run)).toEqual(spent);
});

test('the output of an ended action is in its basket again once the application internalizes the mined transaction', async () => {
  const run = await wallet();
  const kept = output(4979, appScript(1), { basket: 'things' });
  const record = await refused(run, [kept]);
  const listed = async () => (await called(run, 'listOutputs', { basket: 'things' })).outputs;
  expect(await listed()).toHaveLength(1);
  await end(run, record.id);
  expect(await listed()).toEqual([]);
  await broadcast(record);
  await network.mine();
  const hex = await (await fetch(`${index()}/${record.signed!.inputs[0]!.slice(0, 64)}/hex`)).text();
  const transaction = Transaction.fromHex(record.signed!.rawtx);
  transaction.inputs[0]!.sourceTransaction = Transaction.fromHex(hex);
  await called(run, 'internalizeAction', {
    tx: transaction.toAtomicBEEF(true),
    description: 'bring it back',
    outputs: [{ outputIndex: 0, protocol: 'basket insertion', insertionRemittance: { basket: 'things' } }],
  });
  await run.modules.drive.processAll(current);
  await paymentWhere(run, record.id, ({ state }) => state === 'settled');
  expect(await listed()).toMatchObject([{ spendable: true, satoshis: 4979 }]);
});

test('the outputs of an ended action stop counting toward the site’s quota after a month', async () => {
  const run = await wallet();
  const record = await refused(run, [output(1000, appScript(1), { basket: 'things' })]);
  await end(run, record.id);
  const db = await run.modules.database.database(current);
  const [kept] = await db.getAll('appOutputs');
  await db.put('appOutputs', { ...kept!, overSince: Date.now() - 31 * 24 * HOUR_MS });
  const { pruneOutputs } = await import('../../baskets/prune.ts');
  await pruneOutputs(current, new Set()); // as at the start of the worker
  expect(await db.getAll('appOutputs')).toEqual([]);
});

test('the output of an ended action is in its basket again if the network gets the action after more than a week', async () => {
  const run = await wallet();
  const record = await refused(run, [output(1000, appScript(1), { basket: 'things' })]);
  const listed = async () => (await called(run, 'listOutputs', { basket: 'things' })).outputs;
  expect(await listed()).toHaveLength(1);
  await end(run, record.id);
  expect(await listed()).toEqual([]);
  const db = await run.modules.database.database(current);
  const [kept] = await db.getAll('appOutputs');
  await db.put('appOutputs', { ...kept!, overSince: Date.now() - 8 * 24 * HOUR_MS });
  const { pruneOutputs } = await import('../../baskets/prune.ts');
  await pruneOutputs(current, new Set()); // as at the start of the worker
  await broadcast(record);
  await run.modules.poll.refresh(current);
  await paymentWhere(run, record.id, ({ state }) => state === 'settled');
  expect(await listed()).toMatchObject([{ spendable: true, satoshis: 1000 }]);
});

test('an action ends either completely or not at all if the worker is stopped at any point', async () => {
  let run = await wallet();
  const record = await refused(run);
  const before = await stored(run);
  for (let n = 1, isEnded = false; !isEnded; n += 1) {
    run.dieAt(n);
    isEnded = (await run.untilDeath(() => end(run, record.id))) !== null;
    run = await run.profile.start();
    const now = await stored(run);
    isEnded ||= (await recordOf(run, record.id)).state === 'failed';
    const status = now.coins.find(({ txid }) => txid === record.signed?.txid)?.status;
    expect(status).toBe(isEnded ? 'void' : 'pending');
    if (!isEnded) expect(now.coins).toEqual(before.coins);
  }
});

test('blocking a site ends the rejected and withheld actions that spend only the site’s money', async () => {
  const run = await wallet();
  const kept = await moved(run, [output(1000, appScript(1))], { noSend: true });
  expect((await recordOf(run, kept.id)).trouble).toBe('held');
  const record = await refused(run);
  await run.modules.sites.setBlock(current, APP, Number.MAX_SAFE_INTEGER);
  for (const { id } of [record, kept])
    expect(await recordOf(run, id)).toMatchObject({ state: 'failed', error: { code: 'action-ended' } });
  await run.modules.sites.setBlock(current, APP, null);
  const sendWith = { description: 'send it', options: { sendWith: [kept.signed!.txid] } };
  expect(await call(run, 'createAction', sendWith)).toMatchObject({ parameter: 'sendWith' });
  await run.modules.drive.processAll(current);
  expect((await recordOf(run, kept.id)).state).toBe('failed');
});

test('removing an allowance ends only the actions that it paid for', async () => {
  const run = await wallet();
  const record = await refused(run);
  await give(run, { origin: 'https://other.example', currency: 'BSV', limit: 100_000n, id: 'token-of-the-other' });
  await run.modules.allowances.revokeAllowance(current, 'token-of-the-other');
  expect((await recordOf(run, record.id)).state).toBe('signed');
  await run.modules.allowances.revokeAllowance(current, TOKEN);
  expect((await recordOf(run, record.id)).state).toBe('failed');
});

test('ending a withheld action also ends the withheld action that spends its change', async () => {
  const run = await wallet();
  const first = await moved(run, [output(1000, appScript(1))], { noSend: true });
  const noSendChange = [first.signed!.ownOutputs[0]!.replace(':', '.')];
  const { txid } = await called(run, 'createAction', {
    description: 'the next',
    outputs: [output(500, appScript(2))],
    options: { noSend: true, noSendChange },
  });
  const next = (await stored(run)).payments.find(({ signed }) => signed?.txid === txid)!;
  // The wallet added none of its own coins. If it had, the action could be canceled, but not ended.
  expect(next.signed?.inputs).toEqual(first.signed?.ownOutputs);
  await end(run, first.id);
  expect((await recordOf(run, next.id)).state).toBe('failed');
  expect((await stored(run)).coins.map(({ status }) => status).toSorted()).toEqual(['available', 'void', 'void']);
});

test('an output that an ended action created for its application is void, even if another ended action spends it', async () => {
  const run = await wallet();
  // Actions are ended in the order of their random IDs, so several runs are needed to test both orders.
  for (let n = 0; n < 4; n += 1) {
    const first = await moved(run, [output(4000, appScript(0), { basket: 'things' })], { noSend: true });
    const { outputs } = await called(run, 'listOutputs', { basket: 'things' });
    const { signableTransaction } = await called(run, 'createAction', {
      description: 'spend it',
      inputs: [
        { outpoint: outputs[0]!.outpoint, inputDescription: 'the thing', unlockingScriptLength: UNLOCKING_BYTES },
      ],
      outputs: [output(500, appScript(2))],
      options: { noSend: true },
    });
    const { reference, tx } = signableTransaction!;
    const spends = { 0: { unlockingScript: signInput(transactionIn(tx), 0, 4000) } };
    await called(run, 'signAction', { reference, spends, options: { noSend: true } });
    await end(run, first.id);
    const kept = await (await run.modules.database.database(current)).getAll('appOutputs');
    expect(kept.map(({ status }) => status)).toEqual(Array(n + 1).fill('void'));
  }
});

test('an action that the user ends while the wallet fetches its merkle proof is still recorded as mined', async () => {
  const run = await wallet();
  const record = await refused(run, [output(4979, appScript(1))]);
  await broadcast(record);
  await network.mine();
  let isEnded = false;
  network.before = async (url) => {
    if (isEnded || !url.includes('/proof')) return;
    isEnded = true;
    await end(run, record.id);
  };
  setTime(Date.now() + HOUR_MS);
  await run.modules.drive.processAll(current);
  expect(isEnded).toBe(true);
  await paymentWhere(run, record.id, ({ state, height, error }) => state === 'settled' && height !== null && !error);
});

test('an action that spends the user’s money can be canceled, but not ended', async () => {
  const run = await wallet();
  network.faults = refusals();
  const { txid } = await called(run, 'createAction', { description: 'buy it', outputs: [output(1000, appScript(1))] });
  const { id } = (await stored(run)).payments.find(({ signed }) => signed?.txid === txid)!;
  await paymentWhere(run, id, ({ trouble }) => trouble === 'refused');
  network.faults = [];
  const details = await handlers(run)['activity/read']({ id });
  expect([details.canEnd, typeof details.cancelFee]).toEqual([undefined, 'string']);
  expect(await codeOf(end(run, id))).toBe('approval-unknown');
  await handlers(run)['sites/end']({ origin: APP });
  expect((await recordOf(run, id)).state).toBe('signed');
});

test('an action whose change the user has spent can’t be ended, even if the network has dropped it', async () => {
  const run = await wallet([]);
  const record = await moved(run, [output(1000, appScript(1))]);
  await paymentWhere(run, record.id, ({ state }) => state === 'settled');
  const answer = ask(run, 'a purchase', pay(someone(), 2000));
  await decide(run, await approvalOf(run));
  await answer;
  await changePayment(run, record.id, { trouble: 'unseen' });
  expect(await codeOf(end(run, record.id))).toBe('approval-unknown');
});

test('a reorganization that reinstates a payment also reinstates the ended action whose change the payment spends', async () => {
  const run = await wallet([]);
  const record = await moved(run, [output(1000, appScript(1))]);
  await paymentWhere(run, record.id, ({ state }) => state === 'settled');
  const answer = ask(run, 'a purchase', pay(someone(), 2000));
  await decide(run, await approvalOf(run));
  await answer;
  const { id } = (await stored(run)).payments.find(({ signed }) => signed?.inputs[0] === record.signed?.ownOutputs[0])!;
  const { state } = await recordOf(run, id);
  await changePayment(run, id, { state: 'failed', ended: { txid: 'ab'.repeat(32), height: 7, state } });
  await changePayment(run, record.id, { trouble: 'unseen' });
  await end(run, record.id);
  await run.modules.database.inTransaction(current, (tx) => reviveAbove(current, tx, 6));
  expect(await recordOf(run, record.id)).toMatchObject({ state: 'signed', error: null });
  expect(await changeOf(run, record)).toMatchObject({ status: 'spent', paymentId: id });
});

test('an action that the network has dropped can be ended if its change is unspent', async () => {
  const run = await wallet();
  const record = await moved(run, [output(1000, appScript(1))]);
  await paymentWhere(run, record.id, ({ state }) => state === 'settled');
  expect(await codeOf(end(run, record.id))).toBe('approval-unknown');
  await changePayment(run, record.id, { trouble: 'unseen' });
  await end(run, record.id);
  expect((await changeOf(run, record)).status).toBe('void');
  // The network has the transaction, so the refresh reinstates the action.
  await run.modules.poll.refresh(current);
  await paymentWhere(run, record.id, ({ state }) => state === 'settled');
  expect((await changeOf(run, record)).status).toBe('available');
});
