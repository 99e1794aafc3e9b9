/** Transaction statuses and rejections in Arcade's format (bsv-blockchain/arcade, openapi/arcade.openapi.yaml). */
import type * as z from 'zod/mini';
import { ARCADE_STATUSES, type arcadeError, type ArcadeTransaction } from '../../../protocol/network/arc.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { isTooEarly, type Instance, type Reported } from '../instance.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { bump } from '../indexes/proofs.ts';
import { LedgerRejection, REFUSALS } from './rejection.ts';

/** Number of confirmations, including the transaction's own block, that make a transaction final. */
const IMMUTABLE_AFTER = 100;

type ArcadeStatus = ArcadeTransaction['txStatus'];
const isArcadeStatus = (status: string): status is ArcadeStatus =>
  (ARCADE_STATUSES as readonly string[]).includes(status);

/** Returns the response to GET /tx/{txid}. Unknown fields are omitted. */
export function arcadeStatus(ledger: Ledger, { faults }: Instance, reported: Reported): ArcadeTransaction {
  const { txid, txStatus, extraInfo, code, competing, time, transaction } = reported;
  const block = transaction && transaction.height !== null ? ledger.block(transaction.height) : undefined;
  const merklePath = transaction && block ? bump(ledger, transaction) : null;
  const base = {
    txid,
    timestamp: new Date(time).toISOString(),
    ...(extraInfo !== '' && { extraInfo }),
    ...(code !== undefined && { status: code }),
    ...(competing && { competingTxs: [...competing] }),
  };
  if (!block || merklePath === null) return { ...base, txStatus: isArcadeStatus(txStatus) ? txStatus : 'UNKNOWN' };
  const anchor = { blockHash: block.hash, blockHeight: block.height, merklePath };
  // The orphaned block has the same transactions and a different header.
  const orphaned = { ...anchor, blockHash: [...block.hash].toReversed().join('') };
  if (faults.has('reorg-unmined'))
    return { ...base, txStatus: 'SEEN_ON_NETWORK', extraInfo: 'reorg_unmined', orphanedProofs: [anchor] };
  return {
    ...base,
    txStatus: ledger.height - block.height + 1 >= IMMUTABLE_AFTER ? 'IMMUTABLE' : 'MINED',
    ...anchor,
    ...(faults.has('reorg-reanchor') && { extraInfo: 'reorg_reanchor', orphanedProofs: [orphaned] }),
  };
}

/** Returns Arcade's error body. An internal error isn't a verdict on the transaction. */
export function arcadeRejection(error: unknown): { status: number; body: z.infer<typeof arcadeError> } {
  if (!(error instanceof LedgerRejection)) {
    const isBusy = error instanceof ServiceError && error.code === 'service-unavailable';
    return { status: isBusy ? 503 : 500, body: { error: isBusy ? 'broker is under backpressure' : 'internal error' } };
  }
  if (error.status === 404) return { status: 404, body: { error: 'transaction not found' } };
  if (error.status === 400) return { status: 400, body: { error: error.message } };
  const code = isTooEarly(error) ? 476 : error.status;
  const { title, detail } = REFUSALS[code];
  return {
    status: 400,
    body: {
      error: 'transaction failed validation',
      reason: error.message,
      ...(error.txid !== undefined && { txid: error.txid }),
      status: code,
      title,
      detail,
    },
  };
}
