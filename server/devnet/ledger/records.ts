/** Encodes the log's records (accepted transactions, dropped transactions, blocks), and replays them into a ledger. */
import { parseTransaction } from '../../../protocol/bitcoin/transaction.ts';
import { ByteWriter } from '../../../protocol/bitcoin/wire-format.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { HEADER_SIZE } from './blocks.ts';
import type { Ledger } from './ledger.ts';
import type { LogRecord } from './log.ts';

const TRANSACTION = 1;
const BLOCK = 2;
const DROP = 3;

/** Creates the record for an accepted transaction: time (u64, ms since 1970), fee (u64, satoshis), bytes. */
export function transactionRecord(bytes: Uint8Array, time: number, fee: bigint): LogRecord {
  return { type: TRANSACTION, payload: new ByteWriter().uint64(BigInt(time)).uint64(fee).bytes(bytes).done() };
}

/** Creates the record that drops a transaction and its descendants: txid (32). */
export function dropRecord(txid: string): LogRecord {
  return { type: DROP, payload: new ByteWriter().txid(txid).done() };
}

/** Creates the record for a block: header (80), coinbase length (u32), coinbase, then the other txids (32 each). */
export function blockRecord(header: Uint8Array, coinbase: Uint8Array, txids: readonly string[]): LogRecord {
  const writer = new ByteWriter().bytes(header).uint32(coinbase.length).bytes(coinbase);
  for (const txid of txids) writer.txid(txid);
  return { type: BLOCK, payload: writer.done() };
}

/**
 * Applies a record to the ledger. Scripts aren't verified again, because the checksum shows that the record is
 * unaltered.
 * @throws ServiceError `internal` for an unknown record type
 */
export function replay(ledger: Ledger, { type, payload }: LogRecord): void {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  if (type === TRANSACTION) {
    const bytes = payload.slice(16);
    ledger.addTransaction(
      bytes,
      parseTransaction(bytes),
      Number(view.getBigUint64(0, true)),
      view.getBigUint64(8, true),
    );
  } else if (type === BLOCK) {
    const coinbaseAt = HEADER_SIZE + 4;
    const txidsAt = coinbaseAt + view.getUint32(HEADER_SIZE, true);
    const txids: string[] = [];
    for (let at = txidsAt; at < payload.length; at += 32) txids.push(txidAt(payload, at));
    ledger.addBlock(payload.slice(0, HEADER_SIZE), payload.slice(coinbaseAt, txidsAt), txids);
  } else if (type === DROP) {
    ledger.drop(txidAt(payload, 0));
  } else {
    throw new ServiceError('internal', { detail: `the ledger's log has a record of unknown type ${type}` });
  }
}

const txidAt = (payload: Uint8Array, at: number) =>
  Buffer.from(payload.slice(at, at + 32))
    .reverse()
    .toString('hex');
