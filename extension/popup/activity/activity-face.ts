/** Determines the picture or initials of an activity row. */
import type { ActivityItem } from '../../../protocol/messages/wallet-messages.ts';
import { hostOf } from '../../ui/sites/origin.ts';

export interface Face {
  name: string;
  paymail: string | null;
  ask: boolean;
}

/**
 * True if the recipient was paid. Otherwise, the recipient's picture isn't requested, because a page could trigger that
 * request without paying.
 */
export const isPaid = ({ txid, status }: Pick<ActivityItem, 'txid' | 'status'>): boolean =>
  txid !== null && status !== 'FAILED';

/**
 * Returns null if the row doesn't contain a name, or if no host confirms the sender. A site's rows don't show the
 * recipient's picture, which users might attribute to the site.
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
