/**
 * Hands signed transactions in at recipients' hosts (P2P transactions, BRFC 5f1323cddf31, as BEEF 5c55a7fdb7bb). A host
 * may be down for long, and tells its user of the payment by this alone: nothing but its acknowledgement, or a no for
 * good, ends the tries, for a month. It may get one transaction several times, where its answer was lost or the worker
 * stopped: the reference says that it is the same.
 */
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import { isErrorCode, ServiceError } from '../../../protocol/errors.ts';
import { receiveResponse } from '../../../protocol/paymail.ts';
import { beefOf } from '../chain/beef.ts';
import { networkInfo } from '../chain/network.ts';
import { readKey } from '../database.ts';
import { isDeclined } from './declined.ts';
import { stateOnNetwork, waitingDeliveries, type Delivery, type PaymentRecord, type SignedPart } from './record.ts';
import { isGivenUp, nextTry, NOT_TRIED, DAY_MS } from './retry.ts';
import { askHost, type HostAnswer } from '../paymail/host.ts';
import { transition } from './transition.ts';
import type { PaidHost } from '../paymail/paid-host.ts';
import type { Quote } from '../recipients/quote.ts';

/** A host has so long to answer (milliseconds): it may give the transaction to the network first. */
const TIMEOUT_MS = 20_000;

/** The deliveries that a payment begins with: one for each recipient whose host takes transactions. */
export function deliveriesOf({ outputs }: Quote): Delivery[] {
  return outputs.flatMap(({ host }, output) =>
    host && host.reference !== null && (host.receiveUrl ?? host.receiveBeefUrl)
      ? [{ output, state: 'waiting' as const, ...NOT_TRIED }]
      : [],
  );
}

/**
 * Attempts those of a payment's deliveries that are due and wanted, all at once.
 * @returns whether at least one has ended
 */
export async function deliver(record: PaymentRecord, isWanted: (delivery: Delivery) => boolean): Promise<boolean> {
  const due = waitingDeliveries(record).filter((one) => one.nextAt <= Date.now() && isWanted(one));
  const ended = await Promise.all(due.map((delivery) => deliverOne(record, delivery)));
  return ended.includes(true);
}

/** One attempt. @returns whether it was the last */
async function deliverOne(record: PaymentRecord, delivery: Delivery): Promise<boolean> {
  const { output } = delivery;
  // Only the host's own answer ends it: what fails here (the index has no ancestors, or too many) may succeed later.
  const rejection = await ask(record, output).catch((error: unknown) => ({
    problem: error instanceof ServiceError ? error.code : 'internal',
    final: false,
  }));
  const problem = rejection?.problem ?? null;
  const state = !rejection ? 'done' : rejection.final || isGivenUp(record, delivery) ? 'given-up' : 'waiting';
  const tried = { output, state, ...nextTry(delivery, problem, DAY_MS) } as const;
  await transition(record.id, 'broadcast', (now) => {
    const deliveries = now.deliveries.map((one) => (one.output === output && one.state === 'waiting' ? tried : one));
    return { deliveries, state: stateOnNetwork({ ...now, deliveries }) };
  });
  return state !== 'waiting';
}

/** What is wrong with a host's answer. */
interface Rejection {
  /** Its code, or its status. */
  problem: string;
  /** The host will never accept it, however often it is delivered. */
  final: boolean;
  /** It concerns the transaction's format only: another format may be accepted. */
  aboutForm: boolean;
}

/** How hosts say that they have a transaction already. */
const KNOWN_ALREADY = /already[-_ ]?(?:known|exists?|received|processed|recorded|in)|txn[-_ ]already|duplicate/i;

/**
 * Hands it in, in whatever form the host takes: raw; without the sender's signature where a host that answers 400 may
 * have misread it (go-paymail does); as BEEF where it takes nothing else, or fails with the raw form.
 * @returns what was wrong with the answer; null where it acknowledges. @throws ServiceError `paymail-unavailable`,
 * `paymail-mismatch`
 */
async function ask({ origin: client, quote, signed }: PaymentRecord, output: number): Promise<Rejection | null> {
  const host = quote.outputs[output]?.host as PaidHost;
  const { receiveUrl, receiveBeefUrl, reference } = host;
  const { rawtx, txid, senderProof } = signed as SignedPart;
  // Without an account there is no name to give: the bare key would only show hosts that two payments are one person's.
  const sender = (await readKey('account'))?.paymail;
  const isSigned = sender !== undefined && senderProof !== undefined;
  const named = isSigned ? { sender, pubkey: senderProof.publicKey, signature: senderProof.signature } : {};

  async function send(url: string, transaction: { hex: string } | { beef: string }): Promise<HostAnswer> {
    const answer = await askHost(url, {
      client,
      json: { ...transaction, metadata: named, reference },
      timeoutMs: TIMEOUT_MS,
    });
    const rejection = rejectionIn(answer, txid);
    if (answer.status !== 400 || !isSigned || !rejection || rejection.final) return answer;
    return askHost(url, { client, json: { ...transaction, metadata: { sender }, reference }, timeoutMs: TIMEOUT_MS });
  }

  const raw = receiveUrl === null ? null : await send(receiveUrl, { hex: rawtx });
  const isLacking = raw === null || raw.status >= 500 || raw.status === 404 || raw.status === 405;
  const ofRaw = raw && rejectionIn(raw, txid);
  if (raw && (!receiveBeefUrl || !isLacking || ofRaw?.final)) return ofRaw;
  const { wocUrl } = await networkInfo();
  const ofBeef = rejectionIn(
    await send(receiveBeefUrl as string, { beef: toHex(await beefOf(wocUrl, fromHex(rawtx))) }),
    txid,
  );
  return raw && ofBeef?.aboutForm ? ofRaw : ofBeef;
}

/** What is wrong with an answer; null where the host has the transaction. */
function rejectionIn({ status, body }: HostAnswer, txid: string): Rejection | null {
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
      final: status < 500 && isDeclined(code, 'delivery'), // one that is ailing means nothing by it
      aboutForm: code === 'invalid-transaction' || code === 'too-large',
    };
  const texts = [code, said?.message, said?.error].filter((text) => typeof text === 'string');
  if (status === 409 || (status < 500 && texts.some((text) => KNOWN_ALREADY.test(text)))) return null;
  const isTooMuch = status === 410 || status === 413;
  return { problem: `status ${status}`, final: isTooMuch, aboutForm: isTooMuch };
}
