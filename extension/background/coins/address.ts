/** An address of the wallet. */
import type { Chain } from '../vault/keys.ts';

/** One address of ours. */
export interface Address {
  /** Locking script, hex. */
  script: string;
  address: string;
  chain: Chain;
  index: number;
  used: boolean;
}
