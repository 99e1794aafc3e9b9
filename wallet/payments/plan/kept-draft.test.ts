import { expect, test } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { APP, called, output } from '../../../testkit/wallet/applications.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import {
  approvalOf,
  approveAll,
  ask,
  decide,
  keepUnlocked,
  openWallet,
  PASSWORD,
  pay,
  paymentView,
  someone,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { OWN } from '../../sites/site.ts';
import { agree, mint, network, owner, viewOf } from '../sources/mint/testing-mint.ts';

const SECOND = { origin: 'https://second.example' };

/** Returns the values of the coins that a site's signed payment spends, in satoshis. */
async function spent(workerRun: WorkerRun, site = 'https://shop.example') {
  const { payments } = await stored(workerRun);
  return payments.find(({ origin }) => origin === site)?.signed?.inputSatoshis;
}

test('a page’s payment is signed as displayed, regardless of coins that have arrived since', async () => {
  const workerRun = await openWallet(network, [100_000]);
  const paid = ask(workerRun, 'request-1', pay(someone(), 10_000));
  const id = await approvalOf(workerRun);
  const { feeSatoshis } = await paymentView(workerRun, id);
  const { overview, poll } = workerRun.modules;
  // A new draft would choose this smaller coin.
  await network.faucet((await overview.overview(wallet)).receiveAddress, 20_000);
  await poll.refresh(wallet);
  expect((await paymentView(workerRun, id)).feeSatoshis).toBe(feeSatoshis);
  await decide(workerRun, id);
  expect(await paid).toMatchObject({ status: 'RECEIVED' });
  expect(await spent(workerRun)).toEqual([100_000n]);
});

test('a payment is planned again if another payment has spent one of its coins', async () => {
  const workerRun = await openWallet(network, [100_000, 20_000]);
  const first = ask(workerRun, 'request-1', pay(someone(), 10_000));
  const id = await approvalOf(workerRun);
  await paymentView(workerRun, id);
  const second = ask(workerRun, 'request-2', pay(someone(), 10_000), SECOND);
  await approvalOf(workerRun, 2);
  const other = (await workerRun.modules.promptStore.openPrompts(wallet)).find(
    ({ origin }) => origin === SECOND.origin,
  );
  await decide(workerRun, other?.window.id ?? '');
  expect(await second).toMatchObject({ status: 'RECEIVED' });
  expect(await spent(workerRun, SECOND.origin)).toEqual([20_000n]);
  await decide(workerRun, id);
  expect(await first).toMatchObject({ status: 'RECEIVED' });
  expect(await spent(workerRun)).not.toContain(20_000n);
});

test('a quote in the popup is signed as displayed, regardless of coins that have arrived since', async () => {
  const workerRun = await openWallet(network, [100_000]);
  const { handlers, overview, poll } = workerRun.modules;
  const own = handlers.walletHandlers(wallet);
  const recipients = [{ to: someone(), amount: '0.00010000', currency: 'BSV' }];
  const { outputs, feeSatoshis, time } = await own['send/quote']({ recipients });
  await network.faucet((await overview.overview(wallet)).receiveAddress, 20_000);
  await poll.refresh(wallet);
  await own['send/pay']({ requestId: 'request-of-the-window', outputs, feeSatoshis: feeSatoshis ?? '', time });
  expect(await spent(workerRun, OWN)).toEqual([100_000n]);
});

test('a mint is signed as displayed, regardless of coins that have arrived since', async () => {
  const workerRun = await owner();
  const answer = mint(workerRun);
  const id = await approvalOf(workerRun);
  await viewOf(workerRun, id);
  await network.faucet((await workerRun.modules.overview.overview(wallet)).receiveAddress, 20_000);
  await workerRun.modules.poll.refresh(wallet);
  await agree(workerRun, id);
  expect(await answer).toMatch(/_0$/);
  expect(await spent(workerRun, OWN)).toEqual([100_000n]);
});

test('a quoted payment takes no coins from a waiting action if enough other money has arrived since', async () => {
  const workerRun = await openWallet(network, [100_000]);
  approveAll(workerRun);
  const action = {
    description: 'buy a thing',
    outputs: [output(30_000, toHex(p2pkhScript(new Uint8Array(20).fill(9))))],
    options: { signAndProcess: false },
  };
  await called(workerRun, 'createAction', action, { userActivation: 'new' });
  const { handlers, overview, poll } = workerRun.modules;
  const own = handlers.walletHandlers(wallet);
  const recipients = [{ to: someone(), amount: '0.00069000', currency: 'BSV' }];
  const { outputs, feeSatoshis, time, problem } = await own['send/quote']({ recipients });
  expect(problem).toBeNull();
  await network.faucet((await overview.overview(wallet)).receiveAddress, 200_000);
  await poll.refresh(wallet);
  await own['send/pay']({ requestId: 'request-of-the-window', outputs, feeSatoshis: feeSatoshis ?? '', time });
  const { payments } = await stored(workerRun);
  expect(payments.find((one) => one.origin === APP && one.action)).toMatchObject({ state: 'signable' });
});

test('a quote made before the wallet was removed pays no change to an address that the restored wallet lacks', async () => {
  const workerRun = await openWallet(network, [100_000]);
  const { database, handlers, overview, poll } = workerRun.modules;
  const own = handlers.walletHandlers(wallet);
  const { words } = await own['vault/show-words']({ password: PASSWORD });
  const db = await database.database(wallet);
  // Uses up change addresses, so a restored wallet would derive the next one only after its search has found coins.
  for (const { address, chain } of await db.getAll('addresses'))
    if (chain === 'change') await network.faucet(address, 3000);
  await poll.refresh(wallet, { all: true });
  const recipients = [{ to: someone(), amount: '0.00070000', currency: 'BSV' }];
  const { outputs, feeSatoshis, time } = await own['send/quote']({ recipients });
  const found = (await stored(workerRun)).coins.filter(({ chain }) => chain === 'receive');
  await own['vault/remove']({ password: PASSWORD, leaving: 0 });
  await own['vault/create']({ words, password: PASSWORD, restored: false });
  await keepUnlocked(workerRun);
  await overview.overview(wallet);
  const { addCoin } = await import('../../coins/records.ts');
  // Simulates a search that has found only this coin so far.
  await database.inTransaction(wallet, async (tx) => {
    for (const coin of found) await addCoin(tx, coin);
  });
  await own['send/pay']({ requestId: 'request-of-the-window', outputs, feeSatoshis: feeSatoshis ?? '', time });
  const [payment] = (await stored(workerRun)).payments;
  expect(payment?.signed?.inputSatoshis).toEqual([100_000n]);
  expect(payment?.signed?.ownOutputs).toHaveLength(1);
});
