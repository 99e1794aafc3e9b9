/** Tests tokens that the network lists again after it dropped the transaction that spent them. */
import { expect, test } from 'vitest';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { Issuer } from '../../testkit/wallet/assets.ts';
import { openWallet, restoreWallet, someone, stored, wordsOf } from '../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import { spendingKeys } from '../keys/keys.ts';
import { seedOf } from '../keys/mnemonic.ts';
import { signTransaction } from '../transaction/sign.ts';
import { network, handlersOf, addressOf, held } from './testing-assets.ts';

const amounts = async (run: WorkerRun) => (await held(run)).tokens.map(({ id, amount }) => [id, amount]);

/** Opens a wallet that holds 500 units of a token. */
async function withToken() {
  const run = await openWallet(network, [100_000]);
  const issuer = new Issuer(network);
  const { id, coin } = await issuer.mint(500n);
  await issuer.make([coin], [issuer.holds(id, 500n, await addressOf(run))]);
  await network.mine();
  await run.modules.poll.refresh(wallet);
  expect(await amounts(run)).toEqual([[id, '500']]);
  const words = await wordsOf(run);
  return { run, id, words };
}

/** Opens the wallet with the same words in another browser. */
async function elsewhere(words: string): Promise<WorkerRun> {
  const run = await restoreWallet(network, words);
  await run.modules.poll.refresh(wallet, { all: true });
  return run;
}

async function sendAll(run: WorkerRun, token: string): Promise<void> {
  const to = someone();
  const { feeSatoshis } = await handlersOf(run)['assets/quote']({ asset: { token, amount: '500' }, to });
  const asset = { token, units: '500' };
  await handlersOf(run)['assets/send']({ requestId: crypto.randomUUID(), asset, to, feeSatoshis: feeSatoshis! });
}

/** Replaces a browser's transfer with a transaction that spends only the money for the fee. */
async function replaceTransfer(run: WorkerRun, words: string): Promise<void> {
  const { payments, coins } = await stored(run);
  const { txid, inputs } = payments[0]!.signed!;
  const money = coins.filter(({ outpoint, satoshis }) => inputs.includes(outpoint) && satoshis > 1n);
  const keys = spendingKeys(await seedOf(words));
  const outputs = [{ satoshis: money[0]!.satoshis - 1000n, lockingScript: p2pkhScript(new Uint8Array(20)) }];
  const { bytes } = signTransaction({ inputs: money, outputs, changeIndexes: [], feeSatoshis: 1000n }, (coin) =>
    keys.pair(coin.chain, coin.index),
  );
  await network.replace(txid, bytes);
  await network.mine();
}

test('a token that another browser sent is listed again once that transfer was replaced', async () => {
  const { run: first, id, words } = await withToken();
  const sender = await elsewhere(words);
  expect(await amounts(sender)).toEqual([[id, '500']]);
  await sendAll(sender, id);
  const during = await first.profile.start();
  expect(await amounts(during)).toEqual([]);
  await replaceTransfer(await sender.profile.start(), words);
  const after = await first.profile.start();
  await after.modules.poll.refresh(wallet);
  expect(await amounts(after)).toEqual([[id, '500']]);
});

test('a wallet restored during a transfer lists the token once that transfer was replaced', async () => {
  const { run: sender, id, words } = await withToken();
  await sendAll(sender, id);
  const restored = await elsewhere(words);
  await restored.modules.poll.refresh(wallet, { all: true });
  expect(await amounts(restored)).toEqual([]);
  await replaceTransfer(await sender.profile.start(), words);
  const after = await restored.profile.start();
  await after.modules.poll.refresh(wallet, { all: true });
  expect(await amounts(after)).toEqual([[id, '500']]);
});
