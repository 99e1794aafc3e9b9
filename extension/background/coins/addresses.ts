/** The wallet's addresses: derived ahead by the gap limit, so that every payment to one of them is found. */
import { toHex } from '../../../protocol/bytes.ts';
import { p2pkhScript, writeAddress, type Network } from '../../../protocol/address.ts';
import { database } from '../database.ts';
import { CHAINS, publicKeyHashes, type Chain, type PublicKeys } from '../vault/keys.ts';

/** How many unused addresses in a row end a search (BIP44). */
export const GAP_LIMIT = 20;

/** One address of ours. */
export interface Address {
  /** Locking script, hex. */
  script: string;
  address: string;
  chain: Chain;
  index: number;
  used: boolean;
}

/** All addresses of one chain, by index. */
export async function chainAddresses(chain: Chain): Promise<Address[]> {
  const range = IDBKeyRange.bound([chain, 0], [chain, Number.MAX_SAFE_INTEGER]);
  return (await database()).getAllFromIndex('addresses', 'chain', range);
}

/** The index after the last used one. */
export function nextUnused(addresses: readonly Address[]): number {
  return addresses.reduce((next, a) => (a.used ? Math.max(next, a.index + 1) : next), 0);
}

/** Derives what is missing, so that every chain has {@link GAP_LIMIT} addresses beyond its last used one. */
export async function extendAddresses(keys: PublicKeys, network: Network): Promise<void> {
  for (const chain of CHAINS) {
    const known = await chainAddresses(chain);
    const wanted = nextUnused(known) + GAP_LIMIT;
    const missing = Array.from({ length: Math.max(0, wanted - known.length) }, (_, i) => known.length + i);
    if (missing.length === 0) continue;
    const hashes = publicKeyHashes(keys, chain, missing);
    const tx = (await database()).transaction('addresses', 'readwrite');
    for (const [i, hash] of hashes.entries()) {
      const script = toHex(p2pkhScript(hash));
      // `add` would fail where a parallel call was quicker; the same address is the same record, so keep theirs.
      if ((await tx.store.get(script)) === undefined) {
        await tx.store.put({ script, address: writeAddress(hash, network), chain, index: missing[i] as number, used: false });
      }
    }
    await tx.done;
  }
}

/** The next address of a chain that nobody has paid yet. */
export async function unusedAddress(keys: PublicKeys, network: Network, chain: Chain): Promise<Address> {
  await extendAddresses(keys, network);
  const addresses = await chainAddresses(chain);
  return addresses[nextUnused(addresses)] as Address;
}
