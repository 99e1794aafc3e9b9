/** Determines the state of a rejected or unknown transaction, which others may still submit to the network. */
import type { Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { fetchTransaction, minedRival, provenBlock } from '../../chain/headers/spv.ts';
import type { Header } from '../../chain/whats-on-chain.ts';
import { lostCoin, neededBy } from '../../coins/gone.ts';
import type { SignedPart } from '../record.ts';
import type { NetworkInfo } from '../../chain/network-info.ts';
import { heldHeader } from '../../chain/headers/store.ts';
import type { Wallet } from '../../platform.ts';

/** Number of inputs queried per check, because a transaction may have thousands. */
const INPUTS_PER_CHECK = 20;

/**
 * `mined`: proven to be in a block. `known`: listed by the index. `dead`: can't be mined, even if the index lists it,
 * because a different transaction (`spender`) that spends one of its inputs, or an input of an ancestor, is proven to
 * be mined. `transaction` is null if `spender` spends an ancestor's input. `open`: may still be mined.
 */
export type DoubleSpendCheck =
  | { kind: 'mined'; block: Header }
  | { kind: 'known' | 'open' }
  | { kind: 'dead'; outpoint: string; spender: string; transaction: Transaction | null; block: Header };

/**
 * Checks with merkle proofs whether a transaction or a conflicting one is mined.
 * @param look number of earlier checks, so each check continues with the next inputs
 * @throws ServiceError `network-unavailable`, `invalid-proof`
 */
export async function checkDoubleSpend(
  wallet: Wallet,
  info: NetworkInfo,
  { txid, inputs }: Pick<SignedPart, 'txid' | 'inputs'>,
  look: number,
): Promise<DoubleSpendCheck> {
  const isKnown = (await fetchTransaction(wallet, info, txid)) !== null;
  const own = isKnown ? await provenBlock(wallet, info, txid) : null;
  if (own) return { kind: 'mined', block: own };
  const lost = await lostCoin(wallet, inputs);
  const decided = lost ? await heldHeader(wallet, lost.hash) : undefined;
  if (lost && decided)
    return { kind: 'dead', outpoint: lost.outpoint, spender: lost.txid, transaction: null, block: decided };
  const needed = await neededBy(wallet, { txid, inputs });
  const from = (look * INPUTS_PER_CHECK) % needed.length;
  for (const { outpoint, by, input } of [...needed.slice(from), ...needed.slice(0, from)].slice(0, INPUTS_PER_CHECK)) {
    const [parent = '', vout] = outpoint.split(':');
    const rival = await minedRival(wallet, info, { txid: parent, vout: Number(vout) }, by);
    if (rival) return { kind: 'dead', ...rival, outpoint: input, transaction: by === txid ? rival.transaction : null };
  }
  return { kind: isKnown ? 'known' : 'open' };
}
