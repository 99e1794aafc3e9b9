/**
 * The header store, accessed only by this folder. Functions that take a transaction run within it; `readTransaction`
 * (wallet/store/database.ts) begins a read-only one.
 */
import { database, readTransaction, type Reading } from '../../store/database.ts';
import type { Header } from './header.ts';
import type { Wallet } from '../../platform.ts';

/** Maximum number of blocks that a reorganization can replace. */
export const DEEPEST_REORG = 100;

const byHeight = (tx: Reading) => tx.objectStore('headers').index('height');

export async function heldHeader(wallet: Wallet, hash: string): Promise<Header | undefined> {
  return readTransaction(await database(wallet))
    .objectStore('headers')
    .get(hash);
}

/** True if the followed chain still contains a block, given its hash. */
export const isInChain = async (tx: Reading, hash: string): Promise<boolean> =>
  (await tx.objectStore('headers').getKey(hash)) !== undefined;

export async function heldAt(wallet: Wallet, height: number): Promise<Header | undefined> {
  return headerAt(readTransaction(await database(wallet)), height);
}

/** Same as {@link heldAt}, within a transaction. */
export const headerAt = (tx: Reading, height: number): Promise<Header | undefined> => byHeight(tx).get(height);

/** Returns the tip of the followed chain, or undefined if no header is stored yet. */
export async function heldTip(wallet: Wallet): Promise<Header | undefined> {
  return tipIn(readTransaction(await database(wallet)));
}

/** Same as {@link heldTip}, within a transaction. */
export const tipIn = async (tx: Reading): Promise<Header | undefined> => (await lastHeaders(tx, 1))[0];

/** Returns the height of the highest block that no reorganization can replace; negative if there is none. */
export const finalHeight = async (tx: Reading): Promise<number> => ((await tipIn(tx))?.height ?? 0) - DEEPEST_REORG;

/** Returns up to `most` of the highest headers of the followed chain, highest first. */
export async function lastHeaders(tx: Reading, most: number): Promise<Header[]> {
  const last: Header[] = [];
  let cursor = await byHeight(tx).openCursor(null, 'prev');
  while (cursor) {
    last.push(cursor.value);
    cursor = last.length < most ? await cursor.continue() : null;
  }
  return last;
}

/** Returns the stored header at a height, or the nearest one above it. If all are lower, returns the highest. */
export async function headerNear(wallet: Wallet, tx: Reading, height: number): Promise<Header | undefined> {
  return (await byHeight(tx).openCursor(wallet.keyRange.lowerBound(height)))?.value ?? tipIn(tx);
}

/** Returns all stored headers from a height upwards, lowest first. */
export async function heldFrom(wallet: Wallet, height: number): Promise<Header[]> {
  return byHeight(readTransaction(await database(wallet))).getAll(wallet.keyRange.lowerBound(height));
}

/** Deletes all headers, within a transaction. */
export const forgetHeaders = (tx: { objectStore(name: 'headers'): { clear(): Promise<void> } }): Promise<void> =>
  tx.objectStore('headers').clear();
