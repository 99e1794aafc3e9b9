/** Outputs that are kept for applications: never money of the wallet's own, whatever they hold. */
import { permissionName } from '../../../protocol/permission.ts';
import { recordEntry } from '../app-log/record.ts';
import type { WriteTransaction } from '../database.ts';
import type { AppOutput, AppOutputStatus } from './app-output.ts';
import { countKept, outputBytes } from './room.ts';

/** What is known of an output when it is first kept. */
export type KeptOutput = Omit<AppOutput, 'id' | 'spentBy' | 'overSince' | 'listing' | 'tagListing' | 'twin'>;

/** What each site keeps at an outpoint (`txid:vout`). */
export function outputsAt(tx: WriteTransaction, outpoint: string): Promise<AppOutput[]> {
  return tx.objectStore('appOutputs').index('outpoint').getAll(outpoint);
}

/** What one site keeps there. */
export function outputIn(tx: WriteTransaction, outpoint: string, origin: string): Promise<AppOutput | undefined> {
  return tx.objectStore('appOutputs').index('place').get([origin, outpoint]);
}

/**
 * Keeps an output for a site, as a part of more, unless it keeps that already. It doesn't matter what others keep there:
 * otherwise a site could learn that, or take an output before its application does.
 * @returns the one that is kept
 */
export async function keepOutput(tx: WriteTransaction, kept: KeptOutput): Promise<AppOutput> {
  const known = await outputIn(tx, kept.outpoint, kept.origin);
  if (known) return known;
  const store = tx.objectStore('appOutputs');
  const twins = (await outputsAt(tx, kept.outpoint)).filter(({ basket }) => basket === kept.basket);
  for (const twin of twins) await store.put({ ...twin, twin: kept.basket });
  const twin = twins.length > 0 && { twin: kept.basket };
  const output = { ...listed(kept), ...twin, spentBy: null } as AppOutput; // the store gives the id
  const id = await store.add(output);
  await countKept(tx, output.origin, outputBytes(output));
  await logKept(tx, output);
  return { ...output, id };
}

/** Takes one out, as a part of more. */
export async function dropOutput(tx: WriteTransaction, output: AppOutput): Promise<void> {
  await forgetOutput(tx, output);
  await logGone(tx, output);
}

/** The same of one that the log knows to be gone. */
export async function forgetOutput(tx: WriteTransaction, output: AppOutput): Promise<void> {
  await tx.objectStore('appOutputs').delete(output.id);
  await countKept(tx, output.origin, -outputBytes(output));
}

/** It is listed while an application may spend it. */
function listed<O extends KeptOutput>(given: O): O & Pick<AppOutput, 'listing' | 'tagListing'> {
  const output: O & Pick<AppOutput, 'listing' | 'tagListing'> = { ...given };
  delete output.listing;
  delete output.tagListing;
  const { status, basket, tags } = output;
  if (status !== 'pending' && status !== 'available') return output;
  return { ...output, listing: basket, tagListing: [...new Set(tags)].map((tag) => [basket, tag]) };
}

async function change(
  tx: WriteTransaction,
  output: AppOutput,
  changed: Partial<Pick<AppOutput, 'status' | 'spentBy'>>,
): Promise<void> {
  const { overSince = Date.now(), ...next } = { ...output, ...changed };
  await tx.objectStore('appOutputs').put(listed({ ...next, ...(isOver(next.status) && { overSince }) }));
}

/** Can nobody spend it any more, as things stand? */
export const isOver = (status: AppOutputStatus): boolean => status === 'spent' || status === 'void';

/** One that was over before wallets noted since when: it counts from now, as a part of more. */
export const countFromNow = (tx: WriteTransaction, output: AppOutput): Promise<void> => change(tx, output, {});

