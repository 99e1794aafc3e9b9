/**
 * Searches the network for the wallet's coins, verifies each by its own transaction, and records which are confirmed,
 * spent or gone. One refresh makes a limited number of requests, and the next one continues.
 */
import { followChain } from '../chain/follow.ts';
import { networkInfo } from '../chain/network.ts';
import { ADDRESSES_PER_REQUEST } from '../chain/whats-on-chain.ts';
import { writeKey } from '../database.ts';
import { checkUnconfirmed } from './confirm.ts';
import { checkKept } from './kept.ts';
import { listCoins } from './lists.ts';
import { noteProgress, readProgress } from './store.ts';
import { readHistory } from './history.ts';
import { readClaims, type Claim } from './read.ts';
import { findGap, noteUsed } from './gap.ts';
import { noteSpent } from './spent.ts';
import { addressesFrom, addressesOf, holdingAddresses, likelyAddresses } from './which.ts';
import { Budget, Work } from './work.ts';
import { CHAINS } from '../vault/keys.ts';
import { publicKeys } from '../vault/vault.ts';
import {
  addressesAt,
  addressesBetween,
  derived,
  extendAddresses,
  extendChain,
  nextUnused,
  reachOf,
} from '../coins/addresses.ts';
import { GAP_LIMIT } from '../coins/reach.ts';
import { recount } from '../coins/recount.ts';
import { announceChange } from '../events.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import type { Address } from '../coins/address.ts';
import { newProgress, type ScanProgress, type Unreadable } from './progress.ts';
import { announceWholeRead } from './whole-read.ts';

/** A refresh by a person searches all addresses, but not more often than this (milliseconds). */
const ROUND_EVERY_MS = 60_000;
/** Addresses searched in rotation: at each refresh, and during a round of all of them. */
const [IN_TURN, IN_ROUND] = [2 * ADDRESSES_PER_REQUEST, 200 * ADDRESSES_PER_REQUEST];
/** How far beyond the last used address of a chain a restored wallet's coins are searched. */
const SEARCHED_BEYOND = { receive: GAP_LIMIT, change: 400, service: 400 };
/** Addresses that are searched per batch there, without being stored. */
const BEYOND_AT_ONCE = 5 * ADDRESSES_PER_REQUEST;
/** Addresses that are searched per batch. */
const AT_ONCE = 10 * ADDRESSES_PER_REQUEST;
/** Maximum number of unreadable transactions that are remembered, and of addresses that they pay. */
const MOST_UNREAD = 500;

let running: Promise<void> | null = null;
let following: Promise<void> | null = null;
let isAskedForAll = false;
let isAskedAnew = false;

/**
 * Brings the coins up to date. Calls during a run share the one after it, because the current one may already have
 * searched the addresses with news.
 * @param all searches all addresses ever derived, not only the likely ones
 * @param isAnew begins a new round of all of them, even soon after the last one
 * @throws ServiceError `network-unavailable`, `service-unavailable`, `invalid-proof`, `wallet-not-set-up`
 */
export function refreshCoins({ all = false, isAnew = false } = {}): Promise<void> {
  isAskedForAll ||= all;
  isAskedAnew ||= isAnew;
  if (running) {
    following ??= running
      .catch(() => undefined)
      .then(() => {
        following = null;
        return refreshCoins();
      });
    return following;
  }
  running = refresh().finally(() => {
    running = null;
  });
  return running;
}

async function refresh(): Promise<void> {
  const keys = await publicKeys();
  const info = await networkInfo();
  await extendAddresses(keys, info.network);
  const work = new Work();
  const before = await readProgress();
  const isBegun = !before.done || (isAskedForAll && isRoundDue(before));
  work.isWhole = isBegun || (before.left ?? 0) > 0;
  if (isBegun) await work.passingOver(() => announceWholeRead(info));
  const failed = new Map(before.unread?.failed.map((one) => [one.txid, one]));
  try {
    if (!before.done) await restore(info, work, failed);
    if ((await readProgress()).done) await lookAround(info, work, failed);
  } finally {
    await noteUnread(work, failed);
  }
  if ((await readProgress()).done) await lookForGaps(info, work);
  if (work.isWhole && (await readProgress()).done && !(await readProgress()).left && (await recount()))
    announceChange();
  if ((await readProgress()).done) await readHistory(info, work);
  // Confirmations come last, so that trouble with the chain doesn't keep coins from being found.
  await work.passingOver(() => followChain(info));
  await checkUnconfirmed(info, work);
  await checkKept(info, work);
  if (work.faults[0]) throw work.faults[0];
}

