/** Finds payments that can be neither mined nor proven to have failed. */
import type { PaymentRecord } from '../wallet/payments/record.ts';
import type { Receipt } from '../wallet/coins/receipts/receipt.ts';
import type { Network } from './world/network.ts';

/**
 * True if a payment spends a dropped incoming transaction, and no block contains a double spend of an input of any
 * ancestor that the wallet has stored. The wallet can't end such a payment, because its network no longer has the
 * ancestor that was double-spent.
 */
export function isUnprovable(
  { signed }: PaymentRecord,
  receipts: ReadonlyMap<string, Receipt>,
  { index, chain }: Network,
): boolean {
  const isDropped = (outpoint: string) => receipts.get(outpoint.slice(0, 64))?.failed === 'dropped';
  if (!signed?.inputs.some(isDropped)) return false;
  const spent = new Map(signed.inputs.map((outpoint) => [outpoint, signed.txid]));
  for (const [outpoint, spender] of spent) {
    const [txid = '', vout] = outpoint.split(':');
    const rival = index.spenderOf(txid, Number(vout), spender);
    if (rival !== undefined && chain.blockOf(rival)) return false;
    for (const earlier of receipts.get(txid)?.spends ?? []) spent.set(earlier, txid);
  }
  return true;
}
