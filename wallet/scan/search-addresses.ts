/** Finds new and spent coins at some of the wallet's addresses. */
import type { NetworkInfo } from '../chain/network-info.ts';
import type { Address } from '../coins/addresses/address.ts';
import type { Wallet } from '../platform.ts';
import type { Unreadable } from './history/progress.ts';
import { readClaims, type Claim } from './history/read.ts';
import { listCoins } from './lists.ts';
import { noteSpent } from './spent.ts';
import type { Budget, Work } from './work.ts';

/** Requests the coins at some addresses, stores which are new or spent, and records the transactions listed. */
export async function searchAddresses(
  wallet: Wallet,
  info: NetworkInfo,
  addresses: readonly Address[],
  work: Work,
  failed: Map<string, Unreadable>,
  lists: Budget = work.lists,
): Promise<{ isWhole: boolean; added: number }> {
  const listed = await listCoins(wallet, info, addresses, lists);
  const owners = new Map(addresses.map((one) => [one.address, one]));
  for (const { script } of listed.isWhole ? addresses : listed.looked) work.looked.add(script);
  const claims = listed.unspent
    .filter((one) => !one.spentInMempool)
    .map((one): Claim => ({ ...one, own: owners.get(one.address) as Address }));
  for (const { txid, height } of claims) (height > 0 ? work.mined : work.shown).add(txid);
  const added = await readClaims(wallet, info, claims, failed, work);
  await noteSpent(wallet, info, listed, work);
  return { isWhole: listed.isWhole, added };
}
