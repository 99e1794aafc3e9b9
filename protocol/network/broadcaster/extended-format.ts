/** Extended Format (BRC-30): a transaction with the value and locking script of each output it spends. */
import type { Transaction, TransactionOutput } from '../../bitcoin/transaction.ts';
import { ByteWriter } from '../../bitcoin/wire-format.ts';
import { ServiceError } from '../../errors/service-error.ts';

const MARKER = new Uint8Array([0, 0, 0, 0, 0, 0xef]);

/**
 * Serializes a transaction in Extended Format. The transaction's ID remains that of the raw format.
 * @param sources the spent outputs, in the order of the inputs
 * @throws ServiceError `invalid-transaction` if the counts differ
 */
export function extendedFormat(
  { version, inputs, outputs, lockTime }: Transaction,
  sources: readonly TransactionOutput[],
): Uint8Array<ArrayBuffer> {
  if (sources.length !== inputs.length)
    throw new ServiceError('invalid-transaction', { detail: 'each input needs one source' });
  const writer = new ByteWriter().uint32(version).bytes(MARKER).compactSize(inputs.length);
  const output = ({ satoshis, lockingScript }: TransactionOutput) =>
    writer.uint64(satoshis).compactSize(lockingScript.length).bytes(lockingScript);
  for (const [i, { txid, vout, unlockingScript, sequence }] of inputs.entries()) {
    writer.txid(txid).uint32(vout).compactSize(unlockingScript.length).bytes(unlockingScript).uint32(sequence);
    output(sources[i] as TransactionOutput);
  }
  writer.compactSize(outputs.length);
  for (const one of outputs) output(one);
  return writer.uint32(lockTime).done();
}
