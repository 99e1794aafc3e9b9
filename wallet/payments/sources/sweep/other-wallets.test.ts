import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { PrivateKey } from '@bsv/sdk';
import { expect, test, vi } from 'vitest';
import { useNetwork } from '../../../../testkit/network/network.ts';
import { PASSWORD, sealQuickly, stored } from '../../../../testkit/wallet/wallet.ts';
import { Profile, type WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

const WORDS = 'remind subject simple name truck symbol inject eager erase million puzzle scout';
// cases/payers/other-wallets.json
const MONEY_BUTTON = { path: "m/44'/0'/0'/0/0", address: 'mpkVwAP2QZvchnpCKyhVCWG8BHGEKvtjb5' };
const YOURS = { path: "m/44'/236'/1'/0/0", address: 'muLHNV1SS4GoPSd1wLMPLdrsaSGquxj97W' };
const OWN = 'n2gGdGwQDBXNuaCTHA3C7Dde2Jrc5cZ9yS';

const network = useNetwork();

/** The address of a path by foreign libraries. */
function addressOf(path: string, passphrase = ''): string {
  const { privateKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS, passphrase)).derive(path);
  return new PrivateKey([...(privateKey as Uint8Array)]).toAddress('testnet').toString();
}

async function restored(): Promise<WorkerRun> {
  sealQuickly();
  const workerRun = await new Profile(network.url).start();
  await workerRun.modules.vault.createVault(wallet, WORDS, PASSWORD, true);
  return workerRun;
}

const handlersOf = ({ modules }: WorkerRun) => modules.handlers.walletHandlers(wallet);
const search = (workerRun: WorkerRun, passphrase = '') =>
  handlersOf(workerRun)['other-wallets/search']({ password: PASSWORD, passphrase });
const balance = async ({ modules }: WorkerRun) => (await modules.store.balance(wallet)).satoshis;

async function moveAll(workerRun: WorkerRun, passphrase = ''): Promise<string> {
  const { found, feeSatoshis } = await search(workerRun, passphrase);
  const { txid } = await handlersOf(workerRun)['other-wallets/move']({
    password: PASSWORD,
    passphrase,
    outpoints: found.map(({ outpoint }) => outpoint),
    feeSatoshis: feeSatoshis ?? '0',
  });
  return txid;
}

/** Waits until the network has the one payment. */
const settled = (workerRun: WorkerRun) =>
  vi.waitFor(async () => expect((await stored(workerRun)).payments).toMatchObject([{ state: 'settled' }]), {
    timeout: 10_000,
  });

test('finds money at the paths of other wallets and moves it here once', async () => {
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

test('counts coins that may carry tokens, and leaves them where they are', async () => {
  await network.faucet(MONEY_BUTTON.address, 50_000);
  await network.faucet(YOURS.address, 1);
  const workerRun = await restored();
  expect(await search(workerRun)).toMatchObject({ found: [{ path: MONEY_BUTTON.path }], left: 0, tokens: 1 });
  await moveAll(workerRun);
  await settled(workerRun);
  expect(await search(workerRun)).toMatchObject({ found: [], tokens: 1, feeSatoshis: null });
  expect(await network.unspent(YOURS.address)).toHaveLength(1);
});

test('finds money of Centbee, whose PIN is the passphrase', async () => {
  const address = addressOf("m/44'/0/1/2", '1357');
  await network.faucet(address, 40_000);
  const workerRun = await restored();
  expect((await search(workerRun, '1357')).found).toMatchObject([{ path: "m/44'/0/1/2", address, wallets: 'Centbee' }]);
});

test('finds money behind a passphrase only with that passphrase', async () => {
  const address = addressOf("m/44'/236'/0'/0/3", '2580');
  await network.faucet(address, 40_000);
  const workerRun = await restored();
  expect((await search(workerRun)).found).toEqual([]);
  expect((await search(workerRun, '2580')).found).toMatchObject([{ path: "m/44'/236'/0'/0/3", address, wallets: '' }]);
  await moveAll(workerRun, '2580');
  await settled(workerRun);
  expect(await network.unspent(address)).toEqual([]);
});

test('moves nothing that the user has not reviewed, and nothing for a higher fee', async () => {
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

test.each(['before writing', 'after writing', 'before POST /devnet/arc/v1/tx', 'after POST /devnet/arc/v1/tx'])(
  'moves them once if the worker is stopped %s',
  async (crashPoint) => {
    await network.faucet(MONEY_BUTTON.address, 50_000);
    const before = await restored();
    const { found, feeSatoshis } = await search(before);
    before.dieAt(crashPoint.endsWith('writing') ? moneyTransaction(crashPoint) : crashPoint);
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
  },
);

/** The name of the crash point of the transaction that changes money. */
const moneyTransaction = (when: string) =>
  `${when} requests+payments+receipts+operations+history+coins+totals+addresses+assets+headers+allowances+prompts+sites+permissions+manifests+paymails+appOutputs+appActions+appLog+searchPages+lightPayments`;

test('leaves coins that this wallet finds itself, and requires the password', async () => {
  await network.faucet(OWN, 60_000);
  const workerRun = await restored();
  expect(await search(workerRun)).toMatchObject({ found: [], left: 0, feeSatoshis: null });
  await expect(
    handlersOf(workerRun)['other-wallets/search']({ password: 'not the password', passphrase: '' }),
  ).rejects.toMatchObject({ code: 'wrong-password' });
});
