/**
 * What is certain about a signed transaction that the network did not take, or no longer knows. That nobody knows it proves
 * nothing: whoever has its bytes may still have it mined.
 */
import { fetchTransaction, provenBlock, provenSpender } from '../chain/evidence.ts';
import type { NetworkInfo } from '../chain/network.ts';
import type { Header } from '../chain/whats-on-chain.ts';
import type { SignedPart } from './record.ts';

/** So many inputs are asked about at a time: a transaction may have thousands. */
const INPUTS_AT_ONCE = 20;

/**
 * `mined`: a checked proof places it in a block. `known`: the index has it. `dead`: a checked proof places another
 * transaction (`spender`) in a block that spends one of its inputs. `open`: it may still be mined.
 */
export type Fate = { kind: 'mined'; block: Header } | { kind: 'known' | 'open' } | { kind: 'dead'; outpoint: string; spender: string; block: Header };

/**
 * Finds out.
 * @param look number of this look: each goes on where the one before ended
 * @throws ServiceError `network-unavailable`, `invalid-proof`
 */
export async function fateOf(info: NetworkInfo, { txid, inputs }: SignedPart, look: number): Promise<Fate> {
  if ((await fetchTransaction(info, txid)) !== null) {
    const block = await provenBlock(info, txid);
    return block ? { kind: 'mined', block } : { kind: 'known' };
  }
  const from = (look * INPUTS_AT_ONCE) % inputs.length;
  for (const outpoint of [...inputs.slice(from), ...inputs.slice(0, from)].slice(0, INPUTS_AT_ONCE)) {
    const [parent = '', vout] = outpoint.split(':');
    const spender = await provenSpender(info, parent, Number(vout));
    const block = spender === null || spender === txid ? null : await provenBlock(info, spender);
    if (spender !== null && block) return { kind: 'dead', outpoint, spender, block };
  }
  return { kind: 'open' };
}
