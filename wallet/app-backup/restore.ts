import { keyOf, type LogEntry } from '../app-log/entry.ts';
import { dropOutput, storeOutput, outputIn, outputsAt } from '../baskets/outputs.ts';
import { outpoint } from '../coins/coin.ts';
import type { WriteTransaction } from '../store/database.ts';
import { actionsByTxid, addAction } from '../baskets/actions.ts';
import { getLogged } from '../app-log/records.ts';
import type { Wallet } from '../platform.ts';

export type EntryOf<K extends LogEntry['kind']> = LogEntry & { kind: K };

export interface FoundOutput {
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Locking script, hex. */
  script: string;
  /** Outpoints that the output's transaction spends. */
  spends: string[];
}

/** Stores an unspent output, unless it is already known. */
export async function restoreOutput(
  wallet: Wallet,
  tx: WriteTransaction,
  { basket, tags, customInstructions, description, origin }: EntryOf<'output'>,
  { txid, vout, satoshis, script }: FoundOutput,
): Promise<void> {
  const said = { basket, tags, customInstructions, description, origin };
  await storeOutput(wallet, tx, {
    ...said,
    outpoint: outpoint(txid, vout),
    satoshis,
    script,
    status: 'available',
    madeBy: null,
  });
}

/** Adds an action to its site's list, unless it is already listed. */
export async function restoreAction(
  wallet: Wallet,
  tx: WriteTransaction,
  { txid, origin, description, labels, outputs, at, incoming }: EntryOf<'action'>,
): Promise<void> {
  const known = await actionsByTxid(tx, txid);
  if (known.some((one) => one.origin === origin)) return;
  const labelKeys = labels.map((label): [string, string] => [origin, label]);
  const action = {
    ...{ origin, txid, paymentId: null, description, labels, outputs, at, labelKeys },
    ...(incoming && { incoming: { ...incoming, satoshis: BigInt(incoming.satoshis) } }),
  };
  await addAction(wallet, tx, action);
}

/** Removes a site's output that another wallet with the same recovery words spent or relinquished. */
export async function applyDeletion(
  wallet: Wallet,
  tx: WriteTransaction,
  { outpoint: gone, origin }: EntryOf<'output-gone'>,
): Promise<void> {
  const kept = await outputIn(tx, placeOf(gone), origin);
  // If one of this wallet's payments spends the output, the output's status depends on that payment.
  if (kept?.spentBy === null) await dropOutput(wallet, tx, kept);
}

/**
 * Applies a deletion by an older wallet version, which recorded no site. Skips sites that have their own deletion
 * entry.
 */
export async function applyOutpointDeletion(wallet: Wallet, tx: WriteTransaction, gone: string): Promise<void> {
  for (const kept of await outputsAt(tx, placeOf(gone))) {
    const key = keyOf({ kind: 'output-gone', outpoint: gone, origin: kept.origin });
    if (kept.spentBy === null && (await getLogged(tx, key)) === undefined) await dropOutput(wallet, tx, kept);
  }
}

function placeOf(logged: string): string {
  const [txid = '', vout = ''] = logged.split(/[.:]/);
  return outpoint(txid, Number(vout));
}
