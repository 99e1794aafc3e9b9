/** Outputs in applications' baskets. They never count as the wallet's own money, regardless of their value. */
import { keyOf } from '../app-log/entry.ts';
import { recordEntry } from '../app-log/record.ts';
import { getLogged } from '../app-log/records.ts';
import type { Reading, WriteTransaction } from '../store/database.ts';
import type { AppOutput, AppOutputStatus } from './app-output.ts';
import { addSiteBytes, outputBytes } from './site-quota.ts';
import { isGranted } from '../permissions/store.ts';
import { moveOutput, type OutputMove } from './move.ts';
import type { Wallet } from '../platform.ts';

export type NewOutput = Omit<AppOutput, 'id' | 'spentBy' | 'overSince' | 'listing' | 'tagListing' | 'twin'>;

/** Returns all sites' entries for an outpoint (`txid:vout`). */
export function outputsAt(tx: Reading, outpoint: string): Promise<AppOutput[]> {
  return tx.objectStore('appOutputs').index('outpoint').getAll(outpoint);
}

/** Returns the applications' outputs that a payment creates. */
export function outputsMadeBy(tx: Reading, paymentId: string): Promise<AppOutput[]> {
  return tx.objectStore('appOutputs').index('madeBy').getAll(paymentId);
}

/** Returns how many of a transaction's outputs are in applications' baskets. */
export function countOutputsOf(wallet: Wallet, tx: Reading, txid: string): Promise<number> {
  return tx
    .objectStore('appOutputs')
    .index('outpoint')
    .count(wallet.keyRange.bound(`${txid}:`, `${txid};`));
}

/** Returns a site's entry for an outpoint. */
export function outputIn(tx: Reading, outpoint: string, origin: string): Promise<AppOutput | undefined> {
  return tx.objectStore('appOutputs').index('place').get([origin, outpoint]);
}

/**
 * Stores an output in a site's basket, unless the site already has it. Ignores other sites' entries, because otherwise
 * a site could detect them, or claim an output before its application does.
 * @returns the entry
 */
export async function storeOutput(wallet: Wallet, tx: WriteTransaction, kept: NewOutput): Promise<AppOutput> {
  const known = await outputIn(tx, kept.outpoint, kept.origin);
  if (known) return known;
  const store = tx.objectStore('appOutputs');
  const twins = (await outputsAt(tx, kept.outpoint)).filter(({ basket }) => basket === kept.basket);
  for (const twin of twins) await store.put({ ...twin, twin: kept.basket });
  const twin = twins.length > 0 && { twin: kept.basket };
  const output = { ...listed(kept), ...twin, spentBy: null } as AppOutput; // the store assigns the id
  const id = await store.add(output);
  await addSiteBytes(wallet, tx, output.origin, outputBytes(output));
  await logKept(wallet, tx, output);
  return { ...output, id };
}

/** Deletes an output and logs the deletion. */
export async function dropOutput(wallet: Wallet, tx: WriteTransaction, output: AppOutput): Promise<void> {
  await forgetOutput(wallet, tx, output);
  await logGone(wallet, tx, output);
}

/** Deletes an output without logging it. */
export async function forgetOutput(wallet: Wallet, tx: WriteTransaction, output: AppOutput): Promise<void> {
  await tx.objectStore('appOutputs').delete(output.id);
  await addSiteBytes(wallet, tx, output.origin, -outputBytes(output));
}

/** Sets `listing` while an application can spend the output. */
function listed<O extends NewOutput>(given: O): O & Pick<AppOutput, 'listing' | 'tagListing'> {
  const output: O & Pick<AppOutput, 'listing' | 'tagListing'> = { ...given };
  delete output.listing;
  delete output.tagListing;
  const { status, basket, tags } = output;
  if (status !== 'pending' && status !== 'available') return output;
  return { ...output, listing: basket, tagListing: [...new Set(tags)].map((tag) => [basket, tag]) };
}

async function change(wallet: Wallet, tx: WriteTransaction, output: AppOutput, move?: OutputMove): Promise<void> {
  const { overSince = wallet.now(), ...next } = move ? moveOutput(output, move) : output;
  await tx.objectStore('appOutputs').put(listed({ ...next, ...(isOver(next.status) && { overSince }) }));
}

/** True if the output is spent or will never exist, as far as is known. */
export const isOver = (status: AppOutputStatus): boolean => status === 'spent' || status === 'void';

/** Restarts the retention period of a spent or void output. */
export const countFromNow = (wallet: Wallet, tx: WriteTransaction, output: AppOutput): Promise<void> =>
  change(wallet, tx, withoutTime(output));

function withoutTime({ overSince: _, ...output }: AppOutput): AppOutput {
  return output;
}

function logKept(wallet: Wallet, tx: WriteTransaction, output: NewOutput): Promise<void> {
  const { outpoint, satoshis, basket, tags, customInstructions, origin, description } = output;
  return recordEntry(wallet, tx, {
    kind: 'output',
    outpoint,
    satoshis: satoshis.toString(),
    basket,
    tags,
    customInstructions,
    origin,
    description,
  });
}

function logGone(wallet: Wallet, tx: WriteTransaction, { outpoint, origin }: AppOutput): Promise<void> {
  return recordEntry(wallet, tx, { kind: 'output-gone', outpoint, origin });
}

async function isLoggedKept(tx: WriteTransaction, { outpoint, origin }: AppOutput): Promise<boolean> {
  const logged = await getLogged(tx, keyOf({ kind: 'output-gone', outpoint, origin }));
  return logged?.entry.kind === 'output';
}

