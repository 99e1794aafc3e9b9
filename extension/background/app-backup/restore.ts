/** Puts what was read from the log into the stores of baskets and actions, as parts of a transaction. */
import { keyOf, type LogEntry } from '../app-log/entry.ts';
import type { AppAction } from '../baskets/app-action.ts';
import { countBrought } from '../baskets/brought.ts';
import { dropOutput, keepOutput, outputIn, outputsAt } from '../baskets/outputs.ts';
import { actionBytes, countKept } from '../baskets/room.ts';
import { outpoint } from '../coins/coin.ts';
import type { WriteTransaction } from '../database.ts';

/** An entry of one kind. */
export type EntryOf<K extends LogEntry['kind']> = LogEntry & { kind: K };

/** An output as its transaction has it. */
export interface FoundOutput {
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Locking script, hex. */
  script: string;
  /** Outpoints that its transaction spends. */
  spends: string[];
}

/** Keeps an output that is unspent. Where it is kept already, nothing changes. */
export async function restoreOutput(
  tx: WriteTransaction,
  { basket, tags, customInstructions, description, origin }: EntryOf<'output'>,
  { txid, vout, satoshis, script }: FoundOutput,
): Promise<void> {
  const said = { basket, tags, customInstructions, description, origin };
  await keepOutput(tx, {
    ...said,
    outpoint: outpoint(txid, vout),
    satoshis,
    script,
    status: 'available',
    madeBy: null,
  });
}

/** Lists an action among its site's. Where it is listed already, nothing changes. */
export async function restoreAction(
  tx: WriteTransaction,
  { txid, origin, description, labels, outputs, at, incoming }: EntryOf<'action'>,
): Promise<void> {
  const store = tx.objectStore('appActions');
  const known = await store.index('txid').getAll(txid);
  if (known.some((one) => one.origin === origin)) return;
  const labelKeys = labels.map((label): [string, string] => [origin, label]);
  const action = {
    ...{ origin, txid, paymentId: null, description, labels, outputs, at, labelKeys },
    ...(incoming && { incoming: { ...incoming, satoshis: BigInt(incoming.satoshis) } }),
  };
  await store.add(action as Omit<AppAction, 'id'> as AppAction); // the store gives the id
  await countKept(tx, origin, actionBytes(action));
  await countBrought(tx, action as Omit<AppAction, 'id'> as AppAction);
}

/** Another wallet with the same words spent or relinquished what a site keeps. */
export async function restoreGone(
  tx: WriteTransaction,
  { outpoint: gone, origin }: EntryOf<'output-gone'>,
): Promise<void> {
  const kept = await outputIn(tx, placeOf(gone), origin);
  // What a payment of this wallet spends is that payment's affair.
  if (kept?.spentBy === null) await dropOutput(tx, kept);
}

/** The same, of a wallet whose notes had no site: it ends what has no entry of its own in the log. */
export async function restoreOutpointGone(tx: WriteTransaction, gone: string): Promise<void> {
  for (const kept of await outputsAt(tx, placeOf(gone))) {
    const key = keyOf({ kind: 'output-gone', outpoint: gone, origin: kept.origin });
    if (kept.spentBy === null && (await tx.objectStore('appLog').getKey(key)) === undefined) await dropOutput(tx, kept);
  }
}

function placeOf(logged: string): string {
  const [txid = '', vout = ''] = logged.split(/[.:]/);
  return outpoint(txid, Number(vout));
}
