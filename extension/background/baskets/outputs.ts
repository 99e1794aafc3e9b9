/** Outputs that are kept for applications: never money of the wallet's own, whatever they hold. */
import { recordEntry } from '../app-log/record.ts';
import type { WriteTransaction } from '../database.ts';
import type { AppOutput, AppOutputStatus } from './app-output.ts';
import { countKept, outputBytes } from './room.ts';

/** What is known of an output when it is first kept. */
export type KeptOutput = Omit<AppOutput, 'id' | 'spentBy' | 'overSince' | 'listing' | 'tagListing'>;

/** One by its outpoint (`txid:vout`). */
export function outputIn(tx: WriteTransaction, outpoint: string): Promise<AppOutput | undefined> {
  return tx.objectStore('appOutputs').index('outpoint').get(outpoint);
}

/**
 * Keeps an output, as a part of more, unless it is kept already.
 * @returns the one that is kept
 */
export async function keepOutput(tx: WriteTransaction, kept: KeptOutput): Promise<AppOutput> {
  const known = await outputIn(tx, kept.outpoint);
  if (known) return known;
  const output = { ...listed(kept), spentBy: null } as AppOutput; // the store gives the id
  const id = await tx.objectStore('appOutputs').add(output);
  await countKept(tx, output.origin, outputBytes(output));
  await logKept(tx, output);
  return { ...output, id };
}

/** Takes one out, as a part of more. */
export async function dropOutput(tx: WriteTransaction, output: AppOutput): Promise<void> {
  await forgetOutput(tx, output);
  await recordEntry(tx, { kind: 'output-gone', outpoint: output.outpoint });
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

/**
 * Reserves one for the payment that is to spend it, as a part of more. What is not kept is nobody's here.
 * @returns false where another payment has it
 */
export async function reserveOutput(tx: WriteTransaction, outpoint: string, paymentId: string): Promise<boolean> {
  const output = await outputIn(tx, outpoint);
  if (!output) return true;
  if (output.status !== 'pending' && output.status !== 'available') return false;
  await change(tx, output, { status: 'reserved', spentBy: paymentId });
  return true;
}

/** The network has what spends it. */
export async function spendOutput(tx: WriteTransaction, outpoint: string, paymentId: string): Promise<void> {
  const output = await outputIn(tx, outpoint);
  if (!output || (output.status === 'spent' && output.spentBy === paymentId)) return;
  await change(tx, output, { status: 'spent', spentBy: paymentId });
  await recordEntry(tx, { kind: 'output-gone', outpoint });
}

/** A transaction that no payment of this wallet made has spent it, as a part of more. */
export async function spentElsewhere(tx: WriteTransaction, outpoint: string): Promise<void> {
  const output = await outputIn(tx, outpoint);
  if (output?.status !== 'available') return;
  await change(tx, output, { status: 'spent' });
  await recordEntry(tx, { kind: 'output-gone', outpoint });
}

/** That transaction has come to nothing: it is there again, as a part of more. */
export async function bringBackOutput(tx: WriteTransaction, outpoint: string): Promise<void> {
  const output = await outputIn(tx, outpoint);
  if (output?.status !== 'spent' || output.spentBy !== null) return;
  await change(tx, output, { status: 'available' });
  await logKept(tx, output);
}

/**
 * A payment does not spend it any more, as a part of more.
 * @param other who does instead, if anybody
 * @param isMade whether the network has what makes it
 */
export async function releaseOutput(
  tx: WriteTransaction,
  outpoint: string,
  paymentId: string,
  other: { id: string; isSent: boolean } | null,
  isMade: boolean,
): Promise<void> {
  const output = await outputIn(tx, outpoint);
  if (output?.spentBy !== paymentId || (output.status !== 'reserved' && output.status !== 'spent')) return;
  if (other) return change(tx, output, { status: other.isSent ? 'spent' : 'reserved', spentBy: other.id });
  await change(tx, output, { status: isMade ? 'available' : 'pending', spentBy: null });
  if (output.status === 'spent') await logKept(tx, output);
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
    if (status === 'void') await recordEntry(tx, { kind: 'output-gone', outpoint: output.outpoint });
    else if (output.status === 'void') await logKept(tx, output);
  }
}

/** Another payment is the one that makes what one has made, as a part of more. */
export async function remakeOutputs(tx: WriteTransaction, from: string, to: string): Promise<void> {
  const outputs = tx.objectStore('appOutputs');
  for (const output of await outputs.index('madeBy').getAll(from)) await outputs.put({ ...output, madeBy: to });
}
