/**
 * Payments that were refused or failed before they were signed moved nothing. They are stored for a day, so that a
 * repeated request finds the same payment, and at most a hundred for each site, so that none can fill the disk.
 */
import { inTransaction, type WriteTransaction, readTransaction, database } from '../store/database.ts';
import { hasScripts, isEndedUnsigned } from './ended-unsigned.ts';
import type { PaymentRecord } from './record.ts';
import { countOfSite, deletePayment, dropScripts, eachIn, paymentsOfSite } from './store.ts';
import type { Wallet } from '../platform.ts';

/** How long they are stored and shown (milliseconds). */
const KEPT_MS = 24 * 3600_000;
/** Maximum number of them for one site. */
const MOST_OF_A_SITE = 100;
const ENDED = ['refused', 'failed'] as const;

/** True if it ended unsigned and is too old to be stored or shown. */
export function isOver(record: PaymentRecord, now: number): boolean {
  return isEndedUnsigned(record) && Math.abs(now - record.updatedAt) > KEPT_MS;
}

/** Deletes a site's excess records, oldest first. */
export async function dropOldest(tx: WriteTransaction, origin: string): Promise<void> {
  let count = 0;
  for (const state of ENDED) count += await countOfSite(tx, origin, state);
  if (count <= MOST_OF_A_SITE) return;
  const unsigned: PaymentRecord[] = [];
  for (const state of ENDED)
    unsigned.push(...(await paymentsOfSite(tx, origin, state)).filter(({ signed }) => signed === null));
  unsigned.sort((a, b) => b.updatedAt - a.updatedAt);
  for (const { id } of unsigned.slice(MOST_OF_A_SITE)) await deletePayment(tx, id);
}

/** Deletes old records of all sites, and the scripts that earlier versions stored. */
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
