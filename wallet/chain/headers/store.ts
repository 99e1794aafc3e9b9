/**
 * The store of headers, which only this folder accesses. Functions with a transaction are part of it; `readTransaction`
 * (database.ts) begins one that only reads.
 */
import { database, readTransaction, type Reading } from '../../store/database.ts';
import type { Header } from './header.ts';
import type { Wallet } from '../../platform.ts';

const byHeight = (tx: Reading) => tx.objectStore('headers').index('height');

export async function heldHeader(wallet: Wallet, hash: string): Promise<Header | undefined> {
  return readTransaction(await database(wallet))
    .objectStore('headers')
    .get(hash);
}

/** Whether the followed chain still has a block, by its hash. */
export const isInChain = async (tx: Reading, hash: string): Promise<boolean> =>
  (await tx.objectStore('headers').getKey(hash)) !== undefined;

export async function heldAt(wallet: Wallet, height: number): Promise<Header | undefined> {
  return byHeight(readTransaction(await database(wallet))).get(height);
}

/** The last header of the followed chain, or undefined before the first was followed. */
export async function heldTip(wallet: Wallet): Promise<Header | undefined> {
  return tipIn(readTransaction(await database(wallet)));
}

/** The same within a larger transaction. */
export const tipIn = async (tx: Reading): Promise<Header | undefined> => (await lastHeaders(tx, 1))[0];

/** The last headers of the followed chain, highest first. */
export async function lastHeaders(tx: Reading, most: number): Promise<Header[]> {
  const last: Header[] = [];
  let cursor = await byHeight(tx).openCursor(null, 'prev');
  while (cursor) {
    last.push(cursor.value);
    cursor = last.length < most ? await cursor.continue() : null;
  }
  return last;
}

/** The stored header at a height, or the nearest one above it; the last one if all are below. */
export async function headerNear(tx: Reading, height: number): Promise<Header | undefined> {
  return (await byHeight(tx).openCursor(IDBKeyRange.lowerBound(height)))?.value ?? tipIn(tx);
}

/** All stored headers from a height up, lowest first. */
export async function heldFrom(wallet: Wallet, height: number): Promise<Header[]> {
  return byHeight(readTransaction(await database(wallet))).getAll(IDBKeyRange.lowerBound(height));
}

/** Removes all of them, within a larger transaction. */
export const forgetHeaders = (tx: { objectStore(name: 'headers'): { clear(): Promise<void> } }): Promise<void> =>
  tx.objectStore('headers').clear();
