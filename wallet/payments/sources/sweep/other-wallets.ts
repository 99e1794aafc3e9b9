/**
 * Moves money from other wallets with the same recovery words to this wallet, after the user has reviewed it. The
 * transaction is signed before anything is stored, and stored with its source coins in one database transaction.
 */
import { fromHex } from '../../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { normalizedTxidOf } from '../../../../protocol/bitcoin/transaction.ts';
import type { OtherWalletsView, WalletParams } from '../../../../protocol/messages/wallet-messages.ts';
import { OtherAssetSearch, type OtherAssets } from '../../../assets/other-assets.ts';
import { finalFeeRate } from '../../../chain/network.ts';
import type { Address } from '../../../coins/addresses/address.ts';
import { isUsedSince } from '../../../coins/addresses/records.ts';
import { inTransaction } from '../../../store/database.ts';
import { announceChange } from '../../../events.ts';
import { findOtherCoins, type OtherCoin, type OtherCoins } from '../../../scan/history/other-wallets.ts';
import { readSettings } from '../../../settings.ts';
import { planTransaction, type Plan } from '../../../transaction/plan.ts';
import { signTransaction } from '../../../transaction/sign.ts';
import { chainsFor, withOtherKeys, type OtherKeys } from '../../../vault/other-paths.ts';
import type { SignedDraft } from '../../plan/sign.ts';
import { changeAddresses } from '../../plan/change-addresses.ts';
import { draftAssets, movedTogether, signAssets, storeAssets } from './other-assets.ts';
import { processPayment } from '../../runner/runner.ts';
import { storeSigned } from '../../plan/store-signed.ts';
import { isSpentByWallet, noteReceived } from './sweep.ts';
import { startPayment, ownPayment } from '../../start.ts';
import type { Wallet } from '../../../platform.ts';

const MAX_TRIES = 20;

/**
 * Searches other wallets' derivation paths.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests`, `network-unavailable`, `too-large`
 */
export async function searchOtherWallets(
  wallet: Wallet,
  { password, passphrase }: WalletParams<'other-wallets/search'>,
): Promise<OtherWalletsView> {
  const { coins, left, apart, assets } = await withOtherKeys(wallet, password, passphrase, (keys) =>
    findAll(wallet, keys, passphrase),
  );
  const together = movedTogether(assets.movable);
  return {
    searched: chainsFor(passphrase),
    found: coins.map(({ outpoint, path, index, wallets, address, satoshis }) => ({
      outpoint,
      path: `${path}/${index}`,
      wallets,
      address,
      satoshis: satoshis.toString(),
    })),
    left,
    feeSatoshis: coins.length === 0 ? null : await feeOf(() => draft(wallet, coins)),
    assets: together.map(({ outpoint, path, index, wallets, address, asset, word }) => ({
      outpoint,
      path: `${path}/${index}`,
      wallets,
      address,
      asset,
      word,
    })),
    assetsLeft: assets.movable.length - together.length,
    assetsFeeSatoshis: together.length === 0 ? null : await feeOf(() => draftAssets(wallet, together)),
    ...(!assets.isWhole && { assetsUnknown: true }),
    tokens: new Set([...apart, ...assets.listed]).size - assets.movable.length,
  };
}

async function findAll(
  wallet: Wallet,
  keys: OtherKeys,
  passphrase: string,
): Promise<OtherCoins & { assets: OtherAssets }> {
  const search = new OtherAssetSearch(wallet);
  const found = await findOtherCoins(wallet, keys, passphrase, (places) => search.look(places));
  return { ...found, assets: await search.read() };
}

/** Returns a draft's network fee, in satoshis, or null if there isn't enough money for it. */
async function feeOf(drafted: () => Promise<{ plan: Pick<Plan, 'feeSatoshis'> }>): Promise<string | null> {
  try {
    return (await drafted()).plan.feeSatoshis.toString();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'insufficient-funds') return null;
    throw error;
  }
}

/**
 * Moves the coins that the user has reviewed.
 * @throws ServiceError `not-paid` (one of the coins is gone), `fee-changed`, `insufficient-funds`, `busy` (the change
 * address was taken during each of 20 tries), and those of {@link searchOtherWallets}
 */