/** Searches the likely addresses, those with coins, and some or all of the rest. */
async function lookAround(info: NetworkInfo, work: Work, failed: Map<string, Unreadable>): Promise<void> {
  const keys = await publicKeys();
  // Used addresses lead to new ones, which are searched as well, each once.
  for (;;) {
    const likely = (await likelyAddresses(await readProgress())).filter(({ script }) => !work.looked.has(script));
    if (likely.length === 0 || !work.lists.left) break;
    const { isWhole } = await lookAt(info, likely, work, failed);
    await extendAddresses(keys, info.network);
    if (!isWhole) break;
  }
  await lookAtHolding(info, work, failed);
  await lookInTurn(info, work, failed);
  await extendAddresses(keys, info.network);
}

/** The words' reach on each chain when the index was last queried about a gap, while this worker lives. */
const askedAbout = new Map<string, number>();

/** Finds out whether a gap before used addresses is real, or those in between were used as well. */
async function lookForGaps(info: NetworkInfo, work: Work): Promise<void> {
  for (const chain of CHAINS) {
    const reach = await reachOf(chain);
    if ((await nextUnused(chain)) - 1 <= reach + GAP_LIMIT || askedAbout.get(chain) === reach) continue;
    if (!work.lists.left || work.isOver) return;
    const fault = await work.passingOver(() => findGap(info, chain, () => work.lists.took(1)));
    if (!fault) askedAbout.set(chain, await reachOf(chain));
  }
}

/** Searches all addresses that hold coins, as far as the lists go. The next refresh continues there. */
async function lookAtHolding(info: NetworkInfo, work: Work, failed: Map<string, Unreadable>): Promise<void> {
  const start = (await readProgress()).held;
  let after = start;
  for (let wrapped = start === undefined; work.lists.left;) {
    const some = await holdingAddresses(after, AT_ONCE);
    const { isWhole } = await lookAt(
      info,
      some.filter(({ script }) => !work.looked.has(script)),
      work,
      failed,
    );
    if (!isWhole) break;
    after = some.length < AT_ONCE ? undefined : some.at(-1)?.script;
    if (after === undefined ? wrapped : wrapped && start !== undefined && after >= start) break;
    wrapped ||= after === undefined;
  }
  if (after !== start) await noteProgress({ held: after });
}

const isRoundDue = ({ left = 0, roundAt = 0 }: Pick<ScanProgress, 'left' | 'roundAt'>) =>
  left === 0 && Date.now() - roundAt >= ROUND_EVERY_MS;

/** Searches the next addresses in rotation, or all when a person opens the wallet or the browser starts. */
async function lookInTurn(info: NetworkInfo, work: Work, failed: Map<string, Unreadable>): Promise<void> {
  const { roundAt = 0, ...before } = await readProgress();
  let { left = 0, turn } = before;
  if (isAskedAnew || (isAskedForAll && isRoundDue({ left, roundAt }))) {
    left = 0;
    for (const chain of CHAINS) left += await derived(chain);
    await noteProgress({ left, roundAt: Date.now() });
  }
  [isAskedForAll, isAskedAnew] = [false, false];
  const budget = new Budget((left > 0 ? IN_ROUND : IN_TURN) / ADDRESSES_PER_REQUEST, 64_000_000);
  for (let most = left > 0 ? Math.min(left, IN_ROUND) : IN_TURN; most > 0 && budget.left;) {
    const { addresses, next } = await addressesFrom(turn, Math.min(most, AT_ONCE));
    const { isWhole } = await lookAt(
      info,
      addresses.filter(({ script }) => !work.looked.has(script)),
      work,
      failed,
      budget,
    );
    if (!isWhole) break;
    turn = next;
    most -= Math.max(1, addresses.length);
    left = Math.max(0, left - addresses.length);
    await noteProgress({ turn, left });
  }
}

