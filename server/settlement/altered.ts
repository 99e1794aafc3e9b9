/**
 * Finds payments' transactions under a changed txid. Since Chronicle, third parties can change the unlocking scripts of
 * an unmined transaction with a version above 1.
 */
import type { NetworkTransaction } from '../../protocol/network/arc.ts';
import { isMalleable } from '../../protocol/bitcoin/p2pkh-unlock.ts';
import { normalizedTxidOf, parseTransaction, serializeTransaction } from '../../protocol/bitcoin/transaction.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import type { TransactionSource } from '../chain/transaction-source.ts';

/** The same transaction with different unlocking scripts. */
export interface Altered {
  txid: string;
  rawtx: Uint8Array;
}

/**
 * Finds the transaction that spends a payment's first input, if it differs only in unlocking scripts and an operator
 * has it.
 * @throws ServiceError `network-unavailable`, `invalid-transaction`
 */
export async function findAltered(
  arc: Pick<ArcClient, 'transaction'>,
  source: TransactionSource,
  { txid, normalizedTxid, rawtx }: { txid: string; normalizedTxid: string; rawtx: Uint8Array },
): Promise<(Altered & { known: NetworkTransaction }) | null> {
  const {
    version,
    inputs: [input],
  } = parseTransaction(rawtx);
  // Only the payer can change a version 1 transaction, so merchants can rely on its txid.
  const spender = input && isMalleable(version) ? await source.spender(input.txid, input.vout) : null;
  if (spender === null || spender === txid) return null;
  const transaction = (await source.transaction(spender))?.transaction;
  if (!transaction || normalizedTxidOf(transaction) !== normalizedTxid) return null;
  const known = await arc.transaction(spender);
  return known && { txid: spender, rawtx: serializeTransaction(transaction), known };
}
