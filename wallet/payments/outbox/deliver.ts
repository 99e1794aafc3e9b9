/**
 * Delivers signed transactions to recipients' hosts (P2P transactions, BRFC 5f1323cddf31, as BEEF 5c55a7fdb7bb). Hosts
 * aren't notified of payments in any other way, so for a month only an acknowledgment or a permanent rejection ends
 * the attempts. A host may receive a transaction several times, and recognizes it by its reference.
 */
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { isErrorCode, isDeclined } from '../../../protocol/errors/service-error.ts';
import { receiveResponse } from '../../../protocol/http/paymail.ts';
import { beefOf } from '../../chain/beef.ts';
import { networkInfo } from '../../chain/network.ts';
import { readKey } from '../../store/database.ts';
import type { Outgoing, Rejection } from './outgoing.ts';
import type { Delivery, PaymentRecord, SignedPart } from '../record.ts';
import { isGivenUp, nextTry, NOT_TRIED, DAY_MS } from '../retry.ts';
import { requestHost, type HostResponse } from '../../paymail/host.ts';
import type { PaidHost } from '../../paymail/paid-host.ts';
import type { Quote } from '../../recipients/quote.ts';
import type { Wallet } from '../../platform.ts';

/** Timeout for a host's response, in milliseconds. A host may broadcast the transaction before it responds. */
const TIMEOUT_MS = 20_000;

/** Returns the initial deliveries of a payment, one per recipient whose host accepts transactions. */
export function deliveriesOf({ outputs }: Quote): Delivery[] {
  return outputs.flatMap(({ host }, output) =>
    host && host.reference !== null && (host.receiveUrl ?? host.receiveBeefUrl)
      ? [{ output, state: 'waiting' as const, ...NOT_TRIED }]
      : [],
  );
}

/**
 * Returns the delivery to a recipient's host. Within the first month, only the host's response can end the attempts.
 */
export function deliveryOf(wallet: Wallet, record: PaymentRecord, delivery: Delivery): Outgoing {
  const { output } = delivery;
  const host = record.quote.outputs[output]?.host as PaidHost;
  return {
    kind: 'delivery',
    target: host.origin,
    retry: delivery,
    silence: 'paymail-unavailable',
    send: () => deliver(wallet, record, output),
    after(rejection) {
      const state = !rejection
        ? 'done'
        : rejection.final || isGivenUp(wallet, record, delivery)
          ? 'given-up'
          : 'waiting';
      return { ...nextTry(wallet, delivery, rejection?.problem ?? null, DAY_MS), state };
    },
    put: (now, changed) => ({
      ...now,
      deliveries: now.deliveries.map((one) =>
        one.output === output && one.state === 'waiting' ? ({ ...one, ...changed } as Delivery) : one,
      ),
    }),
  };
}

interface HostRejection extends Rejection {
  /** True if the rejection concerns the transaction's format, in which case a different format may be accepted. */
  aboutForm: boolean;
}

/** Matches messages in which hosts, or their nodes and databases, report that they already have the transaction. */
const KNOWN_ALREADY = new RegExp(
  [
    'already[-_ ]?(?:been[-_ ])?(?:known|exists?|received|processed|recorded|broadcast)',
    'already[-_ ]in[-_ ](?:(?:the|a|our)[-_ ])?(?:mempool|block|chain|utxo)',
    'txn[-_ ]already',
    'duplicate[-_ ](?:transaction|txn?|txid|entry|key)',
  ].join('|'),
  'i',
);
/** Matches messages about a request that may still fail. */
const IN_PROGRESS = /in[-_ ]progress|being[-_ ]processed|(?:try|retry)[-_ ](?:again|later)/i;

/**
 * Delivers the transaction in raw form, or as BEEF if the host accepts only BEEF or fails on the raw form. If a host
 * responds with status 400, it may have misread the sender's signature (as go-paymail does), so the transaction is
 * delivered again without the signature.
 * @returns the host's rejection; null if the host acknowledges it
 * @throws ServiceError `paymail-unavailable`, `paymail-mismatch`
 */
async function deliver(
  wallet: Wallet,
  { origin: client, quote, signed }: PaymentRecord,
  output: number,
): Promise<HostRejection | null> {
  const host = quote.outputs[output]?.host as PaidHost;
  const { receiveUrl, receiveBeefUrl, reference } = host;
  const { rawtx, txid, senderProof } = signed as SignedPart;
  // Without an account, the sender has no name, and the key would only link a user's payments to each other.
  const sender = (await readKey(wallet, 'account'))?.paymail;
  const isSigned = sender !== undefined && senderProof !== undefined;
  const named = isSigned ? { sender, pubkey: senderProof.publicKey, signature: senderProof.signature } : {};

  async function send(url: string, transaction: { hex: string } | { beef: string }): Promise<HostResponse> {
    const answer = await requestHost(wallet, url, {
      client,
      json: { ...transaction, metadata: named, reference },
      timeoutMs: TIMEOUT_MS,
    });
    const rejection = rejectionIn(answer, txid);
    if (answer.status !== 400 || !isSigned || !rejection || rejection.final) return answer;
    return requestHost(wallet, url, {
      client,
      json: { ...transaction, metadata: { sender }, reference },
      timeoutMs: TIMEOUT_MS,
    });
  }

  const raw = receiveUrl === null ? null : await send(receiveUrl, { hex: rawtx });
  const isLacking = raw === null || raw.status >= 500 || raw.status === 404 || raw.status === 405;
  const ofRaw = raw && rejectionIn(raw, txid);
  if (raw && (!receiveBeefUrl || !isLacking || ofRaw?.final)) return ofRaw;
  const { wocUrl } = await networkInfo(wallet);
  const ofBeef = rejectionIn(
    await send(receiveBeefUrl as string, { beef: toHex(await beefOf(wallet, wocUrl, fromHex(rawtx))) }),
    txid,
  );
  return raw && ofBeef?.aboutForm ? ofRaw : ofBeef;
}

/** Returns the rejection in a response; null if the host has the transaction. */
function rejectionIn({ status, body }: HostResponse, txid: string): HostRejection | null {
  const said = body as { code?: unknown; message?: unknown; error?: unknown } | null | undefined;
  const code = typeof said?.code === 'string' ? said.code : null;
  if (status >= 200 && status < 300) {
    const parsed = receiveResponse.safeParse(body);
    const isTaken = parsed.success && parsed.data.txid.toLowerCase() === txid;
    return isTaken ? null : { problem: 'paymail-mismatch', final: false, aboutForm: false };
  }
  if (isErrorCode(code))
    return {
      problem: code,
      final: status < 500 && isDeclined(code, 'delivery'), // a failing host's error code isn't reliable
      aboutForm: code === 'invalid-transaction' || code === 'too-large',
    };
  const texts = [code, said?.message, said?.error].filter((text) => typeof text === 'string');
  const isTemporary = status >= 500 || status === 429 || texts.some((text) => IN_PROGRESS.test(text));
  if (!isTemporary && (status === 409 || texts.some((text) => KNOWN_ALREADY.test(text)))) return null;
  const isTooMuch = status === 410 || status === 413;
  return { problem: `status ${status}`, final: isTooMuch, aboutForm: isTooMuch };
}
