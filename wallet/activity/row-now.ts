/** Completes rows with data that their records don't contain: the state of a replacement, and received assets. */
import type { ActivityItem } from '../../protocol/messages/wallet-messages.ts';
import { assetIn } from '../assets/came-in.ts';
import { lastOfChain } from '../payments/network/replace.ts';
import type { Entry } from './newest-first.ts';
import { rowOf } from './row.ts';
import type { Wallet } from '../platform.ts';

/**
 * Returns the current row. A payment that is being canceled is marked as such, unless its cancellation is refused or
 * contested.
 */
export async function rowNow(wallet: Wallet, entry: Entry): Promise<ActivityItem> {
  const item = rowOf(entry);
  if (entry.store === 'receipts') {
    const cameIn = await assetIn(wallet, entry.record);
    if (!cameIn) return item;
    return 'claim' in cameIn
      ? { ...item, tokenClaim: cameIn.claim }
      : { ...item, asset: cameIn.asset, assetWord: cameIn.word };
  }
  if (entry.store !== 'payments' || item.trouble !== 'replaced') return item;
  const last = await lastOfChain(wallet, entry.record);
  if (!last.cancel) return item;
  const isStuck = last.trouble === 'refused' || last.trouble === 'contested';
  return { ...item, trouble: isStuck ? last.trouble : 'cancelling' };
}
