/** The client of ARC: fee policy, broadcast, status (bitcoin-sv/arc, HTTP API v1). */
import { arcPolicy, arcTransaction, type ArcTransaction } from '../../../protocol/arc.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import type { FeeRate } from '../transaction/fee.ts';
import { parseJson, send } from './http.ts';

/**
 * What became of a broadcast. Only `rejected` is a definite no; `contested` (another transaction spends the same coin,
 * or a parent is not known yet) and `unreachable` may still end well.
 */
export type BroadcastOutcome =
  | { kind: 'accepted' }
  | { kind: 'contested' | 'rejected' | 'unreachable'; detail: string };

// ARC's own statuses for a transaction that can never become valid: format, scripts, malformed, outputs, fee, size.
const DEFINITE = new Set([400, 460, 461, 463, 464, 465, 468, 469, 473, 474]);

/**
 * What the network charges.
 * @throws ServiceError `network-unavailable`
 */
export async function fetchPolicy(arcUrl: string): Promise<FeeRate> {
  const answer = await send(`${arcUrl}/v1/policy`, { maxBytes: 10_000 });
  const parsed = arcPolicy.safeParse(parseJson(answer.text));
  const fee = parsed.success ? parsed.data.policy.miningFee : null;
  if (
    !fee ||
    !Number.isSafeInteger(fee.satoshis) ||
    !Number.isSafeInteger(fee.bytes) ||
    fee.satoshis < 0 ||
    fee.bytes <= 0
  ) {
    throw new ServiceError('network-unavailable', { detail: `policy answer ${answer.status}` });
  }
  // A price of more than 1,000 satoshis per 1,000 bytes is 10 times the dearest ever asked: a fault, not a price.
  if (fee.satoshis > fee.bytes) throw new ServiceError('network-unavailable', { detail: 'policy too dear' });
  return { satoshis: fee.satoshis, bytes: fee.bytes };
}

/** Gives the network a transaction. Never throws: what is not known is `unreachable`. */
export async function broadcast(arcUrl: string, rawtx: string, txid: string): Promise<BroadcastOutcome> {
  let answer;
  try {
    answer = await send(`${arcUrl}/v1/tx`, {
      json: { rawTx: rawtx },
      headers: { 'x-waitfor': 'SEEN_ON_NETWORK' },
      maxBytes: 1_000_000,
    });
  } catch {
    return { kind: 'unreachable', detail: 'no answer' };
  }
  const body = parseJson(answer.text);
  const parsed = arcTransaction.safeParse(body);
  if (parsed.success && parsed.data.txid === txid) return outcomeOf(parsed.data);
  const detail = describe(body) ?? `status ${answer.status}`;
  if (answer.status === 462 || answer.status === 466 || answer.status === 409) return { kind: 'contested', detail };
  return { kind: DEFINITE.has(answer.status) ? 'rejected' : 'unreachable', detail };
}

/** What a status says of a transaction that we gave to the network. */
export function outcomeOf(transaction: ArcTransaction): BroadcastOutcome {
  const detail = transaction.extraInfo ?? transaction.txStatus;
  switch (transaction.txStatus) {
    case 'REJECTED':
      return { kind: 'rejected', detail };
    case 'DOUBLE_SPEND_ATTEMPTED':
    case 'SEEN_IN_ORPHAN_MEMPOOL':
      return { kind: 'contested', detail };
    case 'ACCEPTED_BY_NETWORK':
    case 'SEEN_ON_NETWORK':
    case 'MINED':
    case 'MINED_IN_STALE_BLOCK':
      return { kind: 'accepted' };
    default:
      // In progress: no node has accepted it.
      return { kind: 'unreachable', detail };
  }
}

/** What ARC knows of a transaction, or null where it knows none. */
export async function transactionStatus(arcUrl: string, txid: string): Promise<ArcTransaction | null> {
  const answer = await send(`${arcUrl}/v1/tx/${txid}`, { maxBytes: 1_000_000 });
  if (answer.status === 404) return null;
  const parsed = arcTransaction.safeParse(parseJson(answer.text));
  if (!parsed.success || parsed.data.txid !== txid)
    throw new ServiceError('network-unavailable', { detail: `status answer ${answer.status}` });
  return parsed.data;
}

function describe(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { title, detail, extraInfo } = body as Record<string, unknown>;
  const texts = [title, detail, extraInfo].filter((t): t is string => typeof t === 'string' && t !== '');
  return texts.length > 0 ? texts.join(': ').slice(0, 300) : null;
}
