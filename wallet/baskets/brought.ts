/**
 * Limits the total size of records for internalized transactions: newer ones replace the oldest. Deleting them loses no
 * money, because coins and basket outputs are stored separately.
 */
import { keyOf } from '../app-log/entry.ts';
import { type WriteTransaction } from '../store/database.ts';
import type { AppAction } from './app-action.ts';
import { putTotal, totalsUnder } from '../store/totals.ts';
import { deleteLogged } from '../app-log/records.ts';
import type { Totals } from '../store/schema.ts';
import { actionBytes, addSiteBytes } from './site-quota.ts';
import type { Wallet } from '../platform.ts';

/** Maximum size per site (about six thousand actions) and for all sites together (bytes). */
const [MAX_BYTES_PER_SITE, MAX_TOTAL_BYTES] = [4_000_000, 16_000_000];
/** Maximum number of rows read per attempt to free space. */
const MAX_ROWS_PER_ATTEMPT = 1000;

/** Size of a site's internalized actions (bytes), and the ID up to which older ones have been deleted. */
type Brought = Totals[`brought ${string}`];

const PREFIX = 'brought ';

/**
 * Counts a new internalized action. If a limit is exceeded, deletes the oldest actions of this site, or of the site
 * that uses the most space.
 */
export async function countInternalized(wallet: Wallet, tx: WriteTransaction, action: AppAction): Promise<void> {
  if (!action.incoming) return;
  const sites = await totalsUnder(wallet, tx, PREFIX);
  const { origin } = action;
  const own = sites.get(origin);
  sites.set(origin, own ? { ...own, bytes: own.bytes + actionBytes(action) } : { bytes: await sumOf(tx, origin) });
  const forget = async (site: string, bytes: number) => {
    const one = sites.get(site) as Brought;
    const left = await forgetOldest(wallet, tx, site, one, bytes);
    const isShorter = left.bytes < one.bytes;
    sites.set(site, left);
    await putTotal(tx, `${PREFIX}${site}`, left);
    return isShorter;
  };
  await forget(origin, (sites.get(origin) as Brought).bytes - MAX_BYTES_PER_SITE);
  for (;;) {
    const all = [...sites.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    if (all <= MAX_TOTAL_BYTES) return;
    const [largest] = [...sites].sort(([, a], [, b]) => b.bytes - a.bytes)[0] as [string, Brought];
    if (!(await forget(largest, all - MAX_TOTAL_BYTES))) return;
  }
}

/** Computes the size of a site's internalized actions (bytes), if no total is stored yet. */
async function sumOf(tx: WriteTransaction, origin: string): Promise<number> {
  let sum = 0;
  const actions = tx.objectStore('appActions').index('origin');
  for (let cursor = await actions.openCursor(origin); cursor; cursor = await cursor.continue())
    if (cursor.value.incoming) sum += actionBytes(cursor.value);
  return sum;
}

/** Deletes a site's oldest actions with their log entries, until `bytes` are freed or the row limit is reached. */
async function forgetOldest(
  wallet: Wallet,
  tx: WriteTransaction,
  origin: string,
  { bytes: before, forgotten = 0 }: Brought,
  bytes: number,
): Promise<Brought> {
  let [freed, last] = [0, forgotten];
  let cursor = bytes > 0 ? await tx.objectStore('appActions').index('origin').openCursor(origin) : null;
  if (cursor && cursor.primaryKey <= last) cursor = await cursor.continuePrimaryKey(origin, last + 1);
  for (let read = 0; cursor && freed < bytes && read < MAX_ROWS_PER_ATTEMPT; read += 1) {
    const { id, txid, description, labels, outputs, at, incoming } = cursor.value;
    last = id;
    if (incoming && txid !== null) {
      freed += actionBytes(cursor.value);
      await cursor.delete();
      await deleteLogged(tx, keyOf({ kind: 'action', txid, origin, description, labels, outputs, at }));
    }
    cursor = await cursor.continue();
  }
  await addSiteBytes(wallet, tx, origin, -freed);
  return { bytes: Math.max(0, before - freed), ...(last > 0 && { forgotten: last }) };
}
