/** Tests that an asset gets one token, even if another browser with the same recovery words has minted it. */
import { expect, test } from 'vitest';
import {
  approvalOf,
  ask,
  give,
  PASSWORD,
  pay,
  restoreWallet,
  someone,
  stored,
  wordsOf,
} from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';
import { agree, ASSET, ID, mint, network, owner, viewOf } from './testing-mint.ts';

async function elsewhere(words: string): Promise<WorkerRun> {
  const run = await restoreWallet(network, words);
  await run.modules.client.registerAccount(wallet, 'alice', 'Alice');
  await run.modules.poll.refresh(wallet, { all: true });
  return run;
}

test('a restored wallet finds its earlier token even if the mint spent more than twenty coins', async () => {
  network.policy = { satoshis: 1, bytes: 1 };
  const first = await owner(
    {},
    Array.from({ length: 40 }, () => 155),
  );
  network.refuseReports = 'not-accepted';
  const answer = mint(first);
  await agree(first);
  const tokenId = await answer;
  expect(tokenId).toMatch(/_0$/);
  const { payments } = await stored(first);
  expect(payments[0]!.signed!.inputs.length).toBeGreaterThan(20);
  await network.mine();
  const words = await wordsOf(first);
  first.end();
  const run = await elsewhere(words);
  const { receiveAddress } = await run.modules.overview.overview(wallet);
  await network.faucet(receiveAddress, 100_000);
  await run.modules.poll.refresh(wallet, { all: true });
  network.refuseReports = null;
  network.assets.set(ID, ASSET);
  void mint(run);
  expect(await viewOf(run, await approvalOf(run))).toMatchObject({ earlier: tokenId });
});

test('the browser in which a wallet was created finds a token that another browser with the same words minted', async () => {
  const first = await owner();
  const words = await wordsOf(first);
  const { profile } = first;
  const second = await elsewhere(words);
  network.assets.set(ID, ASSET);
  network.refuseReports = 'not-accepted';
  const answer = mint(second);
  await agree(second);
  const tokenId = await answer;
  expect(tokenId).toMatch(/_0$/);
  await network.mine();
  second.end();
  const run = await profile.start();
  await run.modules.handlers
    .walletHandlers(wallet)
    ['vault/unlock']({ password: PASSWORD })
    .catch(() => undefined);
  await run.modules.poll.refresh(wallet, { all: true });
  network.refuseReports = null;
  network.assets.set(ID, ASSET);
  void mint(run);
  expect(await viewOf(run, await approvalOf(run))).toMatchObject({ earlier: tokenId });
});

test('a wallet that is still being restored mints nothing before it has searched for its earlier token', async () => {
  const first = await owner();
  await give(first, { currency: 'BSV', limit: 1_000_000n });
  const chain = async () =>
    (await stored(first)).coins
      .filter(({ chain: of }) => of === 'change')
      .reduce((most, { index }) => Math.max(most, index), 0);
  for (let i = 0; i < 40 && (await chain()) < 25; i += 1)
    expect(await ask(first, `request-${i}`, pay(someone(), 500), { automatic: true })).toMatchObject({
      status: 'RECEIVED',
    });
  expect(await chain()).toBeGreaterThanOrEqual(25);
  network.refuseReports = 'not-accepted';
  const answer = mint(first);
  await agree(first);
  const tokenId = await answer;
  expect(tokenId).toMatch(/_0$/);
  await network.mine();
  const words = await wordsOf(first);
  first.end();
  const run = await restoreWallet(network, words);
  await run.modules.client.registerAccount(wallet, 'alice', 'Alice');
  network.refuseReports = null;
  network.assets.set(ID, ASSET);
  const again = mint(run); // before the first refresh
  const shown = await Promise.race([again, approvalOf(run).then((id) => viewOf(run, id))]);
  if (typeof shown !== 'string') expect(shown).toMatchObject({ earlier: tokenId });
});
