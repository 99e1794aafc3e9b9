/**
 * How much each site keeps in the wallet, counted with every change of it: what it takes on this disk, or in the log at
 * the account's service if that is more.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import { shareOfBlock } from '../app-log/size.ts';
import type { WriteTransaction } from '../database.ts';
import type { AppAction } from './app-action.ts';
import type { AppOutput } from './app-output.ts';

/** The most that a site may keep (bytes): four of the largest calls. */
const MOST_KEPT = 16_000_000;
/** What a record takes beside its texts (bytes), its places in indexes included. */
const RECORD = 200;
/** So much of an action that the wallet made (bytes) is its own record of a payment, which no site is charged for. */
const ACTION_TEXT = 1000;

/** As long as any outpoint, and as late as any time. */
const [OUTPOINT, LATE] = [`${'0'.repeat(64)}:4294967295`, 9_999_999_999_999];

const keyOf = (origin: string) => `kept ${origin}`;
const lengthOf = (...texts: unknown[]) => new TextEncoder().encode(JSON.stringify(texts)).length;

/** What an output in a basket takes, in bytes. */
export function outputBytes(
  output: Pick<AppOutput, 'script' | 'basket' | 'tags' | 'customInstructions' | 'description' | 'origin' | 'satoshis'>,
): number {
  const { script, satoshis, basket, tags, customInstructions, origin, description } = output;
  const said = { basket, tags, customInstructions, origin, description };
  const entry = { kind: 'output', outpoint: OUTPOINT, satoshis: satoshis.toString(), ...said } as const;
  return Math.max(RECORD + lengthOf(script, basket, tags, customInstructions, description), shareOfBlock(entry));
}

/**
 * What an action takes, in bytes. Of one that the wallet made, nothing where its texts are as short as most are; one that
 * was brought in has cost its site nothing, and counts in full.
 */
export function actionBytes(
  action: Pick<AppAction, 'description' | 'labels' | 'outputs' | 'origin' | 'incoming'>,
): number {
  const { origin, description, labels, outputs, incoming } = action;
  const brought = incoming && { incoming: { ...incoming, satoshis: incoming.satoshis.toString() } };
  const said = { origin, description, labels, outputs, at: LATE, ...brought };
  const share = shareOfBlock({ kind: 'action', txid: OUTPOINT.slice(0, 64), ...said });
  const bytes = Math.max(lengthOf(description, labels, labels, outputs), share);
  return incoming ? RECORD + bytes : Math.max(0, bytes - ACTION_TEXT);
}

/** Counts what a site has just come to keep more, or less (bytes), as a part of more. */
export async function countKept(tx: WriteTransaction, origin: string, bytes: number): Promise<void> {
  if (bytes === 0) return;
  const totals = tx.objectStore('totals');
  const before = (await totals.get(keyOf(origin))) as { bytes: number } | undefined;
  const after = before ? before.bytes + bytes : await sumOf(tx, origin);
  await totals.put({ bytes: Math.max(0, after) }, keyOf(origin));
}

/** The sum of what is stored, for a site that has not been counted by this measure yet. */
async function sumOf(tx: WriteTransaction, origin: string): Promise<number> {
  let sum = 0;
  const outputs = tx.objectStore('appOutputs').index('place');
  const range = IDBKeyRange.bound([origin], [origin, []]);
  for (let cursor = await outputs.openCursor(range); cursor; cursor = await cursor.continue())
    sum += outputBytes(cursor.value);
  const actions = tx.objectStore('appActions').index('origin');
  for (let cursor = await actions.openCursor(origin); cursor; cursor = await cursor.continue())
    sum += actionBytes(cursor.value);
  return sum;
}

/**
 * Checks that a site may keep so much more, or has not kept too much in this very transaction.
 * @param more bytes
 * @throws ServiceError `baskets-full`
 */
export async function checkRoom(tx: WriteTransaction, origin: string, more = 0): Promise<void> {
  const kept = (await tx.objectStore('totals').get(keyOf(origin))) as { bytes: number } | undefined;
  if ((kept?.bytes ?? (await sumOf(tx, origin))) + more > MOST_KEPT) throw new ServiceError('baskets-full');
}
