/** Webhook bodies in the original service's format, for existing handlers. */
import type { EventType } from './outbox.ts';

/** True if the original service had this event type. Its handlers would mistake other events for payments. */
export const inOlderForm = (type: string): boolean =>
  type !== 'payment.refunded' && type !== 'payment.checked' && type !== 'payment.contested';

/**
 * Returns an event's payment with the application's chosen secret, which proves only that the sender knows the secret.
 * The signature in the headers covers this body like any other.
 * @param body the event's own body
 */
export function bodyWithSecret(body: string, secret: string): string {
  const { type, data } = JSON.parse(body) as { type: EventType; data: { payment: unknown } };
  return JSON.stringify({ secret, payment: data.payment, ...(type === 'webhook.test' && { test: true }) });
}
