/** What the user's taking back means for payments that applications have not finished. */
import { outpoint } from '../coins/coin.ts';
import { inTransaction, type WriteTransaction } from '../database.ts';
import { announceChange, signalChange } from '../events.ts';
import type { Revocation } from '../sites/revocation.ts';
import { abandon } from './abandon.ts';
import { endWaiting } from './give-up.ts';
import type { PaymentRecord } from './record.ts';
import { putPayment } from './transition.ts';

/**
 * Ends what a site's application has yet to sign, and gives up what it keeps from the network: it is never released, the
 * next payment takes its place, or the user cancels it. Kept or refused actions that spend nothing of the user's end as
 * well (abandon.ts). If an allowance goes, only what it paid for, and what spends that.
 */
export async function endRevoked(tx: WriteTransaction, { origin, allowance }: Revocation): Promise<void> {
  const site = tx.objectStore('payments').index('site');
  const revoked = new Set<string>();
  const isRevoked = (record: PaymentRecord, inputs: readonly string[]) =>
    allowance === null || record.allowance?.id === allowance || inputs.some((key) => revoked.has(key.slice(0, 64)));
  const signed = await site.getAll([origin, 'signed']);
  // What spends the change of one can't be sent without it: until there is none left.
  for (let found = -1; found < revoked.size;) {
    found = revoked.size;
    for (const record of signed) {
      if (record.trouble !== 'held' || !record.signed || revoked.has(record.signed.txid)) continue;
      if (!isRevoked(record, record.signed.inputs)) continue;
      revoked.add(record.signed.txid);
      await putPayment(tx, { ...record, trouble: 'aborted' });
      signalChange(record.id);
    }
  }
  const waiting = (await site.getAll([origin, 'signable'])).filter((record) => {
    const { inputs = [], unsigned } = record.action ?? {};
    return isRevoked(record, [...(unsigned?.coins ?? []), ...inputs.map(({ txid, vout }) => outpoint(txid, vout))]);
  });
  await endWaiting(
    tx,
    waiting.map(({ id }) => id),
  );
  // What its application sent before stays on its way if only its allowance goes.
  const isEnding = ({ trouble }: PaymentRecord) =>
    allowance === null || trouble === 'aborted' || trouble === 'refused' || trouble === 'held';
  await abandon(tx, origin, (record) => isEnding(record) && isRevoked(record, record.signed?.inputs ?? []));
}

/** Ends for the user what a site has not finished, as a block does, and lets it ask again. */
export async function endForUser(origin: string): Promise<void> {
  await inTransaction((tx) => endRevoked(tx, { origin, allowance: null }));
  announceChange();
}
