/** One attempt at a webhook: resolves the receiver once, connects to that address, and doesn't follow redirects. */
import { addressesOf, publicAddressesOf, readBeginning, requestPinned } from '../outbound-requests/pinned-request.ts';
import { isPublicAddress } from '../outbound-requests/public-address.ts';

/** An attempt's result, with the receiver's status if there was a response. `error` is null on success. */
export interface Attempt {
  status: number | null;
  error: string | null;
  /** The beginning of the receiver's response as readable text, or null. */
  response: string | null;
}

export interface SendRules {
  /** True to allow http, as well as private and loopback addresses. */
  allowPrivate: boolean;
  timeoutMs: number;
}

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_QUOTED = 200;
const MAX_RESPONSE = 2_000;

const refused = (error: string): Attempt => ({ status: null, error, response: null });

/** Posts a body. Never throws, because failures are part of the result. */
export async function send(
  url: string,
  headers: Record<string, string>,
  body: string,
  rules: SendRules,
): Promise<Attempt> {
  const signal = AbortSignal.timeout(rules.timeoutMs);
  try {
    const target = new URL(url);
    if (target.protocol !== 'https:' && !(target.protocol === 'http:' && rules.allowPrivate))
      return refused('The webhook URL is not https.');
    const addresses = await (rules.allowPrivate ? addressesOf : publicAddressesOf)(target, signal);
    if (!rules.allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
      return refused('The webhook URL leads to a private address.');
    const response = await requestPinned(
      target,
      addresses,
      {
        method: 'POST',
        body,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(body)),
          'User-Agent': 'service-button-webhooks/1',
          ...headers,
        },
      },
      signal,
    );
    // The status has already arrived, so an incomplete body doesn't matter.
    return judge(response.statusCode ?? 0, (await readBeginning(response, MAX_ANSWER_BYTES)).bytes.toString('utf8'));
  } catch (error) {
    return refused(signal.aborted ? `No answer within ${rules.timeoutMs / 1000} s.` : reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The name of the webhook URL was not found.';
  if (code === 'ECONNREFUSED') return 'Nothing listens at the webhook URL.';
  return `The connection failed${code === null ? '' : ` (${code})`}.`;
}

function judge(status: number, answer: string): Attempt {
  // Replaces control characters, and characters that the database can't store.
  const readable = answer
    .slice(0, MAX_RESPONSE)
    .replace(/(?![\n\t])[\p{C}]/gu, ' ')
    .toWellFormed()
    .trim();
  const response = readable === '' ? null : readable;
  if (status >= 200 && status < 300) return { status, error: null, response };
  if (status >= 300 && status < 400)
    return { status, error: 'The answer was a redirect, which is not followed.', response };
  const quoted = readable.replace(/\s+/gu, ' ').slice(0, MAX_QUOTED).toWellFormed();
  return { status, error: quoted === '' ? 'The response was not 2xx.' : quoted, response };
}
