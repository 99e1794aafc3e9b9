/** What was found out about outputs that carry something, as stored. */
import { database } from '../database.ts';
import type { AssetRecord } from './asset-record.ts';

/** Of one output, or undefined. */
export async function readAsset(outpoint: string): Promise<AssetRecord | undefined> {
  return (await database()).get('assets', outpoint);
}

/** Of all outputs that anything is known of. */
export async function allAssets(): Promise<AssetRecord[]> {
  return (await database()).getAll('assets');
}

/** Adds what is new to what was known of it. */
export async function noteAsset(change: AssetRecord): Promise<void> {
  const tx = (await database()).transaction('assets', 'readwrite');
  const known = await tx.store.get(change.outpoint);
  await Promise.all([tx.store.put({ ...known, ...change }), tx.done]);
}

/** Forgets what the index alone has said: another one is asked from now on. */
export async function forgetIndexWord(): Promise<void> {
  const tx = (await database()).transaction('assets', 'readwrite');
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
