/** The picture or initials of a row of the activity. */
import type { ActivityItem } from '../../../protocol/messages/wallet-messages.ts';
import { hostOf } from '../../ui/sites/origin.ts';

export interface Face {
  name: string;
  paymail: string | null;
  ask: boolean;
}

/** True if the recipient was paid. Only then is its service queried, so that a page can't cause a request. */
export const isPaid = ({ txid, status }: Pick<ActivityItem, 'txid' | 'status'>): boolean =>
  txid !== null && status !== 'FAILED';

/**
 * Null if the row names no one, for a site (a recipient's picture would pass for the site's), and for a sender that no
 * host confirms.
 */
export function faceOf(item: ActivityItem): Face | null {
  const { origin, direction, recipientCount, counterparty, sender, isCancellation, isUnverified, refundOf } = item;
  if (isUnverified || isCancellation) return null;
  if (origin !== null) return { name: hostOf(origin), paymail: null, ask: false };
  if (direction === 'sent')
    return recipientCount === 1 && counterparty.includes('@')
      ? { name: counterparty, paymail: counterparty, ask: isPaid(item) }
      : null;
  if (sender === null || refundOf?.isConfirmed) return null;
  return { name: sender.paymail, paymail: sender.verified ? sender.paymail : null, ask: isPaid(item) };
}
