/** Tests the number of network requests about withheld transactions over time. */
import { P2PKH, PrivateKey, Transaction } from '@bsv/sdk';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { expect, test } from 'vitest';
import { writeAddress } from '../../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../../protocol/bitcoin/bytes.ts';
import {
  APP,
  appKey,
  appScript,
  called,
  output,
  signInput,
  transactionIn,
  UNLOCKING_BYTES,
} from '../../../../testkit/wallet/applications.ts';
import { setTime } from '../../../../testkit/wallet/clock.ts';
import { give, openWallet, PASSWORD, paymentWhere, stored } from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { hash160 } from '../../../keys/keys.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';
import { broadcastElsewhere, keeping, MINUTE_MS, network } from './testing-kept-rounds.ts';

const HOUR_MS = 3600_000;
/**
 * Number of withheld actions. The actions have no change, because change addresses for withheld actions are limited.
 */
const MANY = 60;

test('checks of withheld transactions become less frequent, finally once an hour', async () => {
  const { run, kept, asked, requestsIn } = await keeping();
  expect(asked).toEqual([]);
  const first = await requestsIn(HOUR_MS);
  expect(first).toBeGreaterThan(0);
  await requestsIn(HOUR_MS);
  const later = await requestsIn(HOUR_MS);
  expect(later).toBeGreaterThan(0);
  expect(later).toBeLessThan(first / 2);
  for (const { id } of kept) {
    const { broadcast, trouble } = (await stored(run)).payments.find((one) => one.id === id)!;
    expect(trouble).toBe('held');
    expect(broadcast.nextAt).toBeLessThanOrEqual(Date.now() + HOUR_MS);
  }
});

test('a blocked site’s withheld transactions cause no requests', async () => {
  const { run, requestsIn } = await keeping();
  await run.modules.sites.setBlock(wallet, APP, Number.MAX_SAFE_INTEGER);
  expect(await requestsIn(HOUR_MS)).toBe(0);
  await run.modules.sites.setBlock(wallet, APP, null);
  expect(await requestsIn(HOUR_MS)).toBeGreaterThan(0);
});

test('the wallet detects a withheld transaction that its application broadcasts itself', async () => {
  const { run, kept, requestsIn } = await keeping();
  const [payment] = kept;
  await broadcastElsewhere(payment?.signed?.rawtx ?? '');
  await requestsIn(2 * MINUTE_MS);
  await paymentWhere(run, payment?.id ?? '', ({ trouble, state }) => trouble === null && state === 'settled');
});

/** Spends the coin in a second wallet with the same recovery words. */
async function spendElsewhere(run: WorkerRun, outpoint: string): Promise<string> {
  const { words } = await run.modules.handlers.walletHandlers(wallet)['vault/show-words']({ password: PASSWORD });
  const { txid, vout, index } = (await stored(run)).coins.find((one) => one.outpoint === outpoint)!;
  const key = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive(`m/44'/236'/0'/0/${index}`);
  const privateKey = PrivateKey.fromHex(toHex(key.privateKey!));
  const hex = await fetch(`${network.url}/devnet/woc/v1/bsv/test/tx/${txid}/hex`);
  const spend = new Transaction();
  spend.addInput({
    sourceTransaction: Transaction.fromHex(await hex.text()),
    sourceOutputIndex: vout,
    unlockingScriptTemplate: new P2PKH().unlock(privateKey),
  });
  spend.addOutput({ satoshis: 900, lockingScript: new P2PKH().lock(Array.from({ length: 20 }, () => 7)) });
  await spend.sign();
  return spend.toHex();
}

test('60 withheld transactions cause at most 6 requests a minute, and the wallet detects each outcome', async () => {
  const { run, kept, requestsIn } = await keeping(MANY);
  expect(kept).toHaveLength(MANY);
  const minutes: number[] = [];
  for (let minute = 0; minute < 130; minute += 1) minutes.push(await requestsIn(MINUTE_MS));
  expect(Math.max(...minutes)).toBe(6);
  // The interval between rounds grows to an hour, and the actions may be due in two successive minutes.
  expect(minutes.slice(70).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(12);

  const [sent, lost] = [kept.at(-1)!, kept.at(7)!];
  await broadcastElsewhere(sent.signed!.rawtx);
  await broadcastElsewhere(await spendElsewhere(run, lost.signed!.inputs[0]!));
  await network.mine();
  for (let minute = 0; minute < 70; minute += 1) await requestsIn(MINUTE_MS);
  await paymentWhere(run, sent.id, ({ state, height }) => state === 'settled' && height !== null);
  await paymentWhere(run, lost.id, ({ state }) => state === 'failed');
  const others = (await stored(run)).payments.filter(({ trouble, state }) => trouble === 'held' && state === 'signed');
  expect(others).toHaveLength(MANY - 2);
}, 120_000);

test('checks of a rejected action that spends only its application’s money become less frequent', async () => {
  const run = await openWallet(network, [500_000]);
  await give(run, { origin: APP, currency: 'BSV', limit: 100_000n });
  const funding = await network.faucet(writeAddress(hash160(appKey(0).publicKey), 'devnet'), 5000);
  const index = `${network.url}/devnet/woc/v1/bsv/test/tx`;
  const hex = await (await fetch(`${index}/${funding}/hex`)).text();
  const vout = Transaction.fromHex(hex).outputs.findIndex(
    ({ lockingScript }) => lockingScript.toHex() === appScript(0),
  );
  network.faults = Array.from({ length: 10 }, () => 461 as const);
  const { signableTransaction } = await called(run, 'createAction', {
    description: 'move it',
    inputs: [{ outpoint: `${funding}.${vout}`, inputDescription: 'the thing', unlockingScriptLength: UNLOCKING_BYTES }],
    outputs: [output(1000, appScript(1))],
  });
  const { reference, tx } = signableTransaction!;
  const spends = { 0: { unlockingScript: signInput(transactionIn(tx), 0, 5000) } };
  const { txid } = await called(run, 'signAction', { reference, spends });
  const { id } = (await stored(run)).payments.find(({ signed }) => signed?.txid === txid)!;
  const { signed } = await paymentWhere(run, id, ({ trouble }) => trouble === 'refused');
  expect(signed?.inputs).toEqual([`${funding}:${vout}`]);
  network.faults = [];
  setTime(Date.now());
  const asked: string[] = [];
  network.before = (url) => void asked.push(url);
  const requestsIn = async (minutes: number) => {
    const before = asked.length;
    for (let minute = 0; minute < minutes; minute += 1) {
      setTime(Date.now() + MINUTE_MS);
      await run.modules.drive.processAll(wallet);
    }
    return asked.length - before;
  };
  await requestsIn(120);
  expect(await requestsIn(60)).toBeLessThanOrEqual(6);
  // The wallet detects the application's broadcast. Blocking the site instead would end the action (abandon.test.ts).
  await broadcastElsewhere(signed!.rawtx);
  await requestsIn(70);
  await paymentWhere(run, id, ({ trouble, state }) => trouble === null && state === 'settled');
});
