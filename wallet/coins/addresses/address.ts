import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { ownerHash } from '../../../protocol/assets/bsv21/inscription.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import type { Chain } from '../../keys/keys.ts';

export interface Address {
  /** Locking script, hex. */
  script: string;
  address: string;
  chain: Chain;
  index: number;
  /** Reserved by a payment, or paid already, so it isn't issued again. */
  used: boolean;
  /** True if the network has a transaction that pays the address. */
  seen?: boolean;
  /** Same as `index` while the address is unused: the key of a database index of unused addresses. */
  free?: number;
}

export function indexed({ free: _, ...address }: Address): Address {
  return address.used ? address : { ...address, free: address.index };
}

/** Returns the P2PKH script (hex) of an output's owner, without an inscription; null for other scripts. */
export function addressScriptOf(lockingScript: Uint8Array): string | null {
  const hash = ownerHash(lockingScript);
  return hash && toHex(p2pkhScript(hash));
}

/** Number of consecutive unused addresses after which a search stops (BIP 44). */
export const GAP_LIMIT = 20;

/** Per chain, the index of the last address that a gap-limit search (BIP 44) finds; -1 if it finds none. */
export type Reach = Record<Chain, number>;

/** The reach of a new wallet. */
export const NO_REACH: Reach = { receive: -1, change: -1, service: -1 };

/** Reads one chain's addresses from index `from` to `to`, both inclusive. */
export type ReadAddresses = (from: number, to: number) => Promise<readonly Address[]>;

/** Continues a gap-limit search from the address found at `from`. Returns the index of the last one found. */
export async function reachFrom(read: ReadAddresses, from: number): Promise<number> {
  for (let reach = from; ;) {
    const next = (await read(reach + 1, reach + GAP_LIMIT)).findLast(({ seen }) => seen);
    if (!next) return reach;
    reach = next.index;
  }
}

export async function reachAfter(reach: number, { index, seen }: Address, read: ReadAddresses): Promise<number> {
  if (seen) return index > reach && index <= reach + GAP_LIMIT ? reachFrom(read, index) : reach;
  if (index > reach) return reach;
  const before = (await read(index - GAP_LIMIT, index - 1)).findLast((one) => one.seen)?.index ?? -1;
  const next = (await read(index + 1, before + GAP_LIMIT)).some((one) => one.seen);
  return next ? reach : before;
}
