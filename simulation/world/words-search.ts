/**
 * Searches the ledger, without the wallet's code, for the coins that the recovery words restore in any wallet with gap
 * limit 20.
 */
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { CHAINS, publicKeyHashes, type Chain, type PublicKeys } from '../../wallet/keys/keys.ts';
import { lockOf, type LedgerIndex } from './ledger-index.ts';

/** Number of addresses per chain, more than any simulation uses. */
const ADDRESSES = 160;
/** The search ends after this many consecutive unused addresses (BIP 44). */
const GAP_LIMIT = 20;

export type OwnScripts = ReadonlyMap<string, { chain: Chain; index: number }>;

/** A wallet's locking scripts. `has` also finds a script that follows an inscription. */
class Scripts extends Map<string, { chain: Chain; index: number }> {
  override has(script: string): boolean {
    return super.has(lockOf(script));
  }
}

/** Derives the wallet's locking scripts. */
export function ownScripts(keys: PublicKeys): OwnScripts {
  const indexes = Array.from({ length: ADDRESSES }, (_, i) => i);
  return new Scripts(
    CHAINS.flatMap((chain) =>
      publicKeyHashes(keys, chain, indexes).map((hash, index) => [toHex(p2pkhScript(hash)), { chain, index }] as const),
    ),
  );
}

/** Returns one of the wallet's unspent outputs that the recovery words don't restore, or null. */
export function hiddenFromWords(own: OwnScripts, index: LedgerIndex): string | null {
  let [chain, next] = ['', 0];
  for (const [script, place] of own) {
    if (place.chain !== chain) [chain, next] = [place.chain, 0];
    const paying = index.paying(script);
    if (paying.size === 0) continue;
    if (place.index <= next + GAP_LIMIT - 1) next = place.index + 1;
    else
      for (const outpoint of paying)
        if (index.isUnspent(outpoint)) return `${outpoint} at ${chain} ${place.index}, after ${next - 1}`;
  }
  return null;
}
