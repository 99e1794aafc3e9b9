/** How much each site keeps in the wallet, counted with every change of it. */
import { ServiceError } from '../../../protocol/errors.ts';
import type { WriteTransaction } from '../database.ts';
import type { AppAction } from './app-action.ts';
import type { AppOutput } from './app-output.ts';

/** The most that a site may keep (bytes): four of the largest calls. */
const MOST_KEPT = 16_000_000;
/** What a record takes beside its texts (bytes), its places in indexes included. */
const RECORD = 200;
/** So much text of an action (bytes) is the wallet's own record of a payment, which no site is charged for. */
const ACTION_TEXT = 1000;

const keyOf = (origin: string) => `kept ${origin}`;
const lengthOf = (...texts: unknown[]) => new TextEncoder().encode(JSON.stringify(texts)).length;

/** What an output in a basket takes, in bytes. */
export function outputBytes({
  script,
  basket,
  tags,
  customInstructions,
  description,
}: Pick<AppOutput, 'script' | 'basket' | 'tags' | 'customInstructions' | 'description'>): number {
  return RECORD + lengthOf(script, basket, tags, customInstructions, description);
}

/** What an action's texts take, in bytes: nothing where they are as short as most are. */
export function actionBytes({
  description,
  labels,
  outputs,
}: Pick<AppAction, 'description' | 'labels' | 'outputs'>): number {
  return Math.max(0, lengthOf(description, labels, labels, outputs) - ACTION_TEXT);
}

/** Counts what a site keeps more, or less (bytes), as a part of more. */
export async function countKept(tx: WriteTransaction, origin: string, bytes: number): Promise<void> {
  if (bytes === 0) return;
  const totals = tx.objectStore('totals');
  const before = (await totals.get(keyOf(origin))) as { bytes: number } | undefined;
  await totals.put({ bytes: Math.max(0, (before?.bytes ?? 0) + bytes) }, keyOf(origin));
}

/**
 * Checks that a site may keep so much more, or has not kept too much in this very transaction.
 * @param more bytes
 * @throws ServiceError `baskets-full`
 */
export async function checkRoom(tx: WriteTransaction, origin: string, more = 0): Promise<void> {
  const kept = (await tx.objectStore('totals').get(keyOf(origin))) as { bytes: number } | undefined;
  if ((kept?.bytes ?? 0) + more > MOST_KEPT) throw new ServiceError('baskets-full');
}
