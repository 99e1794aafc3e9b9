/** Changes the txid of an unconfirmed transaction with a version above 1, as third parties can. */
import { concatBytes } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransaction, serializeTransaction } from '../../../protocol/bitcoin/transaction.ts';
import type { LedgerNode } from '../ledger/node.ts';

/** OP_1: an extra stack item below those that unlock the coin, allowed since Chronicle. */
const EXTRA_PUSH = Uint8Array.of(0x51);

/** Replaces a transaction's unlocking script. @returns the new txid @throws LedgerRejection */
export async function alter(node: LedgerNode, txid: string): Promise<string> {
  const transaction = parseTransaction(node.ledger.transaction(txid)?.bytes ?? new Uint8Array());
  const inputs = transaction.inputs.map((input, i) =>
    i === 0 ? { ...input, unlockingScript: concatBytes(EXTRA_PUSH, input.unlockingScript) } : input,
  );
  const altered = await node.replace(txid, serializeTransaction({ ...transaction, inputs }));
  return altered.txid;
}