/**
 * Finds every coin of a restored wallet: chain by chain, until twenty addresses in a row were never used (BIP44), and
 * further where an earlier version or a service may have left a gap. Continues after an interrupted refresh or worker.
 */
async function restore(info: NetworkInfo, work: Work, failed: Map<string, Unreadable>): Promise<void> {
  const keys = await publicKeys();
  const { next = { chain: CHAINS[0], from: 0 }, ...before } = await readProgress();
  let { addresses, coins } = before;
  const lists = new Budget(1000, 400_000_000);
  for (const chain of CHAINS.slice(CHAINS.indexOf(next.chain))) {
    for (let from = chain === next.chain ? next.from : 0; ;) {
      await extendAddresses(keys, info.network);
      const quiet = from - (await nextUnused(chain));
      if (quiet >= SEARCHED_BEYOND[chain]) break;
      // May be fewer, because only twenty beyond the last used one are stored.
      let batch = await addressesBetween(chain, from, from + ADDRESSES_PER_REQUEST - 1);
      if (batch.length === 0) {
        batch = addressesAt(keys, info.network, chain, from, Math.min(BEYOND_AT_ONCE, SEARCHED_BEYOND[chain] - quiet));
        const { unspent, isWhole } = await listCoins(info, batch, lists);
        if (!isWhole) return;
        const last = batch.findLast(({ address }) => unspent.some((one) => one.address === address));
        if (last) {
          await extendChain(keys, info.network, chain, last.index);
          continue;
        }
      } else {
        const { added } = await lookAt(info, batch, work, failed, lists);
        coins += added;
        await noteProgress({ addresses, coins });
        // More than one refresh can read: the next one continues here, with the entries that aren't stored yet.
        if (!work.transactions.left || work.isOver || !lists.left) return;
        // Beyond the gap only money matters, and the lists of coins show it.
        if (quiet < GAP_LIMIT)
          await noteUsed(info, await addressesOf(batch.map(({ script }) => script)), () => lists.took(1));
      }
      from += batch.length;
      addresses += batch.length;
      await noteProgress({ addresses, next: { chain, from } });
      announceChange();
    }
  }
  const { unread, crowded } = await readProgress();
  await writeKey('scan', {
    ...newProgress(true),
    addresses,
    coins,
    ...(unread && { unread }),
    ...(crowded && { crowded }),
  });
  announceChange();
}

/** Requests the coins of some addresses, stores new and spent ones, and records what the index showed. */
async function lookAt(
  info: NetworkInfo,
  addresses: readonly Address[],
  work: Work,
  failed: Map<string, Unreadable>,
  lists: Budget = work.lists,
): Promise<{ isWhole: boolean; added: number }> {
  const listed = await listCoins(info, addresses, lists);
  const owners = new Map(addresses.map((one) => [one.address, one]));
  for (const { script } of listed.isWhole ? addresses : listed.looked) work.looked.add(script);
  const claims = listed.unspent
    .filter((one) => !one.spentInMempool)
    .map((one): Claim => ({ ...one, own: owners.get(one.address) as Address }));
  for (const { txid, height } of claims) (height > 0 ? work.mined : work.shown).add(txid);
  const added = await readClaims(info, claims, failed, work);
  await noteSpent(info, listed, work);
  return { isWhole: listed.isWhole, added };
}

/** Keeps unread transactions for the next refresh, and for the user to see. */
async function noteUnread(work: Work, failed: ReadonlyMap<string, Unreadable>): Promise<void> {
  const { unread: before } = await readProgress();
  if (!before && work.unread.size === 0) return;
  const scripts = new Set([...work.unread.values()].flatMap((some) => [...some]));
  // Nothing new is known of addresses that were not searched this time.
  for (const script of before?.scripts ?? []) if (!work.looked.has(script)) scripts.add(script);
  const now = Date.now();
  const waiting = [...work.unread.keys()].some((txid) => (failed.get(txid)?.nextAt ?? 0) <= now);
  await noteProgress({
    unread: {
      count: work.unread.size,
      scripts: [...scripts].slice(0, MOST_UNREAD),
      failed: [...failed.values()].slice(-MOST_UNREAD),
      waiting,
    },
  });
  announceChange();
}
