/** Whose picture or initials a row of the activity begins with. */
import type { ActivityItem } from '../../protocol/wallet-messages.ts';
import { hostOf } from '../ui/origin.ts';

/** See `Avatar`. */
export interface Face {
  name: string;
  paymail: string | null;
  ask: boolean;
}

/** Did money go to whom the row names? Only of those the service is asked: a page alone causes no question. */
export const isPaid = ({ txid, status }: Pick<ActivityItem, 'txid' | 'status'>): boolean =>
  txid !== null && status !== 'FAILED';

/**
 * Null where nobody is named. A site has no picture: that of whom its page had paid would pass for the site's. Nor has a
 * sender whom no host vouches for.
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
