/** Determines whether addresses without known coins were ever used, according to the index. */
import { usedAmong } from '../../chain/address-histories.ts';
import type { NetworkInfo } from '../../chain/network-info.ts';
import { addressesBetween, reachOf } from '../../coins/addresses/addresses.ts';
import { type Address, GAP_LIMIT } from '../../coins/addresses/address.ts';
import { markSeen, settleAddress } from '../../coins/addresses/records.ts';
import { inTransaction } from '../../store/database.ts';
import type { Chain } from '../../keys/keys.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Checks up to twenty addresses and marks those that were ever used, in one request if the index has a combined list.
 * @param count called before each request
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function noteUsed(
  wallet: Wallet,
  info: NetworkInfo,
  addresses: readonly Address[],
  count: () => void = () => undefined,
): Promise<void> {
  const unknown = addresses.filter(({ seen }) => !seen);
  if (unknown.length === 0) return;
  const used = await usedAmong(
    wallet,
    info.wocUrl,
    unknown.map(({ address }) => address),
    count,
  );
  await inTransaction(wallet, async (tx) => {
    for (const { script, address } of unknown) await (used.has(address) ? markSeen : settleAddress)(wallet, tx, script);
  });
}

/**
 * Queries the index for addresses after the last one that a restore would find, until twenty in a row are unused. A
 * restore from the recovery words would miss used addresses beyond twenty unused ones.
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function findGap(wallet: Wallet, info: NetworkInfo, chain: Chain, count?: () => void): Promise<void> {
  for (let reach = await reachOf(wallet, chain), before = Number.NaN; reach !== before;) {
    before = reach;
    await noteUsed(wallet, info, await addressesBetween(wallet, chain, reach + 1, reach + GAP_LIMIT), count);
    reach = await reachOf(wallet, chain);
  }
}
