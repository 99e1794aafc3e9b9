/** Labels requests that ended unsigned without an error. */
import type { ActivityItem } from '../../../protocol/messages/wallet-messages.ts';
import { activityTexts as t } from '../../ui/texts/texts.ts';

/** Returns the state in a word (rejected, or ended without a decision), or null for everything else. */
export function unpaidWord({ status, txid, statusCode }: ActivityItem): string | null {
  if (status !== 'FAILED' || txid !== null) return null;
  if (statusCode === 'refused') return t.refused;
  return statusCode === 'approval-closed' || statusCode === 'approval-expired' || statusCode === 'page-gone'
    ? t.notPaid
    : null;
}
