/** What the user's taking back means for payments that applications have not finished. */
import { outpoint } from '../coins/coin.ts';
import type { WriteTransaction } from '../database.ts';
import { signalChange } from '../events.ts';
import type { Revocation } from '../sites/revocation.ts';
import { endUnsigned } from './give-up.ts';
import type { PaymentRecord } from './record.ts';
import { putPayment } from './transition.ts';

/**
 * Ends what a site's application has yet to sign, and gives up what it keeps from the network: it is never released, the
 * next payment takes its place, or the user cancels it. If an allowance goes, only what it paid for, and what spends that.
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
  for (const record of await site.getAll([origin, 'signable'])) {
    const { inputs = [], unsigned } = record.action ?? {};
    const spent = [...(unsigned?.coins ?? []), ...inputs.map(({ txid, vout }) => outpoint(txid, vout))];
    if (!isRevoked(record, spent)) continue;
    await putPayment(tx, { ...record, ...(await endUnsigned(tx, record, 'action-ended')) });
    signalChange(record.id);
  }
}
