/**
 * Derives and issues the wallet's addresses. Addresses are derived in advance, up to the gap limit, because only
 * derived addresses are searched for payments.
 */
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { p2pkhScript, writeAddress, type Network } from '../../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { database, keyIn, keyedTransaction, readTransaction } from '../../store/database.ts';
import { CHAINS, publicKeyHashes, type Chain, type PublicKeys } from '../../keys/keys.ts';
import { type Address, GAP_LIMIT } from './address.ts';
import { reachIn, indexed } from './records.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Maximum number of addresses issued past the last one that a search finds. Below {@link GAP_LIMIT}, so a restore
 * finds them.
 */
export const MAX_AHEAD = 15;

export async function chainAddresses(wallet: Wallet, chain: Chain): Promise<Address[]> {
  const range = wallet.keyRange.bound([chain, 0], [chain, Number.MAX_SAFE_INTEGER]);
  return (await database(wallet)).getAllFromIndex('addresses', 'chain', range);
}

/** Returns the stored addresses on one chain from index `from` to `to`, both inclusive. */
export async function addressesBetween(wallet: Wallet, chain: Chain, from: number, to: number): Promise<Address[]> {
  return (await database(wallet)).getAllFromIndex(
    'addresses',
    'chain',
    wallet.keyRange.bound([chain, from], [chain, to]),
  );
}

/** Derives `count` addresses on one chain, starting at index `from`. Stores nothing. */
export function addressesAt(keys: PublicKeys, network: Network, chain: Chain, from: number, count: number): Address[] {
  const indexes = Array.from({ length: count }, (_, i) => from + i);
  return publicKeyHashes(keys, chain, indexes).map((hash, i) => ({
    script: toHex(p2pkhScript(hash)),
    address: writeAddress(hash, network),
    chain,
    index: from + i,
    used: false,
  }));
}

/** Returns the number of derived addresses on a chain. Their indexes are contiguous from 0. */
export const derived = async (wallet: Wallet, chain: Chain): Promise<number> => (await endsOf(wallet, chain)).derived;

/** Returns the index that follows a chain's last used address. */
export const nextUnused = async (wallet: Wallet, chain: Chain): Promise<number> =>
  (await endsOf(wallet, chain)).nextUnused;

/**
 * Reads the end of a chain in one transaction. Reads backwards, because usually at most {@link GAP_LIMIT} addresses are
 * unused.
 */
async function endsOf(wallet: Wallet, chain: Chain): Promise<{ derived: number; nextUnused: number }> {
  const index = (await database(wallet)).transaction('addresses').store.index('chain');
  const within = (from: number, to: number) => wallet.keyRange.bound([chain, from], [chain, to]);
  const last = await index.openCursor(within(0, Number.MAX_SAFE_INTEGER), 'prev');
  const count = last ? last.value.index + 1 : 0;
  for (let end = count; end > 0; end -= GAP_LIMIT + 1) {
    const addresses = await index.getAll(within(Math.max(0, end - GAP_LIMIT - 1), end - 1));
    const used = addresses.findLast((address) => address.used);
    if (used) return { derived: count, nextUnused: used.index + 1 };
  }
  return { derived: count, nextUnused: 0 };
}

/** Returns the index of the last address on a chain that a gap-limit search finds, or -1. */
export async function reachOf(wallet: Wallet, chain: Chain): Promise<number> {
  return (await reachIn(readTransaction(await database(wallet))))[chain];
}

/**
 * Returns addresses likely to be paid: those near the last used one and near the last one found, and the next unused
 * one.
 */
export async function recentAddresses(wallet: Wallet, chain: Chain): Promise<Address[]> {
  const around = (index: number) =>
    addressesBetween(wallet, chain, Math.max(0, index - GAP_LIMIT), index + GAP_LIMIT - 1);
  const found = [
    ...(await freeUpTo(wallet, chain, 1, Number.POSITIVE_INFINITY)).free,
    ...(await around((await reachOf(wallet, chain)) + 1)),
    ...(await around(await nextUnused(wallet, chain))),
  ];
  return [...new Map(found.map((one) => [one.index, one])).values()].sort((a, b) => a.index - b.index);
}

/**
 * Derives the missing addresses on all chains. Each chain needs {@link GAP_LIMIT} addresses after its last used one.
 * @throws ServiceError `wallet-not-set-up` if the keys don't belong to the current wallet
 */
