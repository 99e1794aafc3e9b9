/**
 * A transaction that a block contains under another id. Its signer can change an unlocking script, and so can third
 * parties since Chronicle if the version is above 1. Inputs and outputs stay the same.
 */
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { WriteTransaction } from '../store/database.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { outpoint, type Block } from './coin.ts';
import { readLater, forgetToRead } from './history.ts';
import { removeCoin, addCoin } from './records.ts';
import { MOST_SPENDS, type Receipt } from './receipts/receipt.ts';
import { deleteReceipt, getReceipt, putReceipt } from './receipts/receipts.ts';
import { part, type Wallet } from '../platform.ts';

/** Two ids of a transaction, and the block that contains it under the second. */
export interface Altered {
  from: string;
  to: string;
  block: Block;
}

/**
 * Moves incoming money to its new id.
 * @returns false, without changes, if the other transaction isn't the same payment
 * @throws ServiceError `network-unavailable`, `invalid-proof`
 */
export type AlteredListener = (altered: Altered) => Promise<boolean>;

const memoryOf = part(() => ({
  listener: (() => Promise.resolve(false)) as AlteredListener,
}));

/** Registers the listener. Called once, when the worker starts. */
export function onAltered(wallet: Wallet, follow: AlteredListener): void {
  memoryOf(wallet).listener = follow;
}

/** Announces that a block contains another transaction with the same first inputs. @returns see {@link AlteredListener} */
export function announceAltered(wallet: Wallet, altered: Altered): ReturnType<AlteredListener> {
  return memoryOf(wallet).listener(altered);
}

/** Whether incoming money has the inputs of another transaction, and its coins the outputs. */
export async function isSameReceipt(
  tx: WriteTransaction,
  { txid, spends }: Receipt,
  { inputs, outputs }: Transaction,
): Promise<boolean> {
  const its = inputs.slice(0, MOST_SPENDS).map((input) => outpoint(input.txid, input.vout));
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

/** Moves coins that no payment spends to the outpoints of the new id, within a larger transaction. */
export async function renameCoins(
  tx: WriteTransaction,
  { from, to }: Altered,
  status: 'pending' | 'available',
): Promise<void> {
  const coins = tx.objectStore('coins');
  for (const { isUnproven: _, ...coin } of await coins.index('txid').getAll(from)) {
    const key = outpoint(to, coin.vout);
    await removeCoin(tx, coin.outpoint);
    // A refresh may have found it under its new id.
    if ((await coins.getKey(key)) === undefined)
      await addCoin(tx, { ...coin, outpoint: key, txid: to, status, paymentId: null });
  }
}

/**
 * Moves a receipt to the new id, within a larger transaction. If a refresh has stored that one already, adds the
 * details that a service or a site gave.
 * @param unswept satoshis that are received again once they are swept
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
