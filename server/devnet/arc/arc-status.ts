import { ARC_STATUSES, type ArcStatus, type ArcTransaction } from '../../../protocol/network/arc.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Reported } from '../instance.ts';
import type { Ledger, LedgerTransaction } from '../ledger/ledger.ts';
import { bump } from '../indexes/proofs.ts';
import { LedgerRejection, REFUSALS } from './rejection.ts';

/** Returns the response to GET /v1/tx/{txid}. As in ARC, unknown values are empty strings and zeros. */
export function arcStatus(ledger: Ledger, transaction: LedgerTransaction): ArcTransaction {
  const { txid, height } = transaction;
  const block = height === null ? undefined : ledger.block(height);
  return {
    blockHash: block?.hash ?? '',
    blockHeight: block?.height ?? 0,
    competingTxs: null,
    extraInfo: '',
    merklePath: bump(ledger, transaction) ?? '',
    timestamp: new Date(transaction.time).toISOString(),
    txStatus: block ? 'MINED' : 'SEEN_ON_NETWORK',
    txid,
  };
}

const isArcStatus = (status: string): status is ArcStatus => (ARC_STATUSES as readonly string[]).includes(status);

/** Like {@link arcStatus}, for a transaction that an operator reports but the ledger might not have. */
export function arcReport(
  ledger: Ledger,
  { txid, txStatus, extraInfo, competing, time, transaction }: Reported,
): ArcTransaction {
  if (transaction) return arcStatus(ledger, transaction);
  return {
    blockHash: '',
    blockHeight: 0,
    competingTxs: competing ? [...competing] : null,
    extraInfo,
    merklePath: '',
    timestamp: new Date(time).toISOString(),
    txStatus: isArcStatus(txStatus) ? txStatus : 'UNKNOWN',
    txid,
  };
}

export interface ArcErrorBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string | null;
  txid: string | null;
  extraInfo: string | null;
}

/** Returns ARC's error body. An internal error becomes a 500, which isn't a verdict on the transaction. */
export function arcError(error: unknown): ArcErrorBody {
  const rejection = error instanceof LedgerRejection ? error : null;
  const isBusy = error instanceof ServiceError && error.code === 'service-unavailable';
  const status = rejection?.status ?? (isBusy ? 503 : 500);
  const { title, detail } = REFUSALS[rejection?.status ?? 409];
  const said = rejection?.message ?? (error instanceof ServiceError ? error.message : null);
  return {
    type: `https://bitcoin-sv.github.io/arc/#/errors?id=_${status}`,
    title,
    status,
    detail,
    instance: null,
    txid: rejection?.txid ?? null,
    extraInfo: said,
  };
}
