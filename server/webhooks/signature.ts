/** Signs webhooks (Standard Webhooks, "Webhook headers and signature scheme"). Pure. */
import { createHmac } from 'node:crypto';

/**
 * The headers of one attempt. The signature is over id, time and body: a receiver can recognise a replayed message.
 * @param secrets each `whsec_` and a key in base64; while one replaces another, both sign ("Zero downtime secret rotation")
 * @param now when this attempt is made
 */
export function signedHeaders(id: string, body: string, secrets: readonly string[], now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000).toString();
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
