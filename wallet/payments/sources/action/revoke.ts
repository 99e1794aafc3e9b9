/** Ends applications' unfinished payments after a revocation. */
import { outpoint } from '../../../coins/coin.ts';
import { inTransaction, type WriteTransaction } from '../../../store/database.ts';
import { announceChange, signalChange } from '../../../events.ts';
import type { Revocation } from '../../../sites/revocation.ts';
import { abandon } from '../../network/abandon.ts';
import { endWaiting } from '../../network/give-up.ts';
import type { PaymentRecord } from '../../record.ts';
import { paymentsOfSite, putPayment } from '../../store.ts';
import type { Wallet } from '../../../platform.ts';

/**
 * Ends a site's unsigned actions, and gives up signed ones that it withholds. Signed actions are replaced by the next
 * payment or canceled by the user, and end immediately if they spend none of the user's money (abandon.ts). If only an
 * allowance is revoked, affects only the actions that it paid for and those that spend their outputs.
 */
export async function endRevoked(
  wallet: Wallet,
  tx: WriteTransaction,
  { origin, allowance }: Revocation,
): Promise<void> {
  const revoked = new Set<string>();
  const isRevoked = (record: PaymentRecord, inputs: readonly string[]) =>
    allowance === null || record.allowance?.id === allowance || inputs.some((key) => revoked.has(key.slice(0, 64)));
  const signed = await paymentsOfSite(tx, origin, 'signed');
  // An action that spends change from a revoked action can't be broadcast without that action.
  const spenders = new Map<string, Set<PaymentRecord>>();
  for (const record of signed)
    for (const key of record.signed?.inputs ?? []) {
      const txid = key.slice(0, 64);
      spenders.set(txid, (spenders.get(txid) ?? new Set()).add(record));
    }
  const found = new Set(signed.filter((record) => isRevoked(record, [])));
  for (const record of found) {
    if (record.trouble !== 'held' || !record.signed) continue;
    revoked.add(record.signed.txid);
    await putPayment(wallet, tx, record, { trouble: 'aborted' });
    signalChange(wallet, record.id);
    for (const heir of spenders.get(record.signed.txid) ?? []) found.add(heir);
  }
  const waiting = (await paymentsOfSite(tx, origin, 'signable')).filter((record) => {
    const { inputs = [], unsigned } = record.action ?? {};
    return isRevoked(record, [...(unsigned?.coins ?? []), ...inputs.map(({ txid, vout }) => outpoint(txid, vout))]);
  });
  await endWaiting(
    wallet,
    tx,
    waiting.map(({ id }) => id),
  );
  // If only the allowance is revoked, actions already released by the application are still broadcast.
  const isEnding = ({ action, trouble }: PaymentRecord) =>
    action !== undefined &&
    (allowance === null || trouble === 'aborted' || trouble === 'refused' || trouble === 'held');
  await abandon(wallet, tx, origin, (record) => isEnding(record) && isRevoked(record, record.signed?.inputs ?? []));
}

/** Ends a site's unfinished actions at the user's request, without blocking new ones. */
export async function endForUser(wallet: Wallet, origin: string): Promise<void> {
  await inTransaction(wallet, (tx) => endRevoked(wallet, tx, { origin, allowance: null }));
  announceChange(wallet);
}
