/**
 * Gives applications back what was read from the log. The log's word is not enough: an output's amount and script are read
 * from its transaction, and one that was spent meanwhile does not come back.
 */
import { toHex } from '../../../protocol/bytes.ts';
import { meaningOf, ServiceError } from '../../../protocol/errors.ts';
import type { LogEntry, LoggedEntry } from '../app-log/entry.ts';
import { recordEntry } from '../app-log/record.ts';
import { networkInfo } from '../chain/network.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import { fetchTransaction, signedSpender } from '../chain/spv.ts';
import { database, inTransaction, type WriteTransaction } from '../database.ts';
import { announceChange } from '../events.ts';

/** An entry of one kind. */
export type EntryOf<K extends LogEntry['kind']> = LogEntry & { kind: K };
/** An output as its transaction has it. */
export interface FoundOutput {
  txid: string;
  vout: number;
  satoshis: bigint;
  /** Hex. */
  lockingScript: string;
}

/** What takes restored data in: the stores of baskets and actions. In a transaction each awaits nothing but the database. */
export interface Restorer {
  /** An output that is unspent. Where it is there already, nothing changes. */
  restoreOutput(tx: WriteTransaction, entry: EntryOf<'output'>, found: FoundOutput): Promise<void>;
  restoreAction(tx: WriteTransaction, entry: EntryOf<'action'>): Promise<void>;
  /** Another wallet with the same words spent or relinquished it. */
  removeOutput(tx: WriteTransaction, outpoint: string): Promise<void>;
  /** Sweeps a payment to a derived key to the wallet's own addresses. Doing it twice is as good as once. */
  sweepPayment(entry: EntryOf<'wallet-payment'>, found: FoundOutput): Promise<void>;
}

/** Entries of one run, and after how long one that could not be checked is tried again (milliseconds). */
const [AT_ONCE, AGAIN_AFTER_MS] = [200, 10 * 60_000];

let restorer: Restorer | null = null;

/** Says where restored data goes. Called once, when the worker starts; until then it waits. */
export function restoreWith(stores: Restorer): void {
  restorer = stores;
}

/** How many entries wait to be given back. */
export async function countUnapplied(): Promise<number> {
  return (await database()).countFromIndex('appLog', 'unapplied');
}

/** Gives back what is due. @throws ServiceError `network-unavailable`: the rest waits for the next call */
export async function applyRead(): Promise<void> {
  const stores = restorer;
  if (!stores) return;
  const before = Date.now();
  for (;;) {
    const due = IDBKeyRange.upperBound(before);
    const logged = await (await database()).getAllFromIndex('appLog', 'unapplied', due, AT_ONCE);
    if (logged.length === 0) return;
    for (const one of logged) await applyOne(stores, one);
    announceChange();
  }
}

async function applyOne(stores: Restorer, logged: LoggedEntry): Promise<void> {
  const { entry } = logged;
  try {
    if (entry.kind === 'action') await applied(logged, (tx) => stores.restoreAction(tx, entry));
    else if (entry.kind === 'output-gone') await applied(logged, (tx) => stores.removeOutput(tx, entry.outpoint));
    else await applyOutput(stores, logged, entry);
  } catch (error) {
    const isOfOne = error instanceof ServiceError && !['network', 'user'].includes(meaningOf(error.code).blame);
    if (!isOfOne && !(error instanceof ServiceError && error.code === 'invalid-proof')) throw error;
    await postpone(logged);
  }
}

async function applyOutput(
  stores: Restorer,
  logged: LoggedEntry,
  entry: EntryOf<'output'> | EntryOf<'wallet-payment'>,
): Promise<void> {
  const info = await networkInfo();
  const found = await findOutput(info, entry.outpoint);
  // The index may not have it yet, or not any more.
  if (found === 'unknown') return postpone(logged);
  if (found === 'wrong')
    return applied(logged, (tx) => recordEntry(tx, { kind: 'output-gone', outpoint: entry.outpoint }));
  const spender = await signedSpender(info, { ...found, script: found.lockingScript });
  if (spender !== null)
    return applied(logged, async (tx) => {
      await stores.removeOutput(tx, entry.outpoint);
      await recordEntry(tx, { kind: 'output-gone', outpoint: entry.outpoint });
    });
  if (entry.kind === 'output') return applied(logged, (tx) => stores.restoreOutput(tx, entry, found));
  await stores.sweepPayment(entry, found);
  return applied(logged, async () => undefined);
}

async function findOutput(info: NetworkInfo, outpoint: string): Promise<FoundOutput | 'unknown' | 'wrong'> {
  const [txid = '', index = ''] = outpoint.split(/[.:]/);
  const transaction = await fetchTransaction(info, txid);
  if (!transaction) return 'unknown';
  const vout = Number(index);
  const output = transaction.outputs[vout];
  return output ? { txid, vout, satoshis: output.satoshis, lockingScript: toHex(output.lockingScript) } : 'wrong';
}

/** Applies it and notes that, in one transaction; unless another entry took its place meanwhile. */
async function applied(logged: LoggedEntry, apply: (tx: WriteTransaction) => Promise<void>): Promise<void> {
  await inTransaction(async (tx) => {
    const store = tx.objectStore('appLog');
    const now = await store.get(logged.key);
    if (now?.version !== logged.version || now.unapplied === undefined) return;
    const { unapplied: _, ...rest } = now;
    await store.put(rest);
    await apply(tx);
  });
}

async function postpone({ key, version }: LoggedEntry): Promise<void> {
  await inTransaction(async (tx) => {
    const store = tx.objectStore('appLog');
    const now = await store.get(key);
    if (now?.version === version && now.unapplied !== undefined)
      await store.put({ ...now, unapplied: Date.now() + AGAIN_AFTER_MS });
  });
}
