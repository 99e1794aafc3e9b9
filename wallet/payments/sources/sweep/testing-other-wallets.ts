import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { PrivateKey } from '@bsv/sdk';
import { expect, vi } from 'vitest';
import { useNetwork } from '../../../../testkit/network/network.ts';
import { keepUnlocked, PASSWORD, stored } from '../../../../testkit/wallet/wallet.ts';
import { Profile, type WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

const WORDS = 'remind subject simple name truck symbol inject eager erase million puzzle scout';
// Addresses derived from `WORDS`: two at other wallets' paths, and one of this wallet's own.
export const MONEY_BUTTON = { path: "m/44'/0'/0'/0/0", address: 'mpkVwAP2QZvchnpCKyhVCWG8BHGEKvtjb5' };
export const YOURS = { path: "m/44'/236'/1'/0/0", address: 'muLHNV1SS4GoPSd1wLMPLdrsaSGquxj97W' };
export const OWN = 'n2gGdGwQDBXNuaCTHA3C7Dde2Jrc5cZ9yS';

export const network = useNetwork();

/** Derives the address at a path with independent libraries. */
export function addressOf(path: string, passphrase = ''): string {
  const { privateKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS, passphrase)).derive(path);
  return new PrivateKey([...(privateKey as Uint8Array)]).toAddress('testnet').toString();
}

export async function restored(): Promise<WorkerRun> {
  const workerRun = await new Profile(network.url).start();
  await keepUnlocked(workerRun);
  await workerRun.modules.vault.createVault(wallet, WORDS, PASSWORD, true);
  return workerRun;
}

export const handlersOf = ({ modules }: WorkerRun) => modules.handlers.walletHandlers(wallet);
export const search = (workerRun: WorkerRun, passphrase = '') =>
  handlersOf(workerRun)['other-wallets/search']({ password: PASSWORD, passphrase });
export const balance = async ({ modules }: WorkerRun) => (await modules.store.balance(wallet)).satoshis;

export async function moveAll(workerRun: WorkerRun, passphrase = ''): Promise<string> {
  const { found, feeSatoshis } = await search(workerRun, passphrase);
  const { txid } = await handlersOf(workerRun)['other-wallets/move']({
    password: PASSWORD,
    passphrase,
    outpoints: found.map(({ outpoint }) => outpoint),
    feeSatoshis: feeSatoshis ?? '0',
  });
  return txid;
}

/** Waits until the only payment is settled. */
export const settled = (workerRun: WorkerRun) =>
  vi.waitFor(async () => expect((await stored(workerRun)).payments).toMatchObject([{ state: 'settled' }]));

/** Moves another wallet's money while the worker crashes at the given crash point. */
export async function moveThroughDeath(crashPoint: string): Promise<void> {
  await network.faucet(MONEY_BUTTON.address, 50_000);
  const before = await restored();
  const { found, feeSatoshis } = await search(before);
  before.dieAt(crashPoint);
  await before.untilDeath(async () => {
    await moveAll(before);
    await settled(before);
  });
  expect(before.dead).toBe(true);
  const workerRun = await before.profile.start();
  await workerRun.modules.drive.processAll(wallet);
  if ((await stored(workerRun)).payments.length === 0) await moveAll(workerRun);
  await settled(workerRun);
  expect(found).toHaveLength(1);
  expect(await balance(workerRun)).toBe(50_000n - BigInt(feeSatoshis ?? 0));
}
