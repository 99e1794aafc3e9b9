/** An extended search for coins beyond the gap limit, for users who are missing money after a restore. */
import { networkInfo } from '../../chain/network.ts';
import { derived, extendChain, nextUnused } from '../../coins/addresses/addresses.ts';
import { database, readTransaction } from '../../store/database.ts';
import { CHAINS } from '../../keys/keys.ts';
import { publicKeys } from '../../vault/vault.ts';
import { refreshCoins } from '../refresh.ts';
import { readProgress } from '../scan-progress.ts';
import { countReceipts } from '../../coins/receipts/receipts.ts';
import type { Wallet } from '../../platform.ts';

/** Number of additional addresses searched on each chain per call. */
const SEARCHED_FURTHER = 500;
/** Maximum number of addresses searched beyond a chain's last used one. */
const MAX_SEARCHED_BEYOND = 10_000;

/**
 * Derives more addresses on each chain and searches all of them for coins.
 * @returns the minimum number of addresses searched on each chain, and the number of new payments to the user.
 * `isWhole` is false if the next refresh must continue
 * @throws ServiceError those of `refreshCoins`
 */
export async function searchFurther(
  wallet: Wallet,
): Promise<{ addresses: number; payments: number; isWhole: boolean }> {
  const [keys, { network }] = [await publicKeys(wallet), await networkInfo(wallet)];
  const before = await countReceipts(readTransaction(await database(wallet)));
  for (const chain of CHAINS) {
    const most = (await nextUnused(wallet, chain)) + MAX_SEARCHED_BEYOND;
    await extendChain(
      wallet,
      keys,
      network,
      chain,
      Math.min((await derived(wallet, chain)) + SEARCHED_FURTHER, most) - 1,
    );
  }
  await refreshCoins(wallet, { all: true, isAnew: true });
  const { left = 0, done } = await readProgress(wallet);
  return {
    addresses: Math.min(...(await Promise.all(CHAINS.map((chain) => derived(wallet, chain))))),
    payments: (await countReceipts(readTransaction(await database(wallet)))) - before,
    isWhole: done && left === 0,
  };
}
