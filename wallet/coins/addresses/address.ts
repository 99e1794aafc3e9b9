/** The record of one of the wallet's addresses. */
import type { Chain } from '../../keys/keys.ts';

export interface Address {
  /** Locking script, hex. */
  script: string;
  address: string;
  chain: Chain;
  index: number;
  /** True if a payment has reserved the address or it was paid, in which case it isn't issued again. */
  used: boolean;
  /** True if the network has a transaction that pays the address. */
  seen?: boolean;
  /** True if the index reports without proof that the address was used. Such an address isn't issued. */
  claimed?: true;
  /** Equals `index` while the address is unused, otherwise missing. Key of a database index. */
  free?: number;
}

/** Number of consecutive unused addresses after which a search stops (BIP 44). */
export const GAP_LIMIT = 20;

/** Per chain, the index of the last address that a gap-limit search (BIP 44) finds; -1 if it finds none. */
export type Reach = Record<Chain, number>;

export const NO_REACH: Reach = { receive: -1, change: -1, service: -1 };
