/** The body of webhooks as the original service sent it, for handlers that were written for it. */
import type { EventType } from './outbox.ts';

/**
 * True if the original service had an event of this type. A handler for its form would take any other for the payment
 * once more.
 */
export const inOlderForm = (type: string): boolean =>
  type !== 'payment.refunded' && type !== 'payment.checked' && type !== 'payment.contested';

/**
 * An event's payment together with the secret that the application chose. That secret proves only that the sender knows
 * it: the headers sign this body as they sign every other.
 * @param body the event's own body
 */
export function bodyWithSecret(body: string, secret: string): string {
  const { type, data } = JSON.parse(body) as { type: EventType; data: { payment: unknown } };
  return JSON.stringify({ secret, payment: data.payment, ...(type === 'webhook.test' && { test: true }) });
}