/** Returns the output that a site may spend at an outpoint: its own, or another site's in a permitted basket. */
export async function usableOutput(
  tx: WriteTransaction,
  outpoint: string,
  origin: string,
): Promise<AppOutput | undefined> {
  const own = await outputIn(tx, outpoint, origin);
  if (own) return own;
  for (const output of await outputsAt(tx, outpoint)) {
    if (await isGranted(tx, origin, { kind: 'basket', basket: output.basket })) return output;
  }
  return undefined;
}

/**
 * Reserves a site's output for its payment. Other sites' entries aren't reserved, so an action that a site never
 * finishes doesn't block the output for other sites.
 * @returns false if another payment uses the output
 */
export async function reserveOutput(
  wallet: Wallet,
  tx: WriteTransaction,
  outpoint: string,
  { id, origin }: { id: string; origin: string },
): Promise<boolean> {
  const output = await usableOutput(tx, outpoint, origin);
  if (!output) return true;
  if (output.status !== 'pending' && output.status !== 'available') return false;
  await change(wallet, tx, output, { event: 'reserve', spentBy: id });
  return true;
}

/**
 * Marks an output as spent for all sites, because the network has the spending transaction. Logs the output again if the
 * transaction is no longer confirmed.
 */
export async function spendOutput(
  wallet: Wallet,
  tx: WriteTransaction,
  outpoint: string,
  { id, height }: { id: string; height: number | null },
): Promise<void> {
  for (const output of await outputsAt(tx, outpoint)) {
    const isFound = output.status === 'spent' && output.spentBy === id;
    // The retention period begins with the confirmation.
    const timed = height === null ? output : withoutTime(output);
    if (!isFound) await change(wallet, tx, timed, { event: 'spend', spentBy: id });
    else if (height !== null) await change(wallet, tx, timed);
    // An operator may still drop the transaction, so restores need the log entry until confirmation.
    if (height !== null) await logGone(wallet, tx, output);
    else if (!(await isLoggedKept(tx, output))) await logKept(wallet, tx, output);
  }
}

/**
 * Marks an output as spent by a transaction that isn't one of this wallet's payments.
 * @param isMined whether the spend is confirmed; until then, a restore needs the log entry
 */
export async function spentElsewhere(
  wallet: Wallet,
  tx: WriteTransaction,
  outpoint: string,
  isMined: boolean,
): Promise<void> {
  for (const output of await outputsAt(tx, outpoint)) {
    const isFound = output.status === 'spent' && output.spentBy === null;
    if (output.status !== 'available' && !isFound) continue;
    if (!isFound) await change(wallet, tx, output, { event: 'spend-elsewhere' });
    else if (isMined) await countFromNow(wallet, tx, output);
    if (isMined) await logGone(wallet, tx, output);
  }
}

/** Makes an output available again, because the spending transaction, which isn't this wallet's, failed. */
export async function restoreOutput(wallet: Wallet, tx: WriteTransaction, outpoint: string): Promise<void> {
  for (const output of await outputsAt(tx, outpoint)) {
    if (output.status !== 'spent' || output.spentBy !== null) continue;
    await change(wallet, tx, output, { event: 'return' });
    await logKept(wallet, tx, output);
  }
}

/**
 * Releases an output from a payment.
 * @param others other payments that spend it; one that isn't on the network reserves only its own site's entry
 * @param isMade whether the network has the transaction that creates it
 */
export async function releaseOutput(
  wallet: Wallet,
  tx: WriteTransaction,
  outpoint: string,
  paymentId: string,
  others: readonly { id: string; origin: string; isSent: boolean }[],
  isMade: boolean,
): Promise<void> {
  for (const output of await outputsAt(tx, outpoint)) {
    const { status, spentBy } = output;
    if (spentBy !== paymentId || (status !== 'reserved' && status !== 'spent')) continue;
    const other = others.find(({ isSent }) => isSent) ?? others.find(({ origin }) => origin === output.origin);
    if (other) {
      await change(wallet, tx, output, { event: other.isSent ? 'spend' : 'reserve', spentBy: other.id });
      continue;
    }
    const free = isMade || output.madeBy === null ? 'available' : 'pending';
    await change(wallet, tx, output, { event: 'release', free });
    if (status === 'spent') await logKept(wallet, tx, output);
  }
}

const MADE = { pending: 'await', available: 'accept', void: 'void' } as const;

/** Updates a payment's outputs to `pending`, `available` or `void`. Outputs spent by a payment are unchanged. */
export async function setMade(
  wallet: Wallet,
  tx: WriteTransaction,
  paymentId: string,
  status: Extract<AppOutputStatus, 'pending' | 'available' | 'void'>,
): Promise<void> {
  for (const output of await outputsMadeBy(tx, paymentId)) {
    if (output.spentBy !== null || output.status === status) continue;
    if (output.status === 'spent' && status !== 'void') continue; // not spent by this wallet
    await change(wallet, tx, output, { event: MADE[status] });
    if (status === 'void') await logGone(wallet, tx, output);
    else if (output.status === 'void') await logKept(wallet, tx, output);
  }
}

/** Assigns outputs to a different payment, which now creates them. */
export async function remakeOutputs(tx: WriteTransaction, from: string, to: string): Promise<void> {
  const outputs = tx.objectStore('appOutputs');
  for (const output of await outputs.index('madeBy').getAll(from)) await outputs.put({ ...output, madeBy: to });
}
