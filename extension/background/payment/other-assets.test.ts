/** Tokens and ordinals at other wallets' paths. */
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { PrivateKey } from '@bsv/sdk';
import { beforeEach, expect, test, vi } from 'vitest';
import { addressScript } from '../../../protocol/address.ts';
import { writeInscription } from '../../../protocol/bsv21/inscription.ts';
import type { AssetsView, OtherWalletsView } from '../../../protocol/wallet-messages.ts';
import { Issuer, one } from '../testing/assets.ts';
import { useNetwork } from '../testing/network.ts';
import { PASSWORD, sealQuickly, stored } from '../testing/wallet.ts';
import { Profile, type WorkerRun } from '../testing/worker-run.ts';

const YOURS = "m/44'/236'/1'/0/0";
const RELAYX = "m/44'/236'/0'/2/0";
const BYTES = new TextEncoder().encode('a picture');

const network = useNetwork();
let words: string;
beforeEach(() => {
  words = generateMnemonic(wordlist);
});

/** The address of a path by foreign libraries. */
function addressOf(path: string, passphrase = ''): string {
  const { privateKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(words, passphrase)).derive(path);
  return new PrivateKey([...(privateKey as Uint8Array)]).toAddress('testnet').toString();
}

/** A wallet that was restored from these words, with this much money. */
async function restored(satoshis = 50_000): Promise<WorkerRun> {
  sealQuickly();
  const workerRun = await new Profile(network.url).start();
  await workerRun.modules.vault.createVault(words, PASSWORD, true);
  if (satoshis > 0) await network.faucet((await workerRun.modules.overview.overview()).receiveAddress, satoshis);
  await workerRun.modules.poll.refresh();
  return workerRun;
}

const handlersOf = ({ modules }: WorkerRun) => modules.handlers.walletHandlers;
const search = (workerRun: WorkerRun, passphrase = '') =>
  handlersOf(workerRun)['other-wallets/search']({ password: PASSWORD, passphrase });
const balance = async ({ modules }: WorkerRun) => (await modules.store.balance()).satoshis;

function move(
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

const settled = (workerRun: WorkerRun) =>
  vi.waitFor(async () => expect((await stored(workerRun)).payments).toMatchObject([{ state: 'settled' }]), {
    timeout: 10_000,
  });

async function held(workerRun: WorkerRun): Promise<AssetsView> {
  await handlersOf(workerRun)['assets/refresh']({});
  return handlersOf(workerRun)['assets/list']({});
}

/** 700 of a token at the path of Yours, an ordinal at that of RelayX. */
async function given(): Promise<{ id: string }> {
  const issuer = new Issuer(network);
  const { id, coin } = await issuer.mint(1000n);
  await issuer.make([coin], [issuer.holds(id, 700n, addressOf(YOURS)), issuer.holds(id, 300n)]);
  const lock = addressScript(addressOf(RELAYX), 'devnet');
  await issuer.make([], [one(writeInscription('text/plain', BYTES, lock))]);
  return { id };
}

test('shows tokens and ordinals at the paths of other wallets and moves them here', async () => {
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

test.each(['before writing', 'after writing', 'before POST /devnet/arc/v1/tx', 'after POST /devnet/arc/v1/tx'])(
  'loses no asset and moves it once if the worker is stopped %s',
  async (crashPoint) => {
    const { id } = await given();
    const before = await restored();
    const found = await search(before);
    before.dieAt(crashPoint.endsWith('writing') ? moneyTransaction(crashPoint) : crashPoint);
    await before.untilDeath(async () => {
      await move(before, found);
      await settled(before);
    });
    expect(before.dead).toBe(true);
    const workerRun = await before.profile.start();
    await handlersOf(workerRun)
      ['vault/unlock']({ password: PASSWORD })
      .catch(() => undefined);
    await workerRun.modules.drive.processAll();
    if ((await stored(workerRun)).payments.length === 0) await move(workerRun, await search(workerRun));
    await settled(workerRun);
    expect(await held(workerRun)).toMatchObject({ tokens: [{ id, amount: '700' }], ordinals: [{}] });
    expect(await search(workerRun)).toMatchObject({ assets: [], tokens: 0 });
  },
);

/** The name of the crash point of the transaction that changes money. */
const moneyTransaction = (when: string) =>
  `${when} requests+payments+receipts+operations+history+coins+totals+addresses+assets+headers+allowances+prompts+sites+permissions+manifests+paymails+appOutputs+appActions+appLog+searchPages+lightPayments`;

test('a forged token is not offered, and takes no real one with it', async () => {
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

test('offers assets although strangers have sent many forged tokens since', async () => {
  const { id } = await given();
  await network.mine();
  const issuer = new Issuer(network);
  const forged = issuer.holds(id, 5n, addressOf("m/44'/0'/0'/0/0"));
  await issuer.make([], Array(60).fill(forged));
  const found = await search(await restored());
  expect(found.assets.map(({ path }) => path)).toEqual([YOURS, RELAYX]);
});

test('finds assets behind a passphrase, whose fee this wallet pays with its own keys', async () => {
  const issuer = new Issuer(network);
  const { id, coin } = await issuer.mint(10n);
  await issuer.make([coin], [issuer.holds(id, 10n, addressOf("m/44'/236'/0'/0/3", '2580'))]);
  const workerRun = await restored();
  expect((await search(workerRun)).assets).toEqual([]);
  const found = await search(workerRun, '2580');
  expect(found.assets).toMatchObject([{ path: "m/44'/236'/0'/0/3", asset: { id, units: '10' } }]);
  await move(workerRun, found, '2580');
  await settled(workerRun);
  expect(await held(workerRun)).toMatchObject({ tokens: [{ id, amount: '10' }] });
});

test('moves no asset that the user has not reviewed, and none for a higher fee', async () => {
  await given();
  const workerRun = await restored();
  const found = await search(workerRun);
  await expect(move(workerRun, { ...found, assetsFeeSatoshis: '1' })).rejects.toMatchObject({ code: 'fee-changed' });
  const unknown = { ...(found.assets[0] as OtherWalletsView['assets'][number]), outpoint: `${'ab'.repeat(32)}:0` };
  await expect(move(workerRun, { ...found, assets: [unknown] })).rejects.toMatchObject({ code: 'not-paid' });
  await workerRun.modules.vault.lock();
  await expect(move(workerRun, found)).rejects.toMatchObject({ code: 'wallet-locked' });
  expect((await stored(workerRun)).payments).toEqual([]);
});

test('names no fee if the wallet has no money for it', async () => {
  await given();
  const found = await search(await restored(0));
  expect(found.assets).toHaveLength(2);
  expect(found.assetsFeeSatoshis).toBeNull();
});

test('finds money, and warns that assets may be missing, if the index of ordinals is unreachable', async () => {
  await given();
  await network.faucet(addressOf("m/44'/0'/0'/0/0"), 20_000);
  const workerRun = await restored();
  network.down.add('service');
  const found = await search(workerRun);
  expect(found).toMatchObject({ found: [{ satoshis: '20000' }], assets: [], assetsUnknown: true });
});

test('searches all other addresses, and warns that assets may be missing, if the index fails at one', async () => {
  await given();
  const workerRun = await restored();
  network.before = (url) => {
    if (url.includes('/ordinals/') && url.includes(addressOf(YOURS))) throw new Error('as the test wants');
  };
  const found = await search(workerRun);
  expect(found).toMatchObject({ assets: [{ path: RELAYX }], assetsUnknown: true });
});
