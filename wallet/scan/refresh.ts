/**
 * Searches the network for the wallet's coins, verifies each one with its own transaction, and records which are
 * confirmed, spent or gone. One refresh makes a limited number of requests, and the next one continues.
 */
import { followChain } from '../chain/headers/follow.ts';
import { networkInfo } from '../chain/network.ts';
import { ADDRESSES_PER_REQUEST } from '../chain/whats-on-chain.ts';
import { checkUnconfirmed } from './confirm.ts';
import { checkBasketSpends } from './basket-spend-check.ts';
import { noteProgress, readProgress } from './scan-progress.ts';
import { readHistory } from './history/history.ts';
import { findGap } from './history/gap.ts';
import { forgetUnusedCrowded } from './lists.ts';
import { restore } from './restore.ts';
import { searchAddresses } from './search-addresses.ts';
import { addressesFrom, holdingAddresses, likelyAddresses } from './history/address-selection.ts';
import { Budget, Work } from './work.ts';
import { CHAINS } from '../keys/keys.ts';
import { publicKeys } from '../vault/vault.ts';
import { addressesBetween, derived, extendAddresses, nextUnused, reachOf } from '../coins/addresses/addresses.ts';
import { GAP_LIMIT } from '../coins/addresses/address.ts';
import { countFound } from '../coins/coin-store.ts';
import { recount } from '../coins/recount.ts';
import { announceChange } from '../events.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import type { ScanProgress, Unreadable } from './history/progress.ts';
import { announceCompleteSearch } from './history/whole-read.ts';
import { part, type Wallet } from '../platform.ts';

/** Minimum time between searches of all addresses when the user refreshes (milliseconds). */
const ROUND_EVERY_MS = 60_000;
/** Number of addresses searched in rotation per refresh, normally and while all addresses are being searched. */
const [IN_TURN, IN_ROUND] = [2 * ADDRESSES_PER_REQUEST, 200 * ADDRESSES_PER_REQUEST];
/** Batch size for stored addresses. */
const ADDRESS_BATCH = 10 * ADDRESSES_PER_REQUEST;
/** Maximum number of stored unreadable transactions, and of addresses that they pay. */
const MAX_UNREADABLE_TRANSACTIONS = 500;
/** Minimum time between requests about addresses that are claimed without proof (milliseconds). */
const PROOFS_EVERY_MS = 3600_000;

const memoryOf = part(() => ({
  running: null as Promise<void> | null,
  following: null as Promise<void> | null,
  isAskedForAll: false,
  isAskedAnew: false,
}));

/**
 * Updates the wallet's coins. Calls during a run all wait for one more run, because the current one may have already
 * passed the addresses with new coins.
 * @param all searches all derived addresses, not only the likely ones
 * @param isAnew starts a new search of all addresses, even soon after the last one
 * @throws ServiceError `network-unavailable`, `service-unavailable`, `invalid-proof`, `wallet-not-set-up`
 */
export function refreshCoins(wallet: Wallet, { all = false, isAnew = false } = {}): Promise<void> {
  const memory = memoryOf(wallet);
  memory.isAskedForAll ||= all;
  memory.isAskedAnew ||= isAnew;
  if (memory.running) {
    memory.following ??= memory.running
      .catch(() => undefined)
      .then(() => {
        memory.following = null;
        return refreshCoins(wallet);
      });
    return memory.following;
  }
  memory.running = refresh(wallet).finally(() => {
    memory.running = null;
  });
  return memory.running;
}

/** Waits until no refresh is running, even if one fails. */
export async function coinsAtRest(wallet: Wallet): Promise<void> {
  const memory = memoryOf(wallet);
  while (memory.following ?? memory.running) await Promise.allSettled([memory.following ?? memory.running]);
}