function logKept(tx: WriteTransaction, output: KeptOutput): Promise<void> {
  const { outpoint, satoshis, basket, tags, customInstructions, origin, description } = output;
  return recordEntry(tx, {
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

function logGone(tx: WriteTransaction, { outpoint, origin }: AppOutput): Promise<void> {
  return recordEntry(tx, { kind: 'output-gone', outpoint, origin });
}

/**
 * What a site may spend at an outpoint: its own, or another site's in a basket that it is permitted. The rest is a
 * stranger's to it, and stays unknown to it.
 */
export async function usableOutput(
  tx: WriteTransaction,
  outpoint: string,
  origin: string,
): Promise<AppOutput | undefined> {
  const own = await outputIn(tx, outpoint, origin);
  if (own) return own;
  for (const output of await outputsAt(tx, outpoint)) {
    const name = permissionName({ kind: 'basket', basket: output.basket });
    if ((await tx.objectStore('permissions').getKey([origin, name])) !== undefined) return output;
  }
  return undefined;
}

/**
 * Reserves what a site may use for its payment that is to spend it, as a part of more. What others keep there is not
 * reserved: an action that a site never finishes must not take it from them.
 * @returns false where another payment has it
 */
export async function reserveOutput(
  tx: WriteTransaction,
  outpoint: string,
  { id, origin }: { id: string; origin: string },
): Promise<boolean> {
  const output = await usableOutput(tx, outpoint, origin);
  if (!output) return true;
  if (output.status !== 'pending' && output.status !== 'available') return false;
  await change(tx, output, { status: 'reserved', spentBy: id });
  return true;
}

/** The network has what spends it: no site has it any more. */
export async function spendOutput(tx: WriteTransaction, outpoint: string, paymentId: string): Promise<void> {
  for (const output of await outputsAt(tx, outpoint)) {
    if (output.status === 'spent' && output.spentBy === paymentId) continue;
    await change(tx, output, { status: 'spent', spentBy: paymentId });
    await logGone(tx, output);
  }
}

/** A transaction that no payment of this wallet made has spent it, as a part of more. */
export async function spentElsewhere(tx: WriteTransaction, outpoint: string): Promise<void> {
  for (const output of await outputsAt(tx, outpoint)) {
    if (output.status !== 'available') continue;
    await change(tx, output, { status: 'spent' });
    await logGone(tx, output);
  }
}

/** That transaction has come to nothing: it is there again, as a part of more. */
export async function bringBackOutput(tx: WriteTransaction, outpoint: string): Promise<void> {
  for (const output of await outputsAt(tx, outpoint)) {
    if (output.status !== 'spent' || output.spentBy !== null) continue;
    await change(tx, output, { status: 'available' });
    await logKept(tx, output);
  }
}

/**
 * A payment does not spend it any more, as a part of more.
 * @param others who do instead, if anybody: one that the network doesn't have takes only what its own site keeps
 * @param isMade whether the network has what makes it
 */
export async function releaseOutput(
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
      await change(tx, output, { status: other.isSent ? 'spent' : 'reserved', spentBy: other.id });
      continue;
    }
    await change(tx, output, { status: isMade || output.madeBy === null ? 'available' : 'pending', spentBy: null });
    if (status === 'spent') await logKept(tx, output);
  }
}

/** Those that a payment makes come to nothing, or are there after all; what something spends stays as it is. */
export async function setMade(
  tx: WriteTransaction,
  paymentId: string,
  status: Extract<AppOutputStatus, 'pending' | 'available' | 'void'>,
): Promise<void> {
  for (const output of await tx.objectStore('appOutputs').index('madeBy').getAll(paymentId)) {
    if (output.spentBy !== null || output.status === status) continue;
    if (output.status === 'spent' && status !== 'void') continue; // elsewhere
    await change(tx, output, { status });
    if (status === 'void') await logGone(tx, output);
    else if (output.status === 'void') await logKept(tx, output);
  }
}

/** Another payment is the one that makes what one has made, as a part of more. */
export async function remakeOutputs(tx: WriteTransaction, from: string, to: string): Promise<void> {
  const outputs = tx.objectStore('appOutputs');
  for (const output of await outputs.index('madeBy').getAll(from)) await outputs.put({ ...output, madeBy: to });
}