export async function moveOtherCoins(
  wallet: Wallet,
  { password, passphrase, outpoints, feeSatoshis }: WalletParams<'other-wallets/move'>,
): Promise<{ txid: string }> {
  return withOtherKeys(wallet, password, passphrase, async (keys) => {
    const { coins: found } = await findOtherCoins(wallet, keys, passphrase);
    const coins = found.filter(({ outpoint }) => outpoints.includes(outpoint));
    if (coins.length === 0 || coins.length !== new Set(outpoints).size) throw new ServiceError('not-paid');
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { plan, to } = await draft(wallet, coins);
      if (plan.feeSatoshis > BigInt(feeSatoshis)) throw new ServiceError('fee-changed');
      const signed = sign(plan, keys);
      const id = await store(wallet, plan, to, signed);
      if (id !== null) return sent(wallet, id, signed);
    }
    throw new ServiceError('busy');
  });
}

/**
 * Moves the tokens and ordinals that the user has reviewed.
 * @throws ServiceError `wallet-locked`, and those of {@link moveOtherCoins}
 */
export async function moveOtherAssets(
  wallet: Wallet,
  { password, passphrase, outpoints, feeSatoshis }: WalletParams<'other-wallets/move-assets'>,
): Promise<{ txid: string }> {
  return withOtherKeys(wallet, password, passphrase, async (keys) => {
    const { assets: found } = await findAll(wallet, keys, passphrase);
    const assets = movedTogether(found.movable.filter(({ outpoint }) => outpoints.includes(outpoint)));
    if (assets.length === 0 || assets.length !== new Set(outpoints).size) throw new ServiceError('not-paid');
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const drafted = await draftAssets(wallet, assets);
      if (drafted.plan.feeSatoshis > BigInt(feeSatoshis)) throw new ServiceError('fee-changed');
      const signed = await signAssets(wallet, drafted, keys);
      const id = await storeAssets(wallet, drafted, signed);
      if (id !== null) return sent(wallet, id, signed);
    }
    throw new ServiceError('busy');
  });
}

function sent(wallet: Wallet, id: string, { txid }: SignedDraft): { txid: string } {
  announceChange(wallet);
  void processPayment(wallet, id);
  return { txid };
}

async function draft(
  wallet: Wallet,
  coins: readonly OtherCoin[],
): Promise<{ plan: Plan<OtherCoin>; to: readonly Address[] }> {
  const rate = await finalFeeRate(wallet);
  const { addresses: to } = await changeAddresses(wallet, 1, null, []);
  const changeScripts = to.map(({ script }) => fromHex(script));
  const plan = planTransaction({ outputs: [], inputs: [...coins], changeScripts, rate, preserveOrder: false });
  if (plan.changeIndexes.length === 0) throw new ServiceError('insufficient-funds');
  return { plan, to };
}

function sign(plan: Plan<OtherCoin>, keys: OtherKeys): SignedDraft {
  const signed = signTransaction(plan, ({ path, index }) => keys.pair(path, index));
  return { ...signed, normalizedTxid: normalizedTxidOf(signed.transaction), inputProof: '', serviceProof: null };
}

/** Stores the signed move. @returns the payment's ID, or null if an address was used since planning */
async function store(
  wallet: Wallet,
  plan: Plan<OtherCoin>,
  to: readonly Address[],
  signed: SignedDraft,
): Promise<string | null> {
  const { network } = await readSettings(wallet);
  const record = ownPayment(wallet, 'sweep', { sweep: true });
  return inTransaction(wallet, async (tx) => {
    if (await isUsedSince(tx, to)) return null;
    for (const { outpoint } of plan.inputs) if (await isSpentByWallet(tx, outpoint)) throw new ServiceError('not-paid');
    const parts = await storeSigned(wallet, tx, record, { plan }, signed);
    await startPayment(wallet, tx, record, { signed: parts });
    for (const txid of new Set(plan.inputs.map((coin) => coin.txid))) {
      const some = plan.inputs.filter((coin) => coin.txid === txid);
      await noteReceived(wallet, tx, some, { txid, spends: some[0]?.spends ?? [], block: null }, network);
    }
    return record.id;
  });
}
