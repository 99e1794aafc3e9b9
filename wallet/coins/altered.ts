/**
 * Renames transactions that were mined under a different ID, because their unlocking scripts were altered. The signer
 * can alter them. Since the Chronicle upgrade, third parties can also alter those of transactions with a version above
 * 1. The spent coins and the outputs remain the same.
 */
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { WriteTransaction } from '../store/database.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { outpoint, type Block } from './coin.ts';
import { readLater, forgetToRead } from './history.ts';
import { removeCoin, addCoin } from './records.ts';
import { MAX_SPENT_OUTPOINTS, type Receipt } from './receipts/receipt.ts';
import { deleteReceipt, getReceipt, putReceipt } from './receipts/receipts.ts';
import { part, type Wallet } from '../platform.ts';

/** The original and the new ID of a transaction, and the block that contains it under the new ID. */
export interface Altered {
  from: string;
  to: string;
  block: Block;
}

/**
 * Moves an incoming payment to its new transaction ID.
 * @param transaction the transaction with the new ID
 * @returns false, without changes, if the new transaction isn't the same payment
 */
export type AlteredListener = (altered: Altered, transaction: Transaction) => Promise<boolean>;

const memoryOf = part(() => ({
  listener: (() => Promise.resolve(false)) as AlteredListener,
}));

/** Registers the listener when the worker starts. */
export function onAltered(wallet: Wallet, follow: AlteredListener): void {
  memoryOf(wallet).listener = follow;
}

/**
 * Notifies the listener after a transaction that spends an incoming payment's coin was mined under a different ID.
 * @returns see {@link AlteredListener}
 */
export function announceAltered(wallet: Wallet, ...args: Parameters<AlteredListener>): ReturnType<AlteredListener> {
  return memoryOf(wallet).listener(...args);
}

/** True if a transaction has the same inputs as a receipt, and outputs that match the receipt's coins. */
export async function isSameReceipt(
  tx: WriteTransaction,
  { txid, spends }: Receipt,
  { inputs, outputs }: Transaction,
): Promise<boolean> {
  const its = inputs.slice(0, MAX_SPENT_OUTPOINTS).map((input) => outpoint(input.txid, input.vout));
  const coins = await tx.objectStore('coins').index('txid').getAll(txid);
  return (
    spends !== undefined &&
    spends.length === its.length &&
    spends.every((key, i) => key === its[i]) &&
    coins.every(({ vout, satoshis, script }) => {
      const output = outputs[vout];
      return output?.satoshis === satoshis && toHex(output.lockingScript) === script;
    })
  );
}

/** Moves coins to the outpoints of the new ID. Requires that no payment holds the coins. */
export async function renameCoins(
  tx: WriteTransaction,
  { from, to }: Altered,
  status: 'pending' | 'available',
): Promise<void> {
  const coins = tx.objectStore('coins');
  for (const { isUnproven: _, ...coin } of await coins.index('txid').getAll(from)) {
    const key = outpoint(to, coin.vout);
    await removeCoin(tx, coin.outpoint);
    // A refresh may have stored the coin under its new ID.
    if ((await coins.getKey(key)) === undefined)
      await addCoin(tx, { ...coin, outpoint: key, txid: to, status, paymentId: null });
  }
}

/**
 * Moves a receipt to the new ID. Merges it with the receipt that a refresh has stored under that ID, if any.
 * @param unswept satoshis to subtract, because they were paid to derived keys and are counted again when swept
 */
export async function renameReceipt(tx: WriteTransaction, { from, to }: Altered, unswept: bigint): Promise<void> {
  const [before, found] = [await getReceipt(tx, from), await getReceipt(tx, to)];
  if (!before) return;
  const { failed, look, lostTo, spent, reading, ...kept } = before;
  const { height, unconfirmed } = found ?? { height: null, unconfirmed: 1 as const };
  await deleteReceipt(tx, from);
  await deleteReceipt(tx, to);
  await forgetToRead(tx, from);
  const read = reading === undefined ? {} : { reading: 'waiting' as const };
  await putReceipt(tx, {
    ...kept,
    txid: to,
    satoshis: kept.satoshis - unswept,
    height,
    unconfirmed,
    ...(found?.reading === undefined ? read : { reading: found.reading, satoshis: found.satoshis }),
    ...(found?.spent && { spent: found.spent }),
  });
  if (reading !== undefined && found?.reading !== 'done') await readLater(tx, to);
}
