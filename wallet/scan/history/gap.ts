/**
 * Determines whether addresses without known coins were ever used. The index's claim only keeps an address from being
 * issued again. Only a transaction in a block extends the range of issued addresses. Otherwise, a lying index could
 * extend it beyond addresses that a restore would find.
 */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { historyOf, usedAmong } from '../../chain/address-histories.ts';
import type { Header } from '../../chain/headers/header.ts';
import { fetchTransaction, provenBlock } from '../../chain/headers/spv.ts';
import { isInChain } from '../../chain/headers/store.ts';
import type { NetworkInfo } from '../../chain/network-info.ts';
import { addressesBetween, reachOf } from '../../coins/addresses/addresses.ts';
import { type Address, GAP_LIMIT } from '../../coins/addresses/address.ts';
import { addressScriptOf, markSeen, noteClaim } from '../../coins/addresses/records.ts';
import { inTransaction } from '../../store/database.ts';
import type { Chain } from '../../keys/keys.ts';
import type { Wallet } from '../../platform.ts';
import { Budget } from '../work.ts';

/** Maximum number of an address's transactions read to find one that pays it. The oldest one does. */
const MAX_READ_PER_ADDRESS = 3;
/** Maximum number of proofs for a chain in one refresh. Each takes about five requests. */
const MAX_PROOFS = 20;
/** Number of consecutive addresses with failed requests after which the index is considered unreachable. */
const MAX_FAILURES = 5;

/**
 * Checks up to twenty addresses and marks those that were ever used, in one request if the index has a combined list.
 * @param count called before each request
 * @returns the addresses that were used according to the index alone
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function noteUsed(
  wallet: Wallet,
  info: NetworkInfo,
  addresses: readonly Address[],
  count: () => void = () => undefined,
): Promise<Address[]> {
  const unknown = addresses.filter(({ seen }) => !seen);
  if (unknown.length === 0) return [];
  const used = await usedAmong(
    wallet,
    info.wocUrl,
    unknown.map(({ address }) => address),
    count,
  );
  return inTransaction(wallet, async (tx) => {
    const claimed: Address[] = [];
    for (const { script, address } of unknown) {
      const now = await noteClaim(wallet, tx, script, used.has(address));
      if (now?.claimed) claimed.push(now);
    }
    return claimed;
  });
}

/**
 * Queries the index for addresses after the last one that a restore would find, until twenty in a row are unused. A
 * restore from the recovery words would miss used addresses beyond twenty unused ones. The last used address of each
 * twenty must be proven to be paid.
 * @param mayProve false to request no proofs
 * @param count called before each request for lists of several addresses
 * @returns `unproven` if the index claims without proof that one of the twenty was used, `unfinished` if more proofs are
 * needed
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function findGap(
  wallet: Wallet,
  info: NetworkInfo,
  chain: Chain,
  mayProve: boolean,
  count: () => void = () => undefined,
): Promise<'known' | 'unproven' | 'unfinished'> {
  for (let proofs = 0; ;) {
    const reach = await reachOf(wallet, chain);
    const next = await addressesBetween(wallet, chain, reach + 1, reach + GAP_LIMIT);
    const claimed = await noteUsed(wallet, info, next, count);
    if ((await reachOf(wallet, chain)) > reach) continue;
    if (claimed.length === 0) return 'known';
    if (proofs === MAX_PROOFS) return 'unfinished';
    proofs += 1;
    if (!mayProve || !(await proveLast(wallet, info, claimed))) return 'unproven';
  }
}

/**
 * Marks the last of the addresses that a transaction in a block pays. Returns false if there is none.
 * @throws ServiceError `network-unavailable` if that concerns several consecutive addresses
 */
async function proveLast(wallet: Wallet, info: NetworkInfo, addresses: readonly Address[]): Promise<boolean> {
  const budget = new Budget(200, 64_000_000);
  let failures = 0;
  for (const address of addresses.toReversed()) {
    if (!budget.left) return false;
    const block = await blockPaying(wallet, info, address, budget).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      failures = error.code === 'network-unavailable' ? failures + 1 : 0;
      if (failures === MAX_FAILURES) throw error;
      return null;
    });
    const isSeen =
      block !== null &&
      (await inTransaction(wallet, async (tx) => {
        if (!(await isInChain(tx, block.hash))) return false;
        await markSeen(wallet, tx, address.script);
        return true;
      }));
    if (isSeen) return true;
  }
  return false;
}

/**
 * Returns the block of a transaction that pays the address, or null if there is none.
 * @throws ServiceError `invalid-proof`, `invalid-transaction`, `too-large`, `network-unavailable`
 */
async function blockPaying(
  wallet: Wallet,
  info: NetworkInfo,
  { address, script }: Address,
  budget: Budget,
): Promise<Header | null> {
  const { transactions: listed } = await historyOf(wallet, info.wocUrl, address, () => budget.took(1));
  const mined = listed.filter(({ height }) => height > 0).toSorted((a, b) => a.height - b.height);
  for (const { txid } of mined.slice(0, MAX_READ_PER_ADDRESS)) {
    budget.took(1);
    const transaction = await fetchTransaction(wallet, info, txid, (bytes) => budget.took(0, bytes));
    if (!transaction?.outputs.some(({ lockingScript }) => addressScriptOf(lockingScript) === script)) continue;
    budget.took(1);
    const block = await provenBlock(wallet, info, txid);
    if (block) return block;
  }
  return null;
}
