/** Signs webhooks (Standard Webhooks, "Webhook headers and signature scheme"). Pure. */
import { createHmac } from 'node:crypto';

/**
 * The headers of one attempt. The signature is over id, time and body: a receiver can recognise a replayed message.
 * @param secret `whsec_` and the key in base64
 * @param now when this attempt is made
 */
export function signedHeaders(id: string, body: string, secret: string, now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000).toString();
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
