/**
 * Hands signed transactions in at recipients' hosts (P2P transactions, BRFC 5f1323cddf31). A host may be down for long, and
 * tells its user of the payment by this alone: no answer but its acknowledgement ends the tries, for a month. It may get one
 * transaction several times, where its answer was lost or the worker stopped: the reference says that it is the same.
 */
import type * as z from 'zod/mini';
import { ServiceError } from '../../../protocol/errors.ts';
import { receiveResponse, type receiveTransactionRequest } from '../../../protocol/paymail.ts';
import { readKey } from '../database.ts';
import { stateOnNetwork, step, waitingDeliveries, type Delivery, type PaidHost, type PaymentRecord, type Quote, type SignedPart } from '../payment/record.ts';
import { isGivenUp, nextTry } from '../payment/retry.ts';
import { askHost } from './host.ts';

/** A host has so long to answer (milliseconds): it may give the transaction to the network first. */
const TIMEOUT_MS = 20_000;

/** The deliveries that a payment begins with: one for each recipient whose host takes transactions. */
export function deliveriesOf({ outputs }: Quote): Delivery[] {
  return outputs.flatMap(({ host }, output) =>
    (host?.receiveUrl && host.reference !== null ? [{ output, state: 'waiting' as const, attempts: 0, nextAt: 0, problem: null }] : []));
}

/**
 * Hands in what is due of some of a payment's deliveries, all at once.
 * @returns whether one of them came to its end
 */
export async function deliver(record: PaymentRecord, isWanted: (delivery: Delivery) => boolean): Promise<boolean> {
  const due = waitingDeliveries(record).filter((one) => one.nextAt <= Date.now() && isWanted(one));
  const ended = await Promise.all(due.map((delivery) => handIn(record, delivery)));
  return ended.includes(true);
}

/** One try. @returns whether it was the last */
async function handIn(record: PaymentRecord, { output, attempts }: Delivery): Promise<boolean> {
  const problem = await ask(record, output).catch((error: unknown) => (error instanceof ServiceError ? error.code : 'internal'));
  const state = problem === null ? 'done' : isGivenUp(record) ? 'given-up' : 'waiting';
  const tried = { output, state, ...nextTry(attempts), problem } as const;
  await step(record.id, 'broadcast', (now) => {
    const deliveries = (now.deliveries ?? []).map((one) => (one.output === output && one.state === 'waiting' ? tried : one));
    return { deliveries, state: stateOnNetwork({ ...now, deliveries }) };
  });
  return state !== 'waiting';
}

/** @returns what was wrong with the answer; null where it acknowledges. @throws ServiceError `paymail-unavailable`, `paymail-mismatch` */
async function ask({ origin: asker, quote, signed }: PaymentRecord, output: number): Promise<string | null> {
  const host = quote?.outputs[output]?.host as PaidHost;
  const { rawtx, txid, senderProof } = signed as SignedPart;
  // Without an account there is nobody to name: the bare key would only tell hosts that two payments are one person's.
  const sender = (await readKey('account'))?.paymail;
  const metadata = sender !== undefined && senderProof ? { sender, pubkey: senderProof.publicKey, signature: senderProof.signature } : {};
  const json: z.infer<typeof receiveTransactionRequest> = { hex: rawtx, metadata, reference: host.reference as string };
  const { status, body } = await askHost(host.receiveUrl as string, { asker, json, timeoutMs: TIMEOUT_MS });
  if (status < 200 || status >= 300) return `status ${status}`;
  const parsed = receiveResponse.safeParse(body);
  return parsed.success && parsed.data.txid === txid ? null : 'paymail-mismatch';
}
