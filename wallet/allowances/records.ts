/** The only file that accesses the allowance store. Functions with a `tx` parameter run within that transaction. */
import { type Reading, type WriteTransaction, readTransaction, database } from '../store/database.ts';
import type { Allowance, AllowanceKey } from './allowance.ts';
import type { Wallet } from '../platform.ts';

export const getAllowance = (tx: Reading, key: AllowanceKey): Promise<Allowance | undefined> =>
  tx.objectStore('allowances').get(key);

export const allAllowances = (tx: Reading): Promise<Allowance[]> => tx.objectStore('allowances').getAll();

/** True if the user has granted the site any allowance. */
export const hasAllowance = async (wallet: Wallet, tx: Reading, origin: string): Promise<boolean> =>
  (await tx.objectStore('allowances').getKey(wallet.keyRange.bound([origin], [origin, []]))) !== undefined;

export async function putAllowance(tx: WriteTransaction, allowance: Allowance): Promise<void> {
  await tx.objectStore('allowances').put(allowance);
}

export async function deleteAllowance(tx: WriteTransaction, key: AllowanceKey): Promise<void> {
  await tx.objectStore('allowances').delete(key);
}

export async function readAllowance(wallet: Wallet, key: AllowanceKey): Promise<Allowance | null> {
  return (await getAllowance(readTransaction(await database(wallet)), key)) ?? null;
}
