import { expect, test } from 'vitest';
import { wallet } from '../../../../testkit/wallet/current.ts';
import { PASSWORD, stored } from '../../../../testkit/wallet/wallet.ts';
import { rowsOf } from '../../../scan/history/testing-history.ts';
import {
  addressOf,
  handlersOf,
  MONEY_BUTTON,
  moveAll,
  moveThroughDeath,
  balance,
  network,
  OWN,
  restored,
  search,
  settled,
  YOURS,
} from './testing-other-wallets.ts';

test('money at the paths of other wallets is found and moved to this wallet once', async () => {
  const last = addressOf("m/44'/0'/0'/1/19");
  expect(addressOf(MONEY_BUTTON.path)).toBe(MONEY_BUTTON.address);
  await network.faucet(MONEY_BUTTON.address, 50_000);
  await network.faucet(YOURS.address, 30_000);
  await network.faucet(last, 20_000);
  const workerRun = await restored();
  expect((await search(workerRun)).found.map(({ path, address, satoshis }) => [path, address, satoshis])).toEqual([
    [MONEY_BUTTON.path, MONEY_BUTTON.address, '50000'],
    [YOURS.path, YOURS.address, '30000'],
    ["m/44'/0'/0'/1/19", last, '20000'],
  ]);
  const { feeSatoshis } = await search(workerRun);
  await moveAll(workerRun);
  await settled(workerRun);
  expect(await balance(workerRun)).toBe(100_000n - BigInt(feeSatoshis ?? 0));
  expect(await network.unspent(MONEY_BUTTON.address)).toEqual([]);
  expect((await search(workerRun)).found).toEqual([]);
});

test('a restored wallet lists moved money once, also after it has read its past transactions', async () => {
  await network.faucet(MONEY_BUTTON.address, 50_000);
  const workerRun = await restored();
  const txid = await moveAll(workerRun);
  await settled(workerRun);
  await network.mine();
  await workerRun.modules.poll.refresh(wallet);
  await workerRun.modules.poll.refresh(wallet);
  const rows = await rowsOf(workerRun.modules);
  expect(rows.filter((one) => one.txid === txid)).toHaveLength(1);
});

test('money behind a passphrase is found only with that passphrase', async () => {
  const address = addressOf("m/44'/236'/0'/0/3", '2580');
  await network.faucet(address, 40_000);
  const workerRun = await restored();
  expect((await search(workerRun)).found).toEqual([]);
  expect((await search(workerRun, '2580')).found).toMatchObject([{ path: "m/44'/236'/0'/0/3", address, wallets: '' }]);
  await moveAll(workerRun, '2580');
  await settled(workerRun);
  expect(await network.unspent(address)).toEqual([]);
});

test('a coin that the user has not reviewed is not moved, and no coin is moved for a fee above the displayed one', async () => {
  await network.faucet(MONEY_BUTTON.address, 50_000);
  const workerRun = await restored();
  const [coin] = (await search(workerRun)).found;
  const move = (outpoints: string[], feeSatoshis: string) =>
    handlersOf(workerRun)['other-wallets/move']({ password: PASSWORD, passphrase: '', outpoints, feeSatoshis });
  await expect(move([coin?.outpoint ?? ''], '0')).rejects.toMatchObject({ code: 'fee-changed' });
  await expect(move([`${'ab'.repeat(32)}:0`], '1000')).rejects.toMatchObject({ code: 'not-paid' });
  expect((await stored(workerRun)).payments).toEqual([]);
  await moveAll(workerRun);
  await settled(workerRun);
});

test('coins are moved once if the worker is stopped after the network has the transaction', () =>
  moveThroughDeath('after POST /devnet/arc/v1/tx'));

test('coins that this wallet finds itself are not moved, and a search requires the password', async () => {
  await network.faucet(OWN, 60_000);
  const workerRun = await restored();
  expect(await search(workerRun)).toMatchObject({ found: [], left: 0, feeSatoshis: null });
  await expect(
    handlersOf(workerRun)['other-wallets/search']({ password: 'not the password', passphrase: '' }),
  ).rejects.toMatchObject({ code: 'wrong-password' });
});
