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
  /** Taken by a payment, so that no new one gets it. */
  used: boolean;
  /** The network has a transaction that pays to it. */
  seen?: boolean;
  /** Its index while it isn't taken, by which the database finds the lowest one. */
  free?: number;
}

export function indexed({ free: _, ...address }: Address): Address {
  return address.used ? address : { ...address, free: address.index };
}

/** The locking script (hex) of the address that can spend an output, without its inscription; null for others. */
export function addressScriptOf(lockingScript: Uint8Array): string | null {
  const hash = ownerHash(lockingScript);
  return hash && toHex(p2pkhScript(hash));
}

/** How many unused addresses in a row end a search (BIP44). */
export const GAP_LIMIT = 20;

/** The last address of each chain that such a search finds, by its index; -1 if it finds none. */
export type Reach = Record<Chain, number>;

/** The reach of a new wallet. */
export const NO_REACH: Reach = { receive: -1, change: -1, service: -1 };

/** Reads addresses of one chain, `from` to `to`, both inclusive. */
export type ReadAddresses = (from: number, to: number) => Promise<readonly Address[]>;

/** The reach of a search that has found the address at `from`. */
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
