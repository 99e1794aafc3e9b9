/**
 * Restores applications' data from log entries. Entries are untrusted: outputs are read from their transactions, and
 * spent outputs aren't restored.
 */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { keyOf, type LoggedEntry } from '../app-log/entry.ts';
import { recordEntry } from '../app-log/record.ts';
import { networkInfo } from '../chain/network.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import { coinsSpentWith, fetchTransaction, minedRival } from '../chain/headers/spv.ts';
import { outpoint as outpointOf } from '../coins/coin.ts';
import { readReceipt } from '../coins/receipts/receipts.ts';
import { finalHeight, isInChain } from '../chain/headers/store.ts';
import type { Header } from '../chain/whats-on-chain.ts';
import { database, inTransaction, readTransaction, type WriteTransaction } from '../store/database.ts';
import { announceChange } from '../events.ts';
import { checkDerived, sweepCoins } from '../payments/sources/sweep/sweep.ts';
import {
  restoreAction,
  applyDeletion,
  applyOutpointDeletion,
  restoreOutput,
  type EntryOf,
  type FoundOutput,
} from './restore.ts';
import { minedOutpoint } from './changed-id.ts';
import { changeLogged, dueLogged, getLogged, putLogged } from '../app-log/records.ts';
import type { Wallet } from '../platform.ts';

const ENTRIES_PER_READ = 200;
/** Delay before an entry that couldn't be checked is retried (milliseconds). */
export const AGAIN_AFTER_MS = 10 * 60_000;
const MAX_AGAIN_AFTER_MS = 24 * 3600_000;

/**
 * Returns the delay before an entry is retried (milliseconds). It grows with the number of lookups that didn't find the
 * transaction, because a site can make the wallet look up a thousand outputs of a transaction that never existed.
 */
export const retryDelay = (misses = 0): number =>
  Math.min(AGAIN_AFTER_MS * 2 ** Math.max(0, misses - 1), MAX_AGAIN_AFTER_MS);

/**
 * Applies the entries that are due. After an error, the next call continues.
 * @throws ServiceError `network-unavailable`
 */
export async function applyRead(wallet: Wallet): Promise<void> {
  const before = wallet.now();
  for (;;) {
    const logged = await dueLogged(wallet, before, ENTRIES_PER_READ);
    if (logged.length === 0) return;
    for (const one of logged) await applyOne(wallet, one);
    announceChange(wallet);
  }
}

async function applyOne(wallet: Wallet, logged: LoggedEntry): Promise<void> {
  const { entry } = logged;
  try {
    if (entry.kind === 'action') await applied(wallet, logged, (tx) => restoreAction(wallet, tx, entry));
    else if (entry.kind === 'output-gone') await applied(wallet, logged, (tx) => applyDeletion(wallet, tx, entry));
    else if (entry.kind === 'outpoint-gone')
      await applied(wallet, logged, (tx) => applyOutpointDeletion(wallet, tx, entry.outpoint));
    else if (entry.kind === 'payment-gone') await applied(wallet, logged, async () => undefined);
    else await applyOutput(wallet, logged, entry);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The retry comes after the other entries.
    await postpone(wallet, logged);
    if (error.code === 'network-unavailable') throw error;
  }
}

async function applyOutput(
  wallet: Wallet,
  logged: LoggedEntry,
  entry: EntryOf<'output'> | EntryOf<'wallet-payment'>,
): Promise<void> {
  const info = await networkInfo(wallet);
  // The index may still serve a double-spent transaction. Its outputs may exist under a different ID.
  const found = (await isDoubleSpent(wallet, entry)) ? 'unknown' : await findOutput(wallet, info, entry.outpoint);
  if (found === 'unknown') {
    const mined = entry.kind === 'wallet-payment' ? await minedOutpoint(wallet, info, entry) : null;
    // The index may not have the transaction yet, or may have dropped it.
    return mined === null ? postpone(wallet, logged, true) : recordMined(wallet, logged, mined);
  }
  const isSpent = found !== 'wrong' && (await coinsSpentWith(wallet, info, found, [])).length > 0;
  if (isSpent) {
    const rival = await minedRival(wallet, info, found, '');
    // The network may drop an unconfirmed spender.
    if (!rival) return postpone(wallet, logged);
    // A reorganization may undo the spender's block.
    if (rival.block.height > (await finalHeight(readTransaction(await database(wallet)))))
      return entry.kind === 'output' ? postpone(wallet, logged) : noteSwept(wallet, logged, rival.block);
  }
  if (found === 'wrong' || isSpent)
    return applied(wallet, logged, async (tx) => {
      const { outpoint } = entry;
      if (entry.kind === 'wallet-payment') return recordEntry(wallet, tx, { kind: 'payment-gone', outpoint });
      const gone = { kind: 'output-gone', outpoint, origin: entry.origin } as const;
      await applyDeletion(wallet, tx, gone);
      await recordEntry(wallet, tx, gone);
    });
  if (entry.kind === 'output') return applied(wallet, logged, (tx) => restoreOutput(wallet, tx, entry, found));
  return sweep(wallet, logged, entry, found);
}

