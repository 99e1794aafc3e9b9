/**
 * Tests applications' version 2 transactions. Third parties can change the ID of such a transaction until it is mined.
 */
import { expect, test } from 'vitest';
import { txidOf } from '../../../protocol/bitcoin/transaction.ts';
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { appScript, call, called, output } from '../../../testkit/wallet/applications.ts';
import { paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import type { TestNetwork } from '../../../testkit/network/network.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { allowanceOf, allowed, balance, network as actionNetwork, SOMEBODY, until } from './testing-create-action.ts';
import { bringing, insertion, network, payment, received } from './internalize/testing-internalize-action.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const options = { randomizeOutputs: false, acceptDelayedBroadcast: false };
const act = async (workerRun: WorkerRun, more: object = {}) => {
  const made = await called(workerRun, 'createAction', {
    description: 'buy a thing',
    version: 2,
    labels: ['things'],
    outputs: [output(20_000, SOMEBODY), output(600, appScript(0), { basket: 'things' })],
    options,
    ...more,
  });
  const { payments } = await stored(workerRun);
  return { txid: made.txid!, record: payments.find(({ signed }) => signed?.txid === made.txid)! };
};
const mined = (workerRun: WorkerRun, id: string) =>
  until(async () => {
    const record = await workerRun.modules.transition.readPayment(wallet, id);
    expect(record?.height).toEqual(expect.any(Number));
    return record!;
  });
/** Makes the wallet query the operators about a payment now. */
async function askAgain({ modules }: WorkerRun, id: string): Promise<void> {
  await modules.transition.transition(wallet, id, 'settled', ({ confirmation }) => ({
    confirmation: { ...confirmation, nextAt: 0 },
  }));
  await modules.drive.processChanged(wallet, id);
}
const shown = async (workerRun: WorkerRun) => ({
  actions: (await called(workerRun, 'listActions', { labels: ['things'] })).actions.map((one) => [
    one.txid,
    one.status,
  ]),
  outputs: (await called(workerRun, 'listOutputs', { basket: 'things' })).outputs.map(({ outpoint }) => outpoint),
});
const changeOf = (txid: string) => [2, 3, 4, 5].map((vout) => `${txid}:${vout}`);
const available = async (workerRun: WorkerRun) =>
  (await stored(workerRun)).coins.filter(({ status }) => status === 'available').map((coin) => coin.outpoint);
/** Makes the index answer 404 to the second request for a transaction's bytes. */
function loseOnce(on: TestNetwork, txid: string): void {
  let asked = 0;
  on.before = (url) => {
    if (!url.includes(`/tx/${txid}/hex`)) return;
    asked += 1;
    if (asked === 2) on.hidden.add(txid);
    else on.hidden.clear();
  };
}

test('an action, its change and its outputs get the new ID after a third party has changed the transaction’s ID', async () => {
  const workerRun = await allowed([1_000_000]);
  const { txid, record } = await act(workerRun);
  const { spent } = (await allowanceOf(workerRun))!;
  const before = await balance(workerRun);
  const altered = await actionNetwork.alter(txid);
  await actionNetwork.mine();
  const { signed, state } = await mined(workerRun, record.id);
  expect(signed).toMatchObject({ txid: altered, ownOutputs: changeOf(altered) });
  expect([state, txidOf(fromHex(signed!.rawtx))]).toEqual(['settled', altered]);
  expect(await shown(workerRun)).toEqual({ actions: [[altered, 'completed']], outputs: [`${altered}.1`] });
  expect([await balance(workerRun), await available(workerRun)]).toEqual([before, changeOf(altered)]);
  expect((await allowanceOf(workerRun))!.spent).toEqual(spent);
  await workerRun.modules.poll.refresh(wallet);
  expect([await balance(workerRun), await available(workerRun)]).toEqual([before, changeOf(altered)]);
  expect(await (await workerRun.modules.database.database(wallet)).get('receipts', altered)).toBeUndefined();
  // The change is spendable.
  const next = await act(workerRun, { version: 1 });
  await paymentWhere(workerRun, next.record.id, (one) => one.state === 'settled');
});

test('an action that is mined under an altered ID completes although the index once lost its transaction', async () => {
  const workerRun = await allowed([1_000_000]);
  const { txid, record } = await act(workerRun);
  const altered = await actionNetwork.alter(txid);
  await actionNetwork.mine();
  loseOnce(actionNetwork, altered);
  const over = await until(async () => {
    const now = (await workerRun.modules.transition.readPayment(wallet, record.id))!;
    expect(now.state === 'failed' || now.height !== null).toBe(true);
    return now;
  });
  expect([over.state, over.signed!.txid]).toEqual(['settled', altered]);
});

test('an action’s change counts once while the network has the action under an altered ID', async () => {
  const workerRun = await allowed([1_000_000]);
  const { txid, record } = await act(workerRun);
  await paymentWhere(workerRun, record.id, ({ state }) => state === 'settled');
  const before = await balance(workerRun);
  await act(workerRun);
  const altered = await actionNetwork.alter(txid);
  for (const all of [false, true, true]) {
    await workerRun.modules.poll.refresh(wallet, { all });
    expect([await balance(workerRun), await available(workerRun)]).toEqual([before, changeOf(altered)]);
    await askAgain(workerRun, record.id);
  }
  expect([await balance(workerRun), await available(workerRun)]).toEqual([before, changeOf(altered)]);
  await actionNetwork.mine();
  await mined(workerRun, record.id);
  expect([await balance(workerRun), await available(workerRun)]).toEqual([before, changeOf(altered)]);
});

test('an action that spends change under the old ID fails, and its money is available again', async () => {
  const workerRun = await allowed([1_000_000]);
  const first = await act(workerRun);
  await paymentWhere(workerRun, first.record.id, ({ state }) => state === 'settled');
  const before = await balance(workerRun);
  await act(workerRun, { options: { ...options, signAndProcess: false } });
  const waiting = (await stored(workerRun)).payments.find(({ state }) => state === 'signable')!;
  const second = await act(workerRun, { version: 1 });
  const altered = await actionNetwork.alter(first.txid);
  await actionNetwork.mine();
  await mined(workerRun, first.record.id);
  const ended = (id: string) => workerRun.modules.transition.readPayment(wallet, id);
  expect(await ended(second.record.id)).toMatchObject({ state: 'failed', error: { code: 'network-rejected' } });
  expect(await ended(waiting.id)).toMatchObject({ state: 'failed', error: { code: 'action-ended' } });
  expect([await balance(workerRun), await available(workerRun)]).toEqual([before, changeOf(altered)]);
  expect((await shown(workerRun)).outputs).toEqual([`${altered}.1`]);
});

test('a payment by derived key gets the new ID after a third party has changed its transaction’s ID', async () => {
  const { workerRun, arrived } = await received([[50_000, 'payment']], { version: 2 });
  await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)));
  const [sweep] = (await stored(workerRun)).payments;
  await paymentWhere(workerRun, sweep!.id, ({ state }) => state === 'settled');
  const altered = await network.alter(arrived.txid);
  await network.mine();
  await workerRun.modules.poll.refresh(wallet);
  const again = await until(async () => {
    const { payments } = await stored(workerRun);
    const found = payments.find(({ signed }) => signed?.inputs[0] === `${altered}:0`);
    expect(found?.state).toBe('settled');
    return found!;
  });
  expect(await workerRun.modules.transition.readPayment(wallet, sweep!.id)).toMatchObject({ state: 'failed' });
  await network.mine();
  await mined(workerRun, again.id);
  expect(await balance(workerRun)).toBe(50_000n - again.signed!.feeSatoshis);
  const db = await workerRun.modules.database.database(wallet);
  expect(await db.getAll('receipts')).toMatchObject([
    {
      txid: altered,
      satoshis: 50_000n,
      height: expect.any(Number) as number,
      broughtBy: { description: 'what was sent' },
    },
  ]);
  expect(await called(workerRun, 'listActions', { labels: ['inbox'] })).toMatchObject({ actions: [{ txid: altered }] });
});

test('a payment by derived key isn’t double-spent because the index once lost its altered transaction', async () => {
  const { workerRun, arrived } = await received([[50_000, 'payment']], { version: 2 });
  await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)));
  const [sweep] = (await stored(workerRun)).payments;
  await paymentWhere(workerRun, sweep!.id, ({ state }) => state === 'settled');
  const altered = await network.alter(arrived.txid);
  await network.mine();
  loseOnce(network, altered);
  await workerRun.modules.poll.refresh(wallet);
  const receipts = await (await workerRun.modules.database.database(wallet)).getAll('receipts');
  expect(receipts.map(({ txid, failed }) => [txid, failed])).toEqual([[altered, undefined]]);
});

test('an output of a version 2 transaction enters a basket only once a block contains the transaction', async () => {
  const { workerRun, arrived } = await received([[600, 'thing']], { version: 2, noSend: false });
  const bring = () => call(workerRun, 'internalizeAction', bringing(arrived.tx, insertion(0)));
  expect(await bring()).toMatchObject({ parameter: 'tx' });
  expect((await stored(workerRun)).payments).toEqual([]);
  await network.mine();
  expect(await bring()).toEqual({ accepted: true });
});
