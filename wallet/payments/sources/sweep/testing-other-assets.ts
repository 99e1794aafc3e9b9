import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { PrivateKey } from '@bsv/sdk';
import { beforeEach, expect, vi } from 'vitest';
import { addressScript } from '../../../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../../../protocol/assets/bsv21/inscription.ts';
import type { AssetsView, OtherWalletsView } from '../../../../protocol/messages/wallet-messages.ts';
import { Issuer, one } from '../../../../testkit/wallet/assets.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
import { PASSWORD, restoreWallet, stored } from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

export const YOURS = "m/44'/236'/1'/0/0";
export const RELAYX = "m/44'/236'/0'/2/0";
const BYTES = new TextEncoder().encode('a picture');

export const network = useNetwork();
let words: string;
beforeEach(() => {
  words = generateMnemonic(wordlist);
});

/** Derives the address at a path with independent libraries. */
export function addressOf(path: string, passphrase = ''): string {
  const { privateKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(words, passphrase)).derive(path);
  return new PrivateKey([...(privateKey as Uint8Array)]).toAddress('testnet').toString();
}

/** Restores a wallet from the test's recovery words, and pays it this amount. */
export async function restored(satoshis = 50_000): Promise<WorkerRun> {
  const workerRun = await restoreWallet(network, words);
  if (satoshis > 0) await network.faucet((await workerRun.modules.overview.overview(wallet)).receiveAddress, satoshis);
  await workerRun.modules.poll.refresh(wallet);
  return workerRun;
}

export const handlersOf = ({ modules }: WorkerRun) => modules.handlers.walletHandlers(wallet);
export const search = (workerRun: WorkerRun, passphrase = '') =>
  handlersOf(workerRun)['other-wallets/search']({ password: PASSWORD, passphrase });
export const balance = async ({ modules }: WorkerRun) => (await modules.store.balance(wallet)).satoshis;

export function move(
  workerRun: WorkerRun,
  { assets, assetsFeeSatoshis }: OtherWalletsView,
  passphrase = '',
): Promise<{ txid: string }> {
  return handlersOf(workerRun)['other-wallets/move-assets']({
    password: PASSWORD,
    passphrase,
    outpoints: assets.map(({ outpoint }) => outpoint),
    feeSatoshis: assetsFeeSatoshis ?? '0',
  });
}

export const settled = (workerRun: WorkerRun) =>
  vi.waitFor(async () => expect((await stored(workerRun)).payments).toMatchObject([{ state: 'settled' }]));

export async function held(workerRun: WorkerRun): Promise<AssetsView> {
  await handlersOf(workerRun)['assets/refresh']({});
  return handlersOf(workerRun)['assets/list']({});
}

/** Creates 700 token units at one of the Yours wallet's paths, and an ordinal at one of RelayX's paths. */
export async function given(): Promise<{ id: string }> {
  const issuer = new Issuer(network);
  const { id, coin } = await issuer.mint(1000n);
  await issuer.make([coin], [issuer.holds(id, 700n, addressOf(YOURS)), issuer.holds(id, 300n)]);
  const lock = addressScript(addressOf(RELAYX), 'devnet');
  await issuer.make([], [one(writeInscription('text/plain', BYTES, lock))]);
  return { id };
}
