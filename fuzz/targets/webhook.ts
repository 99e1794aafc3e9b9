/** Fuzzes webhooks as received by a shop. An accepted webhook must be signed, and the event must match the JSON. */
import { createHmac } from 'node:crypto';
import { VerificationError } from '../../server/sdk/verification-error.ts';
import { verifyWebhook, type WebhookEvent } from '../../server/sdk/webhook.ts';
import { mustEqual, target } from '../target.ts';
import { jsonOf } from './testing-schemas.ts';
import { TXID } from './testing-seeds.ts';

const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString('base64')}`;
const NOW = 1_800_000_000_000;
const TIME = String(NOW / 1000);

const payment = {
  ...{ id: '1', status: 'RECEIVED', txid: TXID, amount: '1', currency: 'BSV', satoshis: '100000000', rawtx: '00' },
  outputs: [{ type: 'ADDRESS', to: 'a', amount: '1', currency: 'BSV', satoshis: '100000000' }],
};
const refund = { paymentId: '2', txid: TXID, satoshis: '5' };
const events = [
  { type: 'payment.received', data: { payment } },
  { type: 'payment.refunded', data: { payment, refund } },
];

function read(body: Uint8Array): WebhookEvent | null {
  const signature = createHmac('sha256', KEY).update(`msg_1.${TIME}.`).update(body).digest('base64');
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': TIME, 'webhook-signature': `v1,${signature}` };
  try {
    return verifyWebhook(headers, body, SECRET, { now: NOW });
  } catch (error) {
    if (error instanceof VerificationError && error.code === 'malformed') return null;
    throw error;
  }
}

export default target({
  form: 'json',
  seeds: () => events.map((event) => JSON.stringify({ ...event, timestamp: '2026-01-01T00:00:00.000Z' })),
  read,
  check: ({ type, timestamp, payment }, input) => {
    const told = jsonOf(input) as {
      type: unknown;
      timestamp: unknown;
      data?: { payment: { id: unknown; satoshis: unknown } };
    };
    if (payment === null) {
      mustEqual([type, timestamp], [told.type, told.timestamp], 'another event');
      return;
    }
    mustEqual(
      [type, timestamp, payment.id, String(payment.satoshis)],
      [told.type, told.timestamp, told.data?.payment.id, told.data?.payment.satoshis],
      'another event',
    );
  },
});
