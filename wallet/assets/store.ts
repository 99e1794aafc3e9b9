/** The store of data about outputs with assets. */
import { database, type Reading, type WriteTransaction } from '../store/database.ts';
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

/** Deletes data that only the index reported, after the user has chosen a different index. */
export async function forgetIndexWord(wallet: Wallet): Promise<void> {
  const tx = (await database(wallet)).transaction('assets', 'readwrite');
  for (let cursor = await tx.store.openCursor(); cursor; cursor = await cursor.continue()) {
    const { outpoint, verdict, mint } = cursor.value;
    await cursor.update({
      outpoint,
      ...(verdict?.word === 'chain' && { verdict }),
      ...(mint?.word === 'chain' && { mint }),
    });
  }
  await tx.done;
}
