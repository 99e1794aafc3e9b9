/** Deletes payments that ended unsigned and are old or too many. */
import { database, inTransaction, readTransaction, type WriteTransaction } from '../store/database.ts';
import { withoutScripts } from '../store/write-transaction.ts';
import type { Wallet } from '../platform.ts';
import { hasScripts, isEndedUnsigned } from './move.ts';
import type { PaymentRecord } from './record.ts';
import { amendPayment, countOfSite, deletePayment, eachIn, getPayment, paymentsOfSite } from './store.ts';

/**
 * How long payments that ended unsigned are stored and shown, in milliseconds. During this time, a repeated request
 * returns the same payment.
 */
const KEPT_MS = 24 * 3600_000;
/** Maximum number of stored payments that ended unsigned, per site, so no site can fill the disk. */
const MAX_UNSIGNED_PER_SITE = 100;
const ENDED = ['refused', 'failed'] as const;

/** True if the payment ended unsigned and is too old to be stored or shown. */
export function isOver(record: PaymentRecord, now: number): boolean {
  return isEndedUnsigned(record) && Math.abs(now - record.updatedAt) > KEPT_MS;
}

/** Deletes a site's excess payments that ended unsigned, oldest first. */
export async function dropOldest(tx: WriteTransaction, origin: string): Promise<void> {
  let count = 0;
  for (const state of ENDED) count += await countOfSite(tx, origin, state);
  if (count <= MAX_UNSIGNED_PER_SITE) return;
  const unsigned: PaymentRecord[] = [];
  for (const state of ENDED)
    unsigned.push(...(await paymentsOfSite(tx, origin, state)).filter(({ signed }) => signed === null));
  unsigned.sort((a, b) => b.updatedAt - a.updatedAt);
  for (const { id } of unsigned.slice(MAX_UNSIGNED_PER_SITE)) await deletePayment(tx, id);
}

/** Removes the scripts that earlier versions stored with payments that ended unsigned. */
async function dropScripts(tx: WriteTransaction, id: string): Promise<void> {
  const record = await getPayment(tx, id);
  if (record && isEndedUnsigned(record)) await amendPayment(tx, withoutScripts(record));
}

/** Deletes old payments that ended unsigned, and scripts stored by earlier versions. */
export async function pruneEnded(wallet: Wallet): Promise<void> {
  const now = wallet.now();
  const [over, large]: [string[], string[]] = [[], []];
  for (const state of ENDED) {
    for await (const record of eachIn(readTransaction(await database(wallet)), state)) {
      if (isOver(record, now)) over.push(record.id);
      else if (isEndedUnsigned(record) && hasScripts(record)) large.push(record.id);
    }
  }
  if (over.length > 0) {
    await inTransaction(wallet, async (tx) => {
      for (const id of over) await deletePayment(tx, id);
    });
  }
  for (const id of large) await inTransaction(wallet, (tx) => dropScripts(tx, id));
}
