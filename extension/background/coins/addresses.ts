/** The wallet's addresses: derived ahead by the gap limit, so that every payment to one of them is found. */
import { toHex } from '../../../protocol/bytes.ts';
import { p2pkhScript, writeAddress, type Network } from '../../../protocol/address.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { database } from '../database.ts';
import { CHAINS, publicKeyHashes, type Chain, type PublicKeys } from '../vault/keys.ts';
import type { Address } from './address.ts';

/** How many unused addresses in a row end a search (BIP44). */
export const GAP_LIMIT = 20;

/** All addresses of one chain, by index. */
export async function chainAddresses(chain: Chain): Promise<Address[]> {
  const range = IDBKeyRange.bound([chain, 0], [chain, Number.MAX_SAFE_INTEGER]);
  return (await database()).getAllFromIndex('addresses', 'chain', range);
}

/** Addresses of one chain by index, `from` to `to`, both counted in. */
export async function addressesBetween(chain: Chain, from: number, to: number): Promise<Address[]> {
  return (await database()).getAllFromIndex('addresses', 'chain', IDBKeyRange.bound([chain, from], [chain, to]));
}

/** How many addresses of a chain are derived: they are contiguous from 0. */
export const derived = async (chain: Chain): Promise<number> => (await endsOf(chain)).derived;

/** The index after the last used one. */
export const nextUnused = async (chain: Chain): Promise<number> => (await endsOf(chain)).nextUnused;

/**
 * Both, in one transaction. Searches from the end, where there are usually no more than {@link GAP_LIMIT} unused ones.
 */
async function endsOf(chain: Chain): Promise<{ derived: number; nextUnused: number }> {
  const index = (await database()).transaction('addresses').store.index('chain');
  const within = (from: number, to: number) => IDBKeyRange.bound([chain, from], [chain, to]);
  const last = await index.openCursor(within(0, Number.MAX_SAFE_INTEGER), 'prev');
  const count = last ? last.value.index + 1 : 0;
  for (let end = count; end > 0; end -= GAP_LIMIT + 1) {
    const addresses = await index.getAll(within(Math.max(0, end - GAP_LIMIT - 1), end - 1));
    const used = addresses.findLast((address) => address.used);
    if (used) return { derived: count, nextUnused: used.index + 1 };
  }
  return { derived: count, nextUnused: 0 };
}

/** The addresses of a chain that something may be expected on: the last used ones and all after them. */
export async function recentAddresses(chain: Chain): Promise<Address[]> {
  return addressesBetween(chain, Math.max(0, (await nextUnused(chain)) - GAP_LIMIT), Number.MAX_SAFE_INTEGER);
}

/**
 * Derives what is missing, so that every chain has {@link GAP_LIMIT} addresses beyond its last used one.
 * @throws ServiceError `wallet-not-set-up` (the keys are not, or no longer, this wallet's)
 */
export async function extendAddresses(keys: PublicKeys, network: Network): Promise<void> {
  for (const chain of CHAINS) await extendChain(keys, network, chain);
}

/**
 * Derives one chain as far as that, and at least up to an index, that one counted in.
 * @throws ServiceError `wallet-not-set-up` (the keys are not, or no longer, this wallet's)
 */
export async function extendChain(keys: PublicKeys, network: Network, chain: Chain, upTo = -1): Promise<void> {
  const { derived: known, nextUnused: next } = await endsOf(chain);
  const wanted = Math.max(upTo + 1, next + GAP_LIMIT);
  const missing = Array.from({ length: Math.max(0, wanted - known) }, (_, i) => known + i);
  if (missing.length === 0) return;
  const hashes = publicKeyHashes(keys, chain, missing);
  const tx = (await database()).transaction(['addresses', 'keyval'], 'readwrite');
  const store = tx.objectStore('addresses');
  // The wallet may have been removed meanwhile: the next one must never show addresses, or take change, of these keys.
  const current = (await tx.objectStore('keyval').get('publicKeys')) as PublicKeys | undefined;
  const isTheirs = current?.spendingXpub === keys.spendingXpub;
  for (const [i, hash] of (isTheirs ? hashes : []).entries()) {
    const script = toHex(p2pkhScript(hash));
    // `add` would fail where a parallel call was quicker; the same address is the same record, so keep theirs.
    if ((await store.get(script)) === undefined) {
      await store.put({
        script,
        address: writeAddress(hash, network),
        chain,
        index: missing[i] as number,
        used: false,
      });
    }
  }
  await tx.done;
  if (!isTheirs) throw new ServiceError('wallet-not-set-up');
}

/**
 * The next addresses of a chain that nobody has paid yet, without a gap: {@link GAP_LIMIT} at most.
 * @throws ServiceError `wallet-not-set-up` (the keys are not, or no longer, this wallet's)
 */
export async function unusedAddresses(
  keys: PublicKeys,
  network: Network,
  chain: Chain,
  count: number,
): Promise<Address[]> {
  const unused = async () => {
    const next = await nextUnused(chain);
    return addressesBetween(chain, next, next + count - 1);
  };
  const known = await unused();
  // A search derives ahead again (scan/refresh.ts); a payment need not wait for more than it takes.
  if (known.length === count) return known;
  await extendChain(keys, network, chain);
  return unused();
}

/** The next address of a chain that nobody has paid yet. */
export async function unusedAddress(keys: PublicKeys, network: Network, chain: Chain): Promise<Address> {
  return (await unusedAddresses(keys, network, chain, 1))[0] as Address;
}
