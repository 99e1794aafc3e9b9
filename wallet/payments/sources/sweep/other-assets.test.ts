import { expect, test } from 'vitest';
import type { OtherWalletsView } from '../../../../protocol/messages/wallet-messages.ts';
import { Issuer } from '../../../../testkit/wallet/assets.ts';
import { paymentWhere, stored } from '../../../../testkit/wallet/wallet.ts';
import { markFailed } from '../../../coins/gone.ts';
import {
  addressOf,
  balance,
  given,
  handlersOf,
  held,
  move,
  network,
  RELAYX,
  restored,
  search,
  settled,
  YOURS,
} from './testing-other-assets.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

test('tokens and ordinals at the paths of other wallets are shown and moved to this wallet', async () => {
  const { id } = await given();
  const workerRun = await restored();
  const found = await search(workerRun);
  expect(found).toMatchObject({ found: [], assetsLeft: 0, tokens: 0 });
  expect(found).not.toHaveProperty('assetsUnknown');
  expect(found.assets.map(({ path, wallets, word }) => [path, wallets, word])).toEqual([
    [YOURS, 'Yours', 'chain'],
    [RELAYX, 'RelayX', 'chain'],
  ]);
  expect(found.assets.map(({ asset }) => asset)).toMatchObject([
    { type: 'token', id, symbol: 'GOLD', units: '700' },
    { type: 'ordinal', contentType: 'text/plain' },
  ]);
  await move(workerRun, found);
  await settled(workerRun);
  expect(await balance(workerRun)).toBe(50_000n - BigInt(found.assetsFeeSatoshis ?? 0));
  const { tokens, ordinals, invalid } = await held(workerRun);
  expect({ tokens, ordinals, invalid }).toMatchObject({
    tokens: [{ id, amount: '700', spendable: '700', word: 'chain' }],
    ordinals: [{ canSend: true }],
    invalid: 0,
  });
  expect(ordinals).toHaveLength(1);
  expect(await search(workerRun)).toMatchObject({ assets: [], tokens: 0 });
});

test('assets can be moved again if the network rejected their move and the money for its fee has disappeared', async () => {
  await given();
  await network.mine();
  const workerRun = await restored(0);
  const { receiveAddress } = await workerRun.modules.overview.overview(wallet);
  const money = await network.faucet(receiveAddress, 50_000);
  await workerRun.modules.poll.refresh(wallet);
  network.faults = Array<461>(400).fill(461); // as nodes do without the money
  const { txid } = await move(workerRun, await search(workerRun));
  const [refused] = (await stored(workerRun)).payments;
  await paymentWhere(workerRun, refused?.id ?? '', ({ trouble }) => trouble === 'refused');
  await markFailed(wallet, money, 'dropped', { at: Date.now(), unknown: 4, since: 0 });
  await network.faucet(receiveAddress, 60_000);
  await workerRun.modules.poll.refresh(wallet);
  const details = await handlersOf(workerRun)['activity/read']({ id: refused?.id ?? '' });
  if (details.canEnd) await handlersOf(workerRun)['activity/end']({ id: refused?.id ?? '' });
  else expect(details.cancelFee).not.toBeNull();
  const found = await search(workerRun);
  expect(found.assets).toHaveLength(2);
  expect((await move(workerRun, found)).txid).not.toBe(txid);
});

test('a forged token is not offered, and no real token is moved with it', async () => {
  const { id } = await given();
  const issuer = new Issuer(network);
  await issuer.make([], [issuer.holds(id, 5_000n, addressOf(YOURS))]);
  const workerRun = await restored();
  const found = await search(workerRun);
  expect(found).toMatchObject({ tokens: 1 });
  expect(found.assets).toHaveLength(2);
  await move(workerRun, found);
  await settled(workerRun);
  expect(await held(workerRun)).toMatchObject({ tokens: [{ id, amount: '700' }], ordinals: [{}], invalid: 0 });
});

test('an asset that the user has not reviewed is not moved, and no asset is moved for a fee above the displayed one', async () => {
  await given();
  const workerRun = await restored();
  const found = await search(workerRun);
  await expect(move(workerRun, { ...found, assetsFeeSatoshis: '1' })).rejects.toMatchObject({ code: 'fee-changed' });
  const unknown = { ...(found.assets[0] as OtherWalletsView['assets'][number]), outpoint: `${'ab'.repeat(32)}:0` };
  await expect(move(workerRun, { ...found, assets: [unknown] })).rejects.toMatchObject({ code: 'not-paid' });
  await workerRun.modules.vault.lock(wallet);
  await expect(move(workerRun, found)).rejects.toMatchObject({ code: 'wallet-locked' });
  expect((await stored(workerRun)).payments).toEqual([]);
});
