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
