import { ServiceError } from '../../protocol/errors/service-error.ts';
import { MAX_BYTES } from '../chain/http.ts';
import { ADDRESSES_PER_REQUEST, unspentOf, type Unspent } from '../chain/whats-on-chain.ts';
import { getAddress, noteClaim } from '../coins/addresses/records.ts';
import { database, inTransaction, readTransaction } from '../store/database.ts';
import { noteProgress, readProgress } from './scan-progress.ts';
import type { Budget } from './work.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import type { Address } from '../coins/addresses/address.ts';
import type { Wallet } from '../platform.ts';

/** Approximate size of a coin in a list (bytes). */
const COIN_BYTES = 160;
const MAX_CROWDED_ADDRESSES = 200;
/** Delay before a crowded address is queried again (milliseconds). */
export const CROWDED_MS = 24 * 3600_000;

/** Coins listed by the index, and the addresses covered by its responses. Nothing is known about other addresses. */
export interface Listed {
  unspent: Unspent[];
  looked: Address[];
  /** False if the budget ran out before all addresses were queried. */
  isWhole: boolean;
}

/**
 * Requests the coins at these addresses, twenty per request, within the budget. An address whose own list exceeds the
 * maximum response size is stored as crowded and marked as used, so it isn't offered for receiving again.
 * @throws ServiceError `network-unavailable`
 */
export async function listCoins(
  wallet: Wallet,
  info: NetworkInfo,
  addresses: readonly Address[],
  budget: Budget,
): Promise<Listed> {
  const listed: Listed = { unspent: [], looked: [], isWhole: true };
  const ask = async (some: readonly Address[]): Promise<boolean> => {
    let bytes = MAX_BYTES;
    let requests = 0;
    try {
      const unspent = await unspentOf(
        wallet,
        info.wocUrl,
        some.map(({ address }) => address),
        () => (requests += 1),
      );
      bytes = unspent.length * COIN_BYTES;
      listed.unspent.push(...unspent);
      listed.looked.push(...some);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'too-large') throw error;
      return false;
    } finally {
      budget.took(requests, bytes);
    }
  };
  const crowded = new Map((await readProgress(wallet)).crowded?.map((one) => [one.script, one.nextAt]));
  const together = addresses.filter(({ script }) => !crowded.has(script));
  const alone = addresses.filter(({ script }) => (crowded.get(script) ?? Number.POSITIVE_INFINITY) <= wallet.now());
  for (let i = 0; i < together.length; i += ADDRESSES_PER_REQUEST) {
    if (!budget.left) return { ...listed, isWhole: false };
    const batch = together.slice(i, i + ADDRESSES_PER_REQUEST);
    if (!(await ask(batch))) alone.push(...batch);
  }
  for (const address of alone) {
    if (!budget.left) return { ...listed, isWhole: false };
    const isListed = await ask([address]);
    if (!isListed || crowded.has(address.script)) await noteCrowded(wallet, address, !isListed);
  }
  return listed;
}

async function noteCrowded(wallet: Wallet, address: Address, is: boolean): Promise<void> {
  const others = ((await readProgress(wallet)).crowded ?? []).filter(({ script }) => script !== address.script);
  const crowded = is ? [...others, { script: address.script, nextAt: wallet.now() + CROWDED_MS }] : others;
  await noteProgress(wallet, { crowded: crowded.slice(-MAX_CROWDED_ADDRESSES) });
  if (is) await inTransaction(wallet, (tx) => noteClaim(wallet, tx, address.script, true));
}

/** Searches crowded addresses again that aren't marked as used anymore, because the index reports them as unused. */
export async function forgetUnusedCrowded(wallet: Wallet): Promise<void> {
  const { crowded = [] } = await readProgress(wallet);
  if (crowded.length === 0) return;
  const tx = readTransaction(await database(wallet));
  const found = await Promise.all(crowded.map(({ script }) => getAddress(tx, script)));
  const left = crowded.filter((_, i) => found[i]?.used !== false);
  if (left.length < crowded.length) await noteProgress(wallet, { crowded: left });
}
