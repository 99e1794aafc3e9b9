/** BIP 69: a standard order of inputs and outputs, so that the change output cannot be identified. */
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';

/** Orders inputs by txid (display order, as hex), then by output index. */
export function compareInputs(a: { txid: string; vout: number }, b: { txid: string; vout: number }): number {
  if (a.txid !== b.txid) return a.txid < b.txid ? -1 : 1;
  return a.vout - b.vout;
}

/** Orders outputs by value, then by the bytes of the locking script. */
export function compareOutputs(a: TransactionOutput, b: TransactionOutput): number {
  if (a.satoshis !== b.satoshis) return a.satoshis < b.satoshis ? -1 : 1;
  const length = Math.min(a.lockingScript.length, b.lockingScript.length);
  for (let i = 0; i < length; i += 1) {
    const difference = (a.lockingScript[i] as number) - (b.lockingScript[i] as number);
    if (difference !== 0) return difference;
  }
  return a.lockingScript.length - b.lockingScript.length;
}
