/** Interprets an operator's response to a submitted transaction. Pure. */
import { arcadeError, arcError, networkTransaction, type NetworkStatus, type NetworkTransaction } from '../arc.ts';

/**
 * The outcome of a submission. Only `accepted` is conclusive.
 * - `accepted`: the transaction is at a node or in a block.
 * - `pending`: this operator has the transaction but no verdict yet.
 * - `later`: submit the same bytes again, after `retryAfterMs` (null if not stated) or, with `untilBlock`, after the
 *   next block: it isn't final yet, the operator is overloaded, or its chain of unmined ancestors is too long.
 * - `contested`: another transaction spends one of the same coins, or a parent is unknown.
 * - `refused`: rejected by this operator. `isDefinite` is set if the reason can't change (format, scripts, outputs,
 *   fee, size). `needsExtended` is set if the operator can't find the outputs that a raw transaction spends.
 * - `unreachable`: no usable response, or (`needsKey`) the operator requires a key or a different key.
 */
export type Outcome =
  | { kind: 'accepted'; transaction: NetworkTransaction }
  | { kind: 'pending' | 'contested'; detail: string; transaction?: NetworkTransaction }
  | { kind: 'unreachable'; detail: string; needsKey?: boolean; transaction?: NetworkTransaction }
  | {
      kind: 'later';
      detail: string;
      retryAfterMs: number | null;
      untilBlock: boolean;
      transaction?: NetworkTransaction;
    }
  | {
      kind: 'refused';
      detail: string;
      isDefinite: boolean;
      needsExtended: boolean;
      transaction?: NetworkTransaction;
    };

/** The relevant parts of a response. */
export interface OperatorResponse {
  status: number;
  /** Parsed JSON, or undefined. */
  body: unknown;
  retryAfter: string | null;
}

/** The meaning of a status: `mined` in a block, `accepted` by a node, … */
export type Stage = 'pending' | 'accepted' | 'mined' | 'contested' | 'refused';

const STAGES: Partial<Record<NetworkStatus, Stage>> = {
  ACCEPTED_BY_NETWORK: 'accepted',
  SEEN_ON_NETWORK: 'accepted',
  SEEN_MULTIPLE_NODES: 'accepted',
  STUMP_PROCESSING: 'accepted',
  MINED_IN_STALE_BLOCK: 'accepted',
  MINED: 'mined',
  IMMUTABLE: 'mined',
  SEEN_IN_ORPHAN_MEMPOOL: 'contested',
  DOUBLE_SPEND_ATTEMPTED: 'contested',
  REJECTED: 'refused',
};

/** Returns the meaning of a status. Unlisted statuses mean `pending`. */
export const stageOf = ({ txStatus }: Pick<NetworkTransaction, 'txStatus'>): Stage => STAGES[txStatus] ?? 'pending';

/** ARC's codes (pkg/api/status.go) for defects that can't change: format, scripts, outputs, fee, size. */
const DEFINITE: ReadonlySet<number> = new Set([461, 463, 464, 465, 468, 469, 473, 474]);
const NOT_EXTENDED = 460;
/** ARC's codes for missing or spent inputs, for a conflicting transaction, and for a "generic error". */
const CONTESTED: ReadonlySet<number> = new Set([409, 462, 466]);
const NOT_FINAL = 476;
const OVERLOAD: ReadonlySet<number> = new Set([429, 503]);
/** HTTP statuses for requests without a valid API key. */
export const KEY_REQUIRED: ReadonlySet<number> = new Set([401, 402, 403]);

/** Maximum wait that a response can request (milliseconds), so an operator can't delay a payment indefinitely. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

const FULL = /too-long-mempool-chain|mempool[- ](?:is )?full/i;
const FINALITY = /non-?final|not (?:yet )?final|becomes final/i;
const RACE = /txn-mempool-conflict|double[- ]?spen[dt]|already spent|missing-?inputs/i;

/**
 * Parses `Retry-After` (RFC 9110, section 10.2.3) into milliseconds (at most an hour). Returns null if it is missing or
 * malformed.
 * @param now ms since 1970
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const wait = /^\d{1,9}$/.test(text)
    ? Number(text) * 1000
    : text.endsWith(' GMT')
      ? Date.parse(text) - now
      : Number.NaN;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS) : null;
}

/** Returns the transaction in a body, or null if it is missing or isn't `txid`. */
export function transactionIn(body: unknown, txid: string): NetworkTransaction | null {
  const read = networkTransaction.safeParse(body);
  return read.success && read.data.txid === txid ? read.data : null;
}

/** Converts a transaction's status to an outcome. Null, which means no verdict, becomes `pending`. */
export function outcomeOf(transaction: NetworkTransaction | null): Outcome {
  if (!transaction) return { kind: 'pending', detail: 'no verdict' };
  const detail = (transaction.extraInfo || transaction.txStatus).slice(0, 300);
  const stage = stageOf(transaction);
  if (stage === 'accepted' || stage === 'mined') return { kind: 'accepted', transaction };
  if (stage !== 'refused') return { kind: stage, detail, transaction };
  return { ...refusalOf(transaction.status ?? 0, detail), transaction };
}

/** Returns the outcome of a submission. @param now milliseconds since 1970 */
export function outcomeOfSubmission(response: OperatorResponse, txid: string, now: number): Outcome {
  const { status, body } = response;
  const retryAfter = retryAfterMs(response.retryAfter, now);
  const detail = detailOf(body) ?? `status ${status}`;
  if (OVERLOAD.has(status)) return { kind: 'later', detail, retryAfterMs: retryAfter, untilBlock: false };
  const transaction = transactionIn(body, txid);
  if (transaction) return outcomeOf(transaction);
  if (KEY_REQUIRED.has(status)) return { kind: 'unreachable', detail: `requires a key: ${detail}`, needsKey: true };
  if (status < 400 || status >= 500 || status === 404) return { kind: 'unreachable', detail };
  const code = codeOf(body) ?? status;
  return code === 400 || code === 409 || code >= 460 ? refusalOf(code, detail) : { kind: 'unreachable', detail };
}

/** Interprets a rejection based on ARC's error code or the nodes' messages. */
function refusalOf(code: number, detail: string): Exclude<Outcome, { kind: 'accepted' }> {
  if (FULL.test(detail)) return { kind: 'later', detail, retryAfterMs: null, untilBlock: true };
  if (code === NOT_FINAL || FINALITY.test(detail))
    return { kind: 'later', detail, retryAfterMs: null, untilBlock: true };
  if (CONTESTED.has(code) || RACE.test(detail)) return { kind: 'contested', detail };
  return { kind: 'refused', detail, isDefinite: DEFINITE.has(code), needsExtended: code === NOT_EXTENDED };
}

function codeOf(body: unknown): number | null {
  const read = arcError.safeParse(body);
  if (read.success) return read.data.status;
  const other = arcadeError.safeParse(body);
  return other.success ? (other.data.status ?? null) : null;
}

function detailOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { title, detail, extraInfo, error, reason } = body as Record<string, unknown>;
  const texts = [title, detail, extraInfo, error, reason].filter((t): t is string => typeof t === 'string' && t !== '');
  return texts.length > 0 ? texts.join(': ').slice(0, 300) : null;
}