async function refresh(wallet: Wallet): Promise<void> {
  const keys = await publicKeys(wallet);
  const info = await networkInfo(wallet);
  await extendAddresses(wallet, keys, info.network);
  await forgetUnusedCrowded(wallet);
  const work = new Work(wallet);
  const before = await readProgress(wallet);
  const isBegun = !before.done || (memoryOf(wallet).isAskedForAll && isRoundDue(wallet, before));
  work.isWhole = isBegun || (before.left ?? 0) > 0;
  if (isBegun) await work.passingOver(() => announceCompleteSearch(wallet, info));
  const failed = new Map(before.unread?.failed.map((one) => [one.txid, one]));
  try {
    if (!before.done) await restore(wallet, info, work, failed);
    if ((await readProgress(wallet)).done) await lookAround(wallet, info, work, failed);
  } finally {
    await noteUnread(wallet, work, failed);
  }
  if ((await readProgress(wallet)).done) await lookForGaps(wallet, info, work);
  if (
    work.isWhole &&
    (await readProgress(wallet)).done &&
    !(await readProgress(wallet)).left &&
    (await recount(wallet))
  )
    announceChange(wallet);
  if ((await readProgress(wallet)).done) await readHistory(wallet, info, work);
  // Confirmations are checked last so that problems with headers don't keep coins from being found.
  await work.passingOver(() => followChain(wallet, info));
  await checkUnconfirmed(wallet, info, work);
  await checkBasketSpends(wallet, info, work);
  if (work.faults[0]) throw work.faults[0];
}

/** Searches the likely addresses, the addresses with coins, and some or all of the other addresses. */
async function lookAround(
  wallet: Wallet,
  info: NetworkInfo,
  work: Work,
  failed: Map<string, Unreadable>,
): Promise<void> {
  const keys = await publicKeys(wallet);
  // Finding coins marks addresses as used, which extends the chain. The new addresses are then also searched.
  for (;;) {
    const likely = (await likelyAddresses(wallet, await readProgress(wallet))).filter(
      ({ script }) => !work.looked.has(script),
    );
    if (likely.length === 0 || !work.lists.left) break;
    const { isWhole } = await searchAddresses(wallet, info, likely, work, failed);
    await extendAddresses(wallet, keys, info.network);
    if (!isWhole) break;
  }
  await lookAtHolding(wallet, info, work, failed);
  await lookInTurn(wallet, info, work, failed);
  await extendAddresses(wallet, keys, info.network);
}

/**
 * By index, wallet and chain: the last address that a restore would have found when gaps were last checked, and when
 * proofs were last requested for claimed addresses after it (milliseconds since 1970). Lost when the worker stops.
 */
const askedAbout = part(() => new Map<string, { reach: number; provedAt: number }>());

/**
 * If used addresses follow a gap of unused ones, or the index claims that addresses after the last one that a restore
 * would find were used, checks which addresses were really used.
 */
async function lookForGaps(wallet: Wallet, info: NetworkInfo, work: Work): Promise<void> {
  const { spendingXpub } = await publicKeys(wallet);
  let isGapUnfinished = false;
  for (const chain of CHAINS) {
    const reach = await reachOf(wallet, chain);
    const key = [info.wocUrl, spendingXpub, chain].join(' ');
    const asked = askedAbout(wallet).get(key);
    const before = asked?.reach === reach ? asked.provedAt : Number.NEGATIVE_INFINITY;
    const next = await addressesBetween(wallet, chain, reach + 1, reach + GAP_LIMIT);
    const isBeyond = (await nextUnused(wallet, chain)) - 1 > reach + GAP_LIMIT;
    if (!next.some(({ claimed }) => claimed) && !(isBeyond && asked?.reach !== reach)) continue;
    if (Math.abs(wallet.now() - before) < PROOFS_EVERY_MS) continue;
    if (!work.lists.left || work.isOver) return;
    await work.passingOver(async () => {
      const gap = await findGap(wallet, info, chain, true, () => work.lists.took(1));
      isGapUnfinished ||= gap === 'unfinished';
      const provedAt = gap === 'unproven' ? wallet.now() : Number.NEGATIVE_INFINITY;
      askedAbout(wallet).set(key, { reach: await reachOf(wallet, chain), provedAt });
    });
    await countFound(wallet);
    if ((await reachOf(wallet, chain)) !== reach) announceChange(wallet);
  }
  if (isGapUnfinished !== ((await readProgress(wallet)).isGapUnfinished ?? false))
    await noteProgress(wallet, { isGapUnfinished });
}

