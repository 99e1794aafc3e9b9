/**
 * The first report of a payment is sent concurrently with its broadcast. The service then waits a moment for the
 * network (RFC 7240, `Prefer: wait`). If the worker stops, the report is sent after the broadcast, because this is in
 * memory only. Reports are idempotent.
 */

/** How long the service can wait for the transaction before it responds (seconds). */
export const PREFER_WAIT = { prefer: 'wait=2' };

/** The network did not have it in time, or there was no response, which may have changed since. */
const TOO_EARLY = ['not-accepted', 'network-unavailable', 'service-unavailable', 'paymail-unavailable'];

const early = new Map<string, Promise<{ problem: string } | null>>();

/** Sends it now, under a name that starts with the payment's id. `send` never rejects. */
export function sendEarly(name: string, send: () => Promise<{ problem: string } | null>): void {
  if (!early.has(name)) early.set(name, send());
}

/** Returns the outcome of the early report, unless it was too early; otherwise sends it now. */
export async function sendOnce<Answer extends { problem: string }>(
  name: string,
  send: () => Promise<Answer | null>,
): Promise<Answer | null> {
  const sent = early.get(name) as Promise<Answer | null> | undefined;
  early.delete(name);
  if (!sent) return send();
  const answer = await sent;
  return answer && TOO_EARLY.includes(answer.problem) ? send() : answer;
}

export function forgetEarly(id: string): void {
  for (const name of early.keys()) if (name.startsWith(id)) early.delete(name);
}
