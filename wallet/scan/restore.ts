/** Searches all addresses of a wallet that was restored from its recovery words. */
import type { NetworkInfo } from '../chain/network-info.ts';
import { ADDRESSES_PER_REQUEST } from '../chain/whats-on-chain.ts';
import { GAP_LIMIT } from '../coins/addresses/address.ts';
import {
  addressesAt,
  addressesBetween,
  extendAddresses,
  extendChain,
  nextUnused,
} from '../coins/addresses/addresses.ts';
import { announceChange } from '../events.ts';
import { CHAINS } from '../keys/keys.ts';
import type { Wallet } from '../platform.ts';
import { writeKey } from '../store/database.ts';
import { publicKeys } from '../vault/vault.ts';
import { addressesOf } from './history/address-selection.ts';
import { noteUsed } from './history/gap.ts';
import { newProgress, type Unreadable } from './history/progress.ts';
import { listCoins } from './lists.ts';
import { noteProgress, readProgress } from './scan-progress.ts';
import { searchAddresses } from './search-addresses.ts';
import { Budget, type Work } from './work.ts';

/** Number of addresses beyond a chain's last used one that a restored wallet searches for coins. */
const SEARCHED_BEYOND = { receive: GAP_LIMIT, change: 400, service: 400 };
/** Batch size for addresses beyond the gap limit, which aren't stored. */
const BEYOND_GAP_BATCH = 5 * ADDRESSES_PER_REQUEST;

/**
 * Finds all coins of a restored wallet, chain by chain, until twenty addresses in a row are unused (BIP44). Goes
 * further on chains where an earlier version or a service may have left a larger gap. Resumes after interruptions.
 */
export async function restore(
  wallet: Wallet,
  info: NetworkInfo,
  work: Work,
  failed: Map<string, Unreadable>,
): Promise<void> {
  const keys = await publicKeys(wallet);
  const { next = { chain: CHAINS[0], from: 0 }, ...before } = await readProgress(wallet);
  let { addresses, coins } = before;
  const lists = new Budget(1000, 400_000_000);
  for (const chain of CHAINS.slice(CHAINS.indexOf(next.chain))) {
    for (let from = chain === next.chain ? next.from : 0; ;) {
      await extendAddresses(wallet, keys, info.network);
      const quiet = from - (await nextUnused(wallet, chain));
      if (quiet >= SEARCHED_BEYOND[chain]) break;
      // The batch may be shorter, because only twenty addresses beyond the last used one are stored.
      let batch = await addressesBetween(wallet, chain, from, from + ADDRESSES_PER_REQUEST - 1);
      if (batch.length === 0) {
        batch = addressesAt(
          keys,
          info.network,
          chain,
          from,
          Math.min(BEYOND_GAP_BATCH, SEARCHED_BEYOND[chain] - quiet),
        );
        const { unspent, isWhole } = await listCoins(wallet, info, batch, lists);
        if (!isWhole) return;
        const last = batch.findLast(({ address }) => unspent.some((one) => one.address === address));
        if (last) {
          await extendChain(wallet, keys, info.network, chain, last.index);
          continue;
        }
      } else {
        const { added } = await searchAddresses(wallet, info, batch, work, failed, lists);
        coins += added;
        await noteProgress(wallet, { addresses, coins });
        // The budget is used up. The next refresh continues with this batch.
        if (!work.transactions.left || work.isOver || !lists.left) return;
        // Beyond the gap limit, only coins matter, and the lists have already shown those.
        if (quiet < GAP_LIMIT)
          await noteUsed(
            wallet,
            info,
            await addressesOf(
              wallet,
              batch.map(({ script }) => script),
            ),
            () => lists.took(1),
          );
      }
      from += batch.length;
      addresses += batch.length;
      await noteProgress(wallet, { addresses, next: { chain, from } });
      announceChange(wallet);
    }
  }
  const found = await readProgress(wallet);
  await writeKey(wallet, 'scan', {
    ...newProgress(true, found),
    addresses,
    coins,
    ...(found.unread && { unread: found.unread }),
    ...(found.crowded && { crowded: found.crowded }),
  });
  announceChange(wallet);
}
