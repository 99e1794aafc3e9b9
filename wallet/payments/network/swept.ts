import { keyOf } from '../../app-log/entry.ts';
import { recordEntry } from '../../app-log/record.ts';
import { getLogged, loggedPayments, putLogged } from '../../app-log/records.ts';
import { finalHeight } from '../../chain/headers/store.ts';
import type { Wallet } from '../../platform.ts';
import type { WriteTransaction } from '../../store/database.ts';
import { lightSpenders } from '../store.ts';

/**
 * Retires the log entries of payments to derived keys once no reorganization can undo their sweeps. Until then, a sweep
 * may have to be repeated, and only the entry has the data from which the key is derived.
 */
export async function endSwept(wallet: Wallet, tx: WriteTransaction): Promise<void> {
  const final = await finalHeight(tx);
  const spendersOf = lightSpenders(tx);
  for (const { entry, sweptHeight = null } of await loggedPayments(wallet, tx)) {
    if (entry.kind !== 'wallet-payment') continue;
    const { outpoint } = entry;
    const heights = [sweptHeight, ...(await spendersOf(outpoint)).map(({ height }) => height)];
    const isFinal = heights.some((height) => height !== null && height <= final);
    if (isFinal) await recordEntry(wallet, tx, { kind: 'payment-gone', outpoint });
  }
}

/**
 * Schedules the log entry of a payment to a derived key for another check (wallet/app-backup/apply.ts) if another
 * wallet swept the payment in a block above a height.
 */
export async function reopenSwept(wallet: Wallet, tx: WriteTransaction, height: number): Promise<void> {
  for (const { sweptHeight, ...logged } of await loggedPayments(wallet, tx))
    if (sweptHeight !== undefined && sweptHeight > height) await putLogged(tx, { ...logged, unapplied: wallet.now() });
}

/**
 * After a sweep has ended, schedules the log entries of the payments that it spends for another check. Another wallet
 * may have swept only some of them.
 */
export async function reopenEnded(wallet: Wallet, tx: WriteTransaction, outpoints: readonly string[]): Promise<void> {
  for (const outpoint of outpoints) {
    const logged = await getLogged(tx, keyOf({ kind: 'payment-gone', outpoint }));
    if (logged?.entry.kind === 'wallet-payment') await putLogged(tx, { ...logged, unapplied: wallet.now() });
  }
}