/**
 * Moves money received at a derived key (BRC-29) to the wallet's own addresses. If this has already happened, only
 * marks the entry as applied.
 */
async function sweep(
  wallet: Wallet,
  logged: LoggedEntry,
  entry: EntryOf<'wallet-payment'>,
  found: FoundOutput,
): Promise<void> {
  const { derivationPrefix, derivationSuffix, senderIdentityKey } = entry;
  const coin = { ...found, remittance: { derivationPrefix, derivationSuffix, senderIdentityKey } };
  await checkDerived(wallet, [coin]);
  const arrival = { txid: found.txid, spends: found.spends, block: null };
  await sweepCoins(wallet, [coin], arrival, (tx) => tickOff(tx, logged, async () => undefined));
}

/** Marks a payment as swept by another wallet. A reorganization that removes the block makes the payment due again. */
function noteSwept(wallet: Wallet, logged: LoggedEntry, { hash, height }: Header): Promise<void> {
  return inTransaction(wallet, async (tx) => {
    if (await isInChain(tx, hash))
      await changeLogged(tx, logged, ({ unapplied: _, misses: __, ...now }) => ({ ...now, sweptHeight: height }));
  });
}

/**
 * Records an entry for the outpoint under which a payment may have been mined; that entry is due immediately. The
 * payment's own entry is only postponed, because the outpoint may belong to a different payment to the same key.
 */
function recordMined(wallet: Wallet, { key, version }: LoggedEntry, outpoint: string): Promise<void> {
  return inTransaction(wallet, async (tx) => {
    const now = await getLogged(tx, key);
    if (now?.version !== version || now.unapplied === undefined || now.entry.kind !== 'wallet-payment') return;
    const mined = { ...now.entry, outpoint };
    await recordEntry(wallet, tx, mined);
    const recorded = await getLogged(tx, keyOf(mined));
    if (recorded) await putLogged(tx, { ...recorded, unapplied: now.unapplied });
    await putLogged(tx, missed(wallet, now));
  });
}

async function isDoubleSpent(
  wallet: Wallet,
  { kind, outpoint }: EntryOf<'output' | 'wallet-payment'>,
): Promise<boolean> {
  return kind === 'wallet-payment' && (await readReceipt(wallet, outpoint.slice(0, 64)))?.failed === 'double-spent';
}

async function findOutput(
  wallet: Wallet,
  info: NetworkInfo,
  outpoint: string,
): Promise<FoundOutput | 'unknown' | 'wrong'> {
  const [txid = '', index = ''] = outpoint.split(/[.:]/);
  const transaction = await fetchTransaction(wallet, info, txid);
  if (!transaction) return 'unknown';
  const vout = Number(index);
  const output = transaction.outputs[vout];
  if (!output) return 'wrong';
  const spends = transaction.inputs.map((input) => outpointOf(input.txid, input.vout));
  return { txid, vout, satoshis: output.satoshis, script: toHex(output.lockingScript), spends };
}

function applied(wallet: Wallet, logged: LoggedEntry, apply: (tx: WriteTransaction) => Promise<void>): Promise<void> {
  return inTransaction(wallet, (tx) => tickOff(tx, logged, apply));
}

/** Applies an entry and marks it as applied, unless a newer entry has replaced it. */
async function tickOff(
  tx: WriteTransaction,
  { key, version }: LoggedEntry,
  apply: (tx: WriteTransaction) => Promise<void>,
): Promise<void> {
  const now = await getLogged(tx, key);
  if (now?.version !== version || now.unapplied === undefined) return;
  await apply(tx);
  // Restoring an output creates a new log entry. The original entry overwrites it.
  const after = await getLogged(tx, key);
  const { unapplied: _, misses: __, ...rest } = now;
  if (after?.entry.kind === now.entry.kind) await putLogged(tx, rest);
}

function postpone(wallet: Wallet, logged: LoggedEntry, isMissing = false): Promise<void> {
  const postponed = ({ misses: _, ...now }: LoggedEntry) => ({ ...now, unapplied: wallet.now() + retryDelay() });
  return inTransaction(wallet, (tx) =>
    changeLogged(tx, logged, (now) =>
      now.unapplied === undefined ? now : isMissing ? missed(wallet, now) : postponed(now),
    ),
  );
}

/** Returns an entry after a lookup that didn't find its transaction. */
function missed(wallet: Wallet, { misses = 0, ...logged }: LoggedEntry): LoggedEntry {
  return { ...logged, misses: misses + 1, unapplied: wallet.now() + retryDelay(misses + 1) };
}
