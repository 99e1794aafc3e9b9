/** Tracks the storage that each site uses: the size of its data on disk or, if larger, in the log. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { shareOfBlock } from '../app-log/size.ts';
import type { WriteTransaction } from '../store/database.ts';
import type { AppAction } from './app-action.ts';
import { getTotal, putTotal } from '../store/totals.ts';
import type { AppOutput } from './app-output.ts';
import type { Wallet } from '../platform.ts';

/** Maximum size of a site's data (bytes), enough for four of the largest possible calls. */
const MAX_SITE_BYTES = 16_000_000;
/** Size of a record apart from its text, including index entries (bytes). */
const RECORD = 200;
/**
 * Number of bytes of each signed action that aren't counted, because the wallet needs its own record of the payment
 * anyway.
 */
const ACTION_TEXT = 1000;

/** An outpoint and a time of maximum length, for size estimates. */
const [OUTPOINT, LATE] = [`${'0'.repeat(64)}:4294967295`, 9_999_999_999_999];

const keyOf = (origin: string): `kept ${string}` => `kept ${origin}`;
const lengthOf = (...texts: unknown[]) => new TextEncoder().encode(JSON.stringify(texts)).length;

export function outputBytes(
  output: Pick<AppOutput, 'script' | 'basket' | 'tags' | 'customInstructions' | 'description' | 'origin' | 'satoshis'>,
): number {
  const { script, satoshis, basket, tags, customInstructions, origin, description } = output;
  const said = { basket, tags, customInstructions, origin, description };
  const entry = { kind: 'output', outpoint: OUTPOINT, satoshis: satoshis.toString(), ...said } as const;
  return Math.max(RECORD + lengthOf(script, basket, tags, customInstructions, description), shareOfBlock(entry));
}

/**
 * Returns the size of an action (bytes). If the wallet signed its transaction, the first {@link ACTION_TEXT} bytes
 * aren't counted.
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

/** Adds bytes to a site's size, or subtracts them if negative, within a transaction. */
export async function addSiteBytes(wallet: Wallet, tx: WriteTransaction, origin: string, bytes: number): Promise<void> {
  if (bytes === 0) return;
  const before = await getTotal(tx, keyOf(origin));
  const after = before ? before.bytes + bytes : await sumOf(wallet, tx, origin);
  await putTotal(tx, keyOf(origin), { bytes: Math.max(0, after) });
}

/** Computes the size of a site's data if no total is stored yet. */
async function sumOf(wallet: Wallet, tx: WriteTransaction, origin: string): Promise<number> {
  let sum = 0;
  const outputs = tx.objectStore('appOutputs').index('place');
  const range = wallet.keyRange.bound([origin], [origin, []]);
  for (let cursor = await outputs.openCursor(range); cursor; cursor = await cursor.continue())
    sum += outputBytes(cursor.value);
  const actions = tx.objectStore('appActions').index('origin');
  for (let cursor = await actions.openCursor(origin); cursor; cursor = await cursor.continue())
    sum += actionBytes(cursor.value);
  return sum;
}

/**
 * Checks that a site has room for more data, or that it isn't over its limit after changes in this transaction.
 * @param more bytes to be added
 * @throws ServiceError `baskets-full`
 */
export async function checkQuota(wallet: Wallet, tx: WriteTransaction, origin: string, more = 0): Promise<void> {
  const kept = await getTotal(tx, keyOf(origin));
  const unfinished = (await getTotal(tx, `unfinished ${origin}`))?.bytes ?? 0;
  if ((kept?.bytes ?? (await sumOf(wallet, tx, origin))) + unfinished + more > MAX_SITE_BYTES)
    throw new ServiceError('baskets-full');
}