/** Searches the addresses that hold coins, within the budget. The next refresh continues at the stored position. */
async function lookAtHolding(
  wallet: Wallet,
  info: NetworkInfo,
  work: Work,
  failed: Map<string, Unreadable>,
): Promise<void> {
  const start = (await readProgress(wallet)).held;
  let after = start;
  for (let wrapped = start === undefined; work.lists.left;) {
    const some = await holdingAddresses(wallet, after, ADDRESS_BATCH);
    const { isWhole } = await searchAddresses(
      wallet,
      info,
      some.filter(({ script }) => !work.looked.has(script)),
      work,
      failed,
    );
    if (!isWhole) break;
    after = some.length < ADDRESS_BATCH ? undefined : some.at(-1)?.script;
    if (after === undefined ? wrapped : wrapped && start !== undefined && after >= start) break;
    wrapped ||= after === undefined;
  }
  if (after !== start) await noteProgress(wallet, { held: after });
}

const isRoundDue = (wallet: Wallet, { left = 0, roundAt = 0 }: Pick<ScanProgress, 'left' | 'roundAt'>) =>
  left === 0 && wallet.now() - roundAt >= ROUND_EVERY_MS;

/** Searches the next addresses in rotation, or all of them after the user opens the wallet or the browser starts. */
async function lookInTurn(
  wallet: Wallet,
  info: NetworkInfo,
  work: Work,
  failed: Map<string, Unreadable>,
): Promise<void> {
  const memory = memoryOf(wallet);
  const { roundAt = 0, ...before } = await readProgress(wallet);
  let { left = 0, turn } = before;
  if (memory.isAskedAnew || (memory.isAskedForAll && isRoundDue(wallet, { left, roundAt }))) {
    left = 0;
    for (const chain of CHAINS) left += await derived(wallet, chain);
    await noteProgress(wallet, { left, roundAt: wallet.now() });
  }
  [memory.isAskedForAll, memory.isAskedAnew] = [false, false];
  const budget = new Budget((left > 0 ? IN_ROUND : IN_TURN) / ADDRESSES_PER_REQUEST, 64_000_000);
  for (let most = left > 0 ? Math.min(left, IN_ROUND) : IN_TURN; most > 0 && budget.left;) {
    const { addresses, next } = await addressesFrom(wallet, turn, Math.min(most, ADDRESS_BATCH));
    const { isWhole } = await searchAddresses(
      wallet,
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
    await noteProgress(wallet, { turn, left });
  }
}

/** Stores the transactions that couldn't be read, to retry them at the next refresh and to show their number. */
async function noteUnread(wallet: Wallet, work: Work, failed: ReadonlyMap<string, Unreadable>): Promise<void> {
  const { unread: before } = await readProgress(wallet);
  if (!before && work.unread.size === 0) return;
  const scripts = new Set([...work.unread.values()].flatMap((some) => [...some]));
  // Addresses that weren't searched remain recorded.
  for (const script of before?.scripts ?? []) if (!work.looked.has(script)) scripts.add(script);
  const now = wallet.now();
  const waiting = [...work.unread.keys()].some((txid) => (failed.get(txid)?.nextAt ?? 0) <= now);
  await noteProgress(wallet, {
    unread: {
      count: work.unread.size,
      scripts: [...scripts].slice(0, MAX_UNREADABLE_TRANSACTIONS),
      failed: [...failed.values()].slice(-MAX_UNREADABLE_TRANSACTIONS),
      waiting,
    },
  });
  announceChange(wallet);
}
