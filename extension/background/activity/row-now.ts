/** What a row says besides that its record alone does not tell: what took a payment's place, what came in. */
import type { ActivityItem } from '../../../protocol/wallet-messages.ts';
import { assetIn } from '../assets/came-in.ts';
import { lastOfChain } from '../payment/replace.ts';
import type { Entry } from './newest-first.ts';
import { rowOf } from './row.ts';

/** The row. A cancelled payment says so; once its cancellation is refused, too, it is as it was before. */
export async function rowNow(entry: Entry): Promise<ActivityItem> {
  const item = rowOf(entry);
  if (entry.store === 'receipts') {
    const cameIn = await assetIn(entry.record);
    if (!cameIn) return item;
    return 'claim' in cameIn
      ? { ...item, tokenClaim: cameIn.claim }
      : { ...item, asset: cameIn.asset, assetWord: cameIn.word };
  }
  if (entry.store !== 'payments' || item.trouble !== 'replaced') return item;
  const last = await lastOfChain(entry.record);
  if (!last.cancel) return item;
  const isStuck = last.trouble === 'refused' || last.trouble === 'contested';
  return { ...item, trouble: isStuck ? last.trouble : 'cancelling' };
}
