/** Finds payments that can be neither mined nor proven to have failed. */
import type { PaymentRecord, SignedPart } from '../wallet/payments/record.ts';
import type { Receipt } from '../wallet/coins/receipts/receipt.ts';
import type { Disk } from './world/disk.ts';
import type { Network } from './world/network.ts';

type Spending = Pick<Receipt, 'txid' | 'spends' | 'failed'> | undefined;

/**
 * True if a payment depends on a dropped incoming transaction, and no block contains a double spend of an input of any
 * ancestor that the wallet has stored. The wallet can't end such a payment, because its network no longer has the
 * ancestor that was double-spent.
 * @param storedOf returns a stored transaction
 */
function isUnprovable(
  { txid: id, inputs }: Pick<SignedPart, 'txid' | 'inputs'>,
  storedOf: (txid: string) => Spending,
  { index, chain }: Network,
): boolean {
  let isDropped = false;
  const spent = new Map(inputs.map((outpoint) => [outpoint, id]));
  for (const [outpoint, spender] of spent) {
    const [txid = '', vout] = outpoint.split(':');
    const rival = index.spenderOf(txid, Number(vout), spender);
    if (rival !== undefined && chain.blockOf(rival)) return false;
    const stored = storedOf(txid);
    isDropped ||= stored?.failed === 'dropped';
    for (const earlier of stored?.spends ?? []) spent.set(earlier, txid);
  }
  return isDropped;
}

/** Returns the transactions whose inputs a browser has stored, by ID. */
export function storedTransactions(data: Disk): Map<string, NonNullable<Spending>> {
  const stored = new Map<string, NonNullable<Spending>>();
  for (const { signed } of data.all<PaymentRecord>('payments'))
    if (signed) stored.set(signed.txid, { txid: signed.txid, spends: signed.inputs });
  for (const one of data.all<Receipt>('receipts')) stored.set(one.txid, one);
  return stored;
}

/** Returns the IDs of the stored payments that can be neither mined nor proven to have failed. */
export function unprovable(data: Disk, network: Network): Set<string> {
  const payments = data.all<PaymentRecord>('payments');
  const stored = storedTransactions(data);
  const isLost = ({ signed }: PaymentRecord) =>
    signed !== null && isUnprovable(signed, (txid) => stored.get(txid), network);
  return new Set(payments.filter(isLost).map(({ id }) => id));
}
