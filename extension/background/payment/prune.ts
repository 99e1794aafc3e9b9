/**
 * Payments that were refused or failed before they were signed moved nothing. They are stored for a day, so that a
 * repeated request finds the same payment, and at most a hundred for each site, so that none can fill the disk.
 */
import { database, inTransaction, type WriteTransaction } from '../database.ts';
import { withoutScripts } from '../light-payment.ts';
import { hasScripts, isEndedUnsigned } from './ended-unsigned.ts';
import type { PaymentRecord } from './record.ts';

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
  const site = tx.objectStore('payments').index('site');
  let count = 0;
  for (const state of ENDED) count += await site.count([origin, state]);
  if (count <= MOST_OF_A_SITE) return;
  const unsigned: PaymentRecord[] = [];
  for (const state of ENDED)
    unsigned.push(...(await site.getAll([origin, state])).filter(({ signed }) => signed === null));
  unsigned.sort((a, b) => b.updatedAt - a.updatedAt);
  for (const { id } of unsigned.slice(MOST_OF_A_SITE)) await tx.objectStore('payments').delete(id);
}

/** Deletes old records of all sites, and the scripts that earlier versions stored. */
export async function pruneEnded(): Promise<void> {
  const now = Date.now();
  const db = await database();
  const [over, large]: [string[], string[]] = [[], []];
  for (const state of ENDED) {
    const tx = db.transaction('payments');
    for (let cursor = await tx.store.index('state').openCursor(state); cursor; cursor = await cursor.continue()) {
      if (isOver(cursor.value, now)) over.push(cursor.value.id);
      else if (isEndedUnsigned(cursor.value) && hasScripts(cursor.value)) large.push(cursor.value.id);
    }
  }
  if (over.length > 0) {
    await inTransaction(async (tx) => {
      for (const id of over) await tx.objectStore('payments').delete(id);
    });
  }
  for (const id of large)
    await inTransaction(async (tx) => {
      const record = await tx.objectStore('payments').get(id);
      if (record && isEndedUnsigned(record)) await tx.objectStore('payments').put(withoutScripts(record));
    });
}
