/**
 * Validates transactions as a node does, and selects those for the next block. If transactions conflict, the first one
 * is valid.
 */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { unlocksOf } from '../../wallet/transaction/unlocks.ts';

interface Nodes {
  readonly ledger: { readonly known: ReadonlyMap<string, { transaction: Transaction }> };
  readonly index: { spenderOf(txid: string, vout: number, except?: string): string | undefined };
  blockOf(txid: string): object | undefined;
}

/** A locking script that can be unlocked without a signature: OP_DROP OP_1. */
export const OPEN_SCRIPT = '7551';
/** The script that unlocks {@link OPEN_SCRIPT}: OP_1. */
export const OPEN_UNLOCK = '51';

/** Returns why a node rejects a transaction (unknown parent, spent coin, wrong signature, low fee), or null. */
export function refusalOf(network: Nodes, transaction: Transaction, txid: string) {
  if (network.ledger.known.has(txid)) return null;
  const say = (txStatus: string, extraInfo: string) => ({ txStatus, extraInfo });
  const isSigned = unlocksOf(transaction);
  let sum = 0n;
  for (const { txid: from, vout, unlockingScript } of transaction.inputs) {
    const output = network.ledger.known.get(from)?.transaction.outputs[vout];
    if (!output) return say('SEEN_IN_ORPHAN_MEMPOOL', 'missing inputs');
    const script = toHex(output.lockingScript);
    if (
      script === OPEN_SCRIPT
        ? toHex(unlockingScript) !== OPEN_UNLOCK
        : !isSigned({ txid: from, vout, script, satoshis: output.satoshis } as never)
    )
      return say('REJECTED', 'not signed');
    const rival = network.index.spenderOf(from, vout);
    if (rival) return say(network.blockOf(rival) ? 'REJECTED' : 'DOUBLE_SPEND_ATTEMPTED', rival);
    sum += output.satoshis;
  }
  const paid = transaction.outputs.reduce((all, { satoshis }) => all + satoshis, 0n);
  const bytes = serializeTransaction(transaction);
  return (sum - paid) * 1000n < BigInt(bytes.length) * 100n ? say('REJECTED', 'fee too low') : null;
}

/**
 * Returns the IDs of the transactions in the next block: the pending ones whose parents are in it or already mined.
 * @param isOmitted called for each pending transaction; true to leave it pending
 */
export function nextBlock(network: Nodes, isOmitted: () => boolean): string[] {
  const taken: string[] = [];
  const { known } = network.ledger;
  for (const [txid, { transaction }] of known) {
    if (network.blockOf(txid) || isOmitted()) continue;
    const isReady = transaction.inputs.every(
      (input) => !known.has(input.txid) || network.blockOf(input.txid) || taken.includes(input.txid),
    );
    const isFree = transaction.inputs.every((input) => {
      const other = network.index.spenderOf(input.txid, input.vout, txid);
      return !other || !(network.blockOf(other) || taken.includes(other));
    });
    if (isReady && isFree) taken.push(txid);
  }
  return taken;
}
