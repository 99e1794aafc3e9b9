/** A mint from before the wallet was restored, which another transaction later replaces. */
import { expect, test } from 'vitest';
import { p2pkhScript } from '../../../../protocol/bitcoin/address.ts';
import { approvalOf, PASSWORD, paymentWhere, restoreWallet, stored } from '../../../../testkit/wallet/wallet.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';
import { spendingKeys } from '../../../keys/keys.ts';
import { seedOf } from '../../../keys/mnemonic.ts';
import { signTransaction } from '../../../transaction/sign.ts';
import { agree, ASSET, ID, mint, network, owner, viewOf } from './testing-mint.ts';

test('the change of a linked mint no longer counts once another transaction has replaced the mint', async () => {
  const first = await owner();
  network.refuseReports = 'not-accepted';
  const answer = mint(first);
  await agree(first);
  const tokenId = await answer;
  const { walletHandlers } = first.modules.handlers;
  const { words } = await walletHandlers(wallet)['vault/show-words']({ password: PASSWORD });
  const { payments, coins } = await stored(first);
  const { txid, inputs } = payments[0]!.signed!;
  const money = coins.filter(({ outpoint }) => inputs.includes(outpoint));
  first.end();

  const run = await restoreWallet(network, words);
  await run.modules.client.registerAccount(wallet, 'alice', 'Alice');
  await run.modules.poll.refresh(wallet, { all: true });
  network.refuseReports = null;
  network.assets.set(ID, ASSET);
  const linked = mint(run);
  const id = await approvalOf(run);
  expect(await viewOf(run, id)).toMatchObject({ earlier: tokenId });
  await agree(run, id);
  expect(await linked).toBe(tokenId);
  const { id: payment } = (await stored(run)).payments[0]!;
  expect((await run.modules.store.balance(wallet)).satoshis).toBeGreaterThan(99_000n);

  const keys = spendingKeys(await seedOf(words));
  const outputs = [{ satoshis: 90_000n, lockingScript: p2pkhScript(new Uint8Array(20)) }];
  const { bytes } = signTransaction({ inputs: money, outputs, changeIndexes: [], feeSatoshis: 10_000n }, (coin) =>
    keys.pair(coin.chain, coin.index),
  );
  await network.replace(txid, bytes);
  await network.mine();
  await paymentWhere(run, payment, ({ state }) => state === 'failed');
  expect((await run.modules.store.balance(wallet)).satoshis).toBe(0n);
});
