/** Test events, which owners use to test their receivers. Test events don't announce a payment. */
import type { Response } from 'express';
import type { PaymentResponse } from '../../protocol/http/api.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';
import type { Application } from '../applications/store.ts';
import { webhookEvents } from '../database/schema.ts';
import type { Limit } from '../http/rate-limit.ts';
import { randomAlphanumeric } from '../secrets.ts';
import { TO_HOST, MIN_EVENT_KILOBYTES, type ResendContext } from './resend.ts';

/** A strict limit, because the URL might not belong to the owner (see resend.ts). */
const BY_OWNER: Limit = { name: 'webhook-test', perMinute: 10, burst: 10 };

/** A payment of nothing to no one, so even a handler that ignores the event type delivers nothing. */
export const TEST_PAYMENT: PaymentResponse['payment'] = {
  id: '00000000-0000-0000-0000-000000000000',
  ...metadataOf({}),
  status: 'PENDING',
  statusDescription: 'A test event. Nothing was paid.',
  network: 'unknown',
  clientIdentifier: null,
  txid: '0'.repeat(64),
  normalizedTxid: '0'.repeat(64),
  satoshis: '0',
  amountUsd: '0.00',
  serviceAmount: '0.00',
  amountDeviates: false,
  amount: '0',
  currency: 'USD',
  inputSatoshis: null,
  spendSatoshis: null,
  feeSatoshis: null,
  changeSatoshis: null,
  outputs: [],
  paymentOutputs: [],
  cryptoOperations: [],
  userId: null,
  senderPaymail: null,
  refundSatoshis: null,
  refundedSatoshis: '0',
  rawtx: '',
  createdAt: '1970-01-01T00:00:00.000Z',
};

/**
 * Adds an application's test event to the outbox, to be delivered like any other.
 * @returns its ID
 * @throws ServiceError `invalid-request` without a webhook URL, `too-many-requests`
 */
export async function sendTestEvent(
  { db, limits, now }: ResendContext,
  { id: applicationId, ownerId, clientIdentifier, webhookUrl }: Application,
  response: Response,
): Promise<string> {
  if (webhookUrl === null)
    throw new ServiceError('invalid-request', { message: 'The application has no webhook URL.' });
  await limits.take(BY_OWNER, String(ownerId), response);
  await limits.take(TO_HOST, new URL(webhookUrl).host, response, MIN_EVENT_KILOBYTES);
  const createdAt = now();
  const timestamp = createdAt.toISOString();
  const payment = { ...TEST_PAYMENT, clientIdentifier, createdAt: timestamp };
  const id = `msg_${randomAlphanumeric(24)}`;
  await db.insert(webhookEvents).values({
    id,
    applicationId,
    paymentId: null,
    sequence: 1,
    type: 'webhook.test',
    body: JSON.stringify({ type: 'webhook.test', timestamp, data: { payment } }),
    state: 'pending',
    createdAt,
    nextAttemptAt: createdAt,
  });
  return id;
}