export async function extendAddresses(wallet: Wallet, keys: PublicKeys, network: Network): Promise<void> {
  for (const chain of CHAINS) await extendChain(wallet, keys, network, chain);
}

/**
 * Derives one chain as {@link extendAddresses} does, and at least up to the index `upTo`.
 * @throws ServiceError `wallet-not-set-up` if the keys don't belong to the current wallet
 */
export async function extendChain(
  wallet: Wallet,
  keys: PublicKeys,
  network: Network,
  chain: Chain,
  upTo = -1,
): Promise<void> {
  const { derived: known, nextUnused: next } = await endsOf(wallet, chain);
  const wanted = Math.max(upTo + 1, next + GAP_LIMIT);
  if (wanted <= known) return;
  const missing = addressesAt(keys, network, chain, known, wanted - known);
  const tx = await keyedTransaction(wallet, ['addresses'], 'read');
  const store = tx.objectStore('addresses');
  // If the wallet has been removed, a new one must never show these addresses or send change to them.
  const current = await keyIn(tx, 'publicKeys');
  const isTheirs = current?.spendingXpub === keys.spendingXpub;
  for (const address of isTheirs ? missing : []) {
    // A concurrent call may have stored the same record, so `add` would fail.
    if ((await store.get(address.script)) === undefined) await store.put(indexed(address));
  }
  await tx.done;
  if (!isTheirs) throw new ServiceError('wallet-not-set-up');
}

/**
 * Returns the lowest unused addresses on a chain, fewer than `count` if no more may be issued. The transaction that
 * stores a payment also reserves its addresses (records.ts).
 * @param ahead maximum number of addresses issued past the last one that a search finds
 * @throws ServiceError `wallet-not-set-up` if the keys don't belong to the current wallet
 */
export async function freeAddresses(
  wallet: Wallet,
  keys: PublicKeys,
  network: Network,
  chain: Chain,
  count: number,
  ahead = MAX_AHEAD,
): Promise<Address[]> {
  const { free, areDerived } = await freeUpTo(wallet, chain, count, ahead);
  if (areDerived) return free;
  // Extends only this chain, because a payment is waiting for it. Refreshes extend all chains (wallet/scan/refresh.ts).
  await extendChain(wallet, keys, network, chain);
  return (await freeUpTo(wallet, chain, count, ahead)).free;
}

/** Returns unused addresses that are already derived, and whether all addresses that may be issued are derived. */
async function freeUpTo(
  wallet: Wallet,
  chain: Chain,
  count: number,
  ahead: number,
): Promise<{ free: Address[]; areDerived: boolean }> {
  const tx = readTransaction(await database(wallet));
  const reach = await reachIn(tx);
  const upTo = reach[chain] + ahead;
  const addresses = tx.objectStore('addresses');
  const last = addresses.index('chain').getKey([chain, upTo]);
  const free = await addresses.index('free').getAll(wallet.keyRange.bound([chain, 0], [chain, upTo]), count);
  return { free, areDerived: (await last) !== undefined };
}

/**
 * Returns the next receiving address on a chain: the lowest unused one, or the last one found if no more may be issued.
 * @throws ServiceError `wallet-not-set-up` if the keys don't belong to the current wallet
 */
export async function unusedAddress(
  wallet: Wallet,
  keys: PublicKeys,
  network: Network,
  chain: Chain,
): Promise<Address> {
  const [free] = await freeAddresses(wallet, keys, network, chain, 1);
  return free ?? lastFound(wallet, chain);
}

/** Returns addresses seen on the network that a restore would miss because of a gap before them. */
export async function unfoundAddresses(wallet: Wallet): Promise<Address[]> {
  const tx = readTransaction(await database(wallet));
  const reach = await reachIn(tx);
  const beyond = (chain: Chain) =>
    wallet.keyRange.bound([chain, reach[chain] + GAP_LIMIT + 1], [chain, Number.MAX_SAFE_INTEGER]);
  const index = tx.objectStore('addresses').index('chain');
  return (await Promise.all(CHAINS.map((chain) => index.getAll(beyond(chain))))).flat().filter(({ seen }) => seen);
}

/** Returns the last address on a chain that a gap-limit search finds, or the first address if it finds none. */
export async function lastFound(wallet: Wallet, chain: Chain): Promise<Address> {
  const index = Math.max(0, await reachOf(wallet, chain));
  return (await addressesBetween(wallet, chain, index, index))[0] as Address;
}
