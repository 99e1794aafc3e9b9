/** An address of the wallet. */
import { p2pkhScript } from '../../../protocol/address.ts';
import { ownerHash } from '../../../protocol/bsv21/inscription.ts';
import { toHex } from '../../../protocol/bytes.ts';
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

/**
 * The locking script (hex) of the address whose key spends an output: the output's own, or that beside its inscription.
 * Null where it takes more than a signature.
 */
export function addressScriptOf(lockingScript: Uint8Array): string | null {
  const hash = ownerHash(lockingScript);
  return hash && toHex(p2pkhScript(hash));
}
