/**
 * The first report of a payment goes out beside its broadcast, not after it: the service then waits a moment for the
 * network (RFC 7240, `Prefer: wait`). In memory only: what the worker forgets is reported after the broadcast, and a
 * report made twice is as good as one.
 */

/** So long may the service look for the transaction before it answers (seconds). */
export const PREFER_WAIT = { prefer: 'wait=2' };

/** The network did not have it in time, or nobody answered, which may have changed since. */
const TOO_EARLY = ['not-accepted', 'network-unavailable', 'service-unavailable', 'paymail-unavailable'];

const early = new Map<string, Promise<{ problem: string } | null>>();

/** Sends it now, under a name that begins with the payment's id. `send` never rejects. */
export function sendEarly(name: string, send: () => Promise<{ problem: string } | null>): void {
  if (!early.has(name)) early.set(name, send());
}

/** What came of the early one counts, unless it came too early after all; else it is sent now. */
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

/** Nobody waits for the answers about this payment any more. */
export function forgetEarly(id: string): void {
  for (const name of early.keys()) if (name.startsWith(id)) early.delete(name);
}
