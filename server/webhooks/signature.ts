/** Signs webhooks (Standard Webhooks, "Webhook headers and signature scheme"). Pure. */
import { createHmac } from 'node:crypto';

/**
 * Returns an attempt's headers. The signature covers the ID, time and body so that receivers can recognize replays.
 * @param secrets each `whsec_` and a base64 key; two during a rotation ("Zero downtime secret rotation")
 */
export function signedHeaders(id: string, body: string, secrets: readonly string[], now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000).toString();
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
