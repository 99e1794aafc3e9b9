/** Computes how much transactions can cost a wallet in the network's current state. */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { Network } from './network.ts';

/** A wallet's locking scripts (hex). */
type Own = Pick<ReadonlySet<string>, 'has'>;

/** True if a transaction or an ancestor conflicts with a mined transaction. */
function isExcluded(network: Network, txid: string): boolean {
  return (network.seen.get(txid)?.inputs ?? []).some((input) => {
    const rival = network.index.spenderOf(input.txid, input.vout, txid);
    return (rival !== undefined && network.blockOf(rival) !== undefined) || isExcluded(network, input.txid);
  });
}

/** Replaces the last `depth` blocks, and notes the transactions that they excluded. */
export function reorganise(network: Network, depth: number): void {
  for (const txid of network.seen.keys()) if (isExcluded(network, txid)) network.readmitted.add(txid);
  network.reorganise(depth);
}

/**
 * Returns a transaction's cost to a wallet (satoshis), including the fee. Returns 0 if the transaction or an ancestor
 * conflicts with a mined transaction.
 */
export function costOf(network: Network, txid: string, own: Own): bigint {
  const transaction = network.seen.get(txid) as Transaction;
  if (transaction.inputs.some(({ txid: from }) => !network.transactionOf(from))) return 0n;
  if (isExcluded(network, txid)) return 0n;
  // Inputs that applications contribute cost the wallet nothing.
  const spent = transaction.inputs.reduce((sum, { txid: from, vout }) => {
    const output = network.transactionOf(from)?.outputs[vout];
    return output && own.has(toHex(output.lockingScript)) ? sum + output.satoshis : sum;
  }, 0n);
  return transaction.outputs.reduce(
    (sum, { satoshis, lockingScript }) => (own.has(toHex(lockingScript)) ? sum - satoshis : sum),
    spent,
  );
}

/**
 * Returns the maximum total cost of a subset of these transactions that can all be mined (satoshis). Among
 * transactions that spend the same coin, such as a payment and its replacement, at most one is ever mined.
 */
export function mostOf(network: Network, [txid, ...others]: readonly string[], own: Own): bigint {
  if (txid === undefined) return 0n;
  const beside = others.filter((other) => !excludes(network, txid, other));
  const withIt = costOf(network, txid, own) + mostOf(network, beside, own);
  const without = beside.length < others.length ? mostOf(network, others, own) : 0n;
  return withIt > without ? withIt : without;
}

function excludes(network: Network, txid: string, other: string): boolean {
  const spenders = spendersFor(network, txid);
  return [...spendersFor(network, other)].some(([coin, by]) => (spenders.get(coin) ?? by) !== by);
}

/** Returns the outpoints that a transaction and its unmined ancestors spend, each with its spender. */
function spendersFor(
  network: Network,
  txid: string,
  spenders = new Map<string, string>(),
): ReadonlyMap<string, string> {
  for (const { txid: from, vout } of network.seen.get(txid)?.inputs ?? []) {
    if (spenders.has(`${from}:${vout}`)) continue;
    spenders.set(`${from}:${vout}`, txid);
    spendersFor(network, from, spenders);
  }
  return spenders;
}
