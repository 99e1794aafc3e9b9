/** The store of data about outputs with assets. */
import { baseOf } from '../chain/network.ts';
import { indexIn } from '../chain/ordinals-index.ts';
import { settingsIn, writeSettingsIn } from '../settings.ts';
import { database, keyedTransaction, type Reading, type WriteTransaction } from '../store/database.ts';
import type { AssetRecord } from './asset-record.ts';
import type { Wallet } from '../platform.ts';

/** Returns the stored data for an output, or undefined. */
export async function readAsset(wallet: Wallet, outpoint: string): Promise<AssetRecord | undefined> {
  return (await database(wallet)).get('assets', outpoint);
}

export const assetIn = (tx: Reading, outpoint: string): Promise<AssetRecord | undefined> =>
  tx.objectStore('assets').get(outpoint);

/** Replaces the stored data for an output, within a transaction. */
export async function putAsset(tx: WriteTransaction, asset: AssetRecord): Promise<void> {
  await tx.objectStore('assets').put(asset);
}

/** Returns the stored data for all outputs. */
export async function allAssets(wallet: Wallet): Promise<AssetRecord[]> {
  return (await database(wallet)).getAll('assets');
}

/** Merges new data about an output. */
export async function noteAsset(wallet: Wallet, change: AssetRecord): Promise<void> {
  const tx = (await database(wallet)).transaction('assets', 'readwrite');
  const known = await tx.store.get(change.outpoint);
  await Promise.all([tx.store.put({ ...known, ...change }), tx.done]);
}

/** Merges unverified data reported by an ordinals index, unless the user has chosen a different one since. */
export async function noteIndexWord(wallet: Wallet, index: string, change: AssetRecord): Promise<void> {
  const tx = await keyedTransaction(wallet, ['assets'], 'read');
  const assets = tx.objectStore('assets');
  if (indexIn(await settingsIn(wallet, tx)) === index)
    await assets.put({ ...(await assets.get(change.outpoint)), ...change });
  await tx.done;
}

/**
 * Stores the URL of the user's own ordinals index (null for the network's), and deletes data that only the previous
 * index reported.
 * @throws ServiceError `invalid-request` (not an API URL)
 */
export async function chooseOrdinalsIndex(wallet: Wallet, url: string | null): Promise<void> {
  const ordinalsUrl = baseOf(url);
  const tx = await keyedTransaction(wallet, ['assets'], 'write');
  await writeSettingsIn(wallet, tx, { ordinalsUrl });
  const assets = tx.objectStore('assets');
  for (let cursor = await assets.openCursor(); cursor; cursor = await cursor.continue()) {
    const { outpoint, verdict, mint } = cursor.value;
    await cursor.update({
      outpoint,
      ...(verdict?.word === 'chain' && { verdict }),
      ...(mint?.word === 'chain' && { mint }),
    });
  }
  await tx.done;
}
