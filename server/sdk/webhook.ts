/** Verifies received webhooks (Standard Webhooks, "Verifying webhooks"). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { WEBHOOK_EVENTS, type Refund } from '../../protocol/payments/payment-types.ts';
import { readPayment, type Payment } from './payment.ts';
import { VerificationError } from './verification-error.ts';

/** An event type known to this version. */
export type KnownEventType = (typeof WEBHOOK_EVENTS)[number];

interface EventBase {
  /** The same for every attempt to deliver this event. Process each ID only once. */
  id: string;
  /** Time of the event, ISO 8601. */
  timestamp: string;
}

/** An event of a type known to this version. */
export interface KnownWebhookEvent extends EventBase {
  type: KnownEventType;
  /** For `payment.refunded`, the payment that was refunded. */
  payment: Payment;
  /** For `payment.refunded`, the refund; otherwise null. */
  refund: Refund | null;
}

/**
 * An event of a type unknown to this version. Respond with 2xx and ignore the event. Any other response causes retries,
 * and later events for the same payment wait.
 */
export interface UnknownWebhookEvent extends EventBase {
  /** Represents any other string. A literal type lets TypeScript narrow the event by `type`. */
  type: '(an event type unknown to this version)';
  payment: null;
  refund: null;
  /** The event's `data`, not validated. */
  data: unknown;
}

/** A webhook event. `if (event.payment === null) return;` skips types unknown to this version. */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;

/** Headers: Node's `request.headers`, a fetch `Headers`, or a similar object. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** Maximum age of a message in seconds. Default: 300. */
  toleranceSeconds?: number;
  /** The current time in ms since 1970. Default: the system clock. */
  now?: number;
}

const TYPES: readonly string[] = WEBHOOK_EVENTS;

const PARSED_BODY = [
  'verifyWebhook needs the raw body: pass the raw body, before express.json() parses it.',
  "Express: app.post('/webhook', express.raw({ type: '*/*' }), …) before app.use(express.json()), and request.body.",
  "Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => done(null, body)), and request.body.",
  'Next.js (app router), Hono, SvelteKit: await request.text(), in Hono await c.req.text().',
  'Koa: raw(ctx.req) from the package raw-body, without a body parser on that route.',
  'NestJS: NestFactory.create(AppModule, { rawBody: true }), and request.rawBody.',
].join('\n');

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? (headers.get as (name: string) => string | null)(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '')
    throw new VerificationError('malformed', `The header ${name} is missing.`);
  return value;
}

/**
 * Checks that the service sent this message recently, and returns its event. A valid signature doesn't prove that the
 * payment is the expected one, because anyone can name your application in a payment to themselves. Continue with
 * `checkPayment` or `verifyPayment`.
 * @param body the raw request body, before any parsing
 * @param secret the webhook secret (`whsec_…`), or several during a rotation; undefined ones are ignored
 * @throws VerificationError `malformed`, `stale`, `invalid-signature`
 * @throws TypeError if the body is already parsed, or if no valid secret is given
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly (string | undefined)[] | undefined,
  options: WebhookOptions = {},
): WebhookEvent {
  const { toleranceSeconds = 300, now = Date.now() } = options;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw new TypeError(PARSED_BODY);
  const keys = [secret]
    .flat()
    .filter((one) => one !== undefined)
    .map(keyOf);
  if (keys.length === 0) throw new TypeError('The webhook secret is missing. Set the variable that contains it.');
  const [id, timestamp, signatures] = [
    headerOf(headers, 'webhook-id'),
    headerOf(headers, 'webhook-timestamp'),
    headerOf(headers, 'webhook-signature'),
  ];
  if (!/^\d{1,12}$/.test(timestamp)) throw new VerificationError('malformed', 'webhook-timestamp is not a Unix time.');
  const bytes = Buffer.from(typeof body === 'string' ? Buffer.from(body) : body);
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), bytes]);
  const given = signatures
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice(3), 'base64'));
  const isSigned = keys.some((key) => {
    const expected = createHmac('sha256', key).update(signed).digest();
    return given.some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
  });
  if (!isSigned)
    throw new VerificationError(
      'invalid-signature',
      'The webhook was not signed with this secret, or was changed in transit. A body that was parsed and serialized ' +
        'again (JSON.stringify) has other bytes than the signed ones.',
    );
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new VerificationError('stale', 'The webhook was signed too long ago.');
  return readEvent(id, bytes.toString('utf8'));
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // Anyone could sign with an empty key.
  if (key.length < 16)
    throw new TypeError(
      secret === '' ? 'The webhook secret is empty.' : 'A webhook secret must be whsec_ and a key in base64.',
    );
  return key;
}

function readEvent(id: string, body: string): WebhookEvent {
  let read: { type?: unknown; timestamp?: unknown; data?: { payment?: unknown; refund?: unknown } } | null;
  try {
    read = JSON.parse(body) as typeof read;
  } catch (cause) {
    throw new VerificationError('malformed', 'The webhook is not JSON.', { cause });
  }
  const { type, timestamp, data } = read ?? {};
  if (typeof type !== 'string' || type === '' || typeof timestamp !== 'string')
    throw new VerificationError('malformed', 'The webhook has no type or time.');
  if (!TYPES.includes(type))
    return { id, type: type as UnknownWebhookEvent['type'], timestamp, payment: null, refund: null, data };
  const refund = type === 'payment.refunded' ? readRefund(data?.refund) : null;
  return { id, type: type as KnownEventType, timestamp, payment: readPayment(data?.payment), refund };
}

function readRefund(data: unknown): Refund {
  const { paymentId, txid, satoshis } = (data ?? {}) as Partial<Record<keyof Refund, unknown>>;
  if (
    typeof paymentId !== 'string' ||
    typeof txid !== 'string' ||
    typeof satoshis !== 'string' ||
    !/^\d+$/.test(satoshis)
  )
    throw new VerificationError('malformed', 'The webhook has no refund.');
  return { paymentId, txid, satoshis };
}
