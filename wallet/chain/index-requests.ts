/**
 * Sends requests with the stored key to an index that has WhatsOnChain's API. Respects its rate limit and the pauses
 * that it requests.
 */
import { retryAfterMs } from '../../protocol/network/broadcaster/outcome.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { send } from './http.ts';
import { operatorKey } from './operator-keys.ts';
import { part, type Wallet } from '../platform.ts';

/** Returns the header for a key. WhatsOnChain expects the key without a scheme such as `Bearer`. */
export const keyHeaders = (key: string | null): Record<string, string> => (key === null ? {} : { authorization: key });

/** The public service accepts about three requests a second. */
const PUBLIC_HOST = 'api.whatsonchain.com';
const PUBLIC_SPACING_MS = 350;
const memoryOf = part(() => ({
  nextTurn: 0,
}));

/** Waits until this wallet may send its next request to the public service. */
async function turn(wallet: Wallet, url: string): Promise<void> {
  const memory = memoryOf(wallet);
  if (new URL(url).host !== PUBLIC_HOST) return;
  const now = wallet.monotonic();
  const at = Math.max(now, memory.nextTurn);
  memory.nextTurn = at + PUBLIC_SPACING_MS;
  await new Promise((resolve) => wallet.setTimeout(resolve, at - now));
}

// When a pause requested by an index ends (monotonic milliseconds). Lost when the worker stops.
const quietUntil = part(() => new Map<string, number>());

/** Request options. `key` defaults to the stored key. */
interface IndexRequest {
  json?: unknown;
  maxBytes?: number | undefined;
  key?: string | null | undefined;
}

/**
 * Sends a request to an index: a POST if there is a JSON body, otherwise a GET.
 * @returns the response, with status 200 or 404
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function requestIndex(
  wallet: Wallet,
  wocUrl: string,
  path: string,
  { json, maxBytes, key }: IndexRequest = {},
): Promise<{ status: number; text: string }> {
  if (key === undefined && (quietUntil(wallet).get(wocUrl) ?? 0) > wallet.monotonic())
    throw new ServiceError('network-unavailable', { detail: 'the index requested a delay' });
  await turn(wallet, wocUrl);
  const answer = await send(wallet, `${wocUrl}${path}`, {
    headers: keyHeaders(key === undefined ? await operatorKey(wallet, wocUrl) : key),
    ...(json !== undefined && { json }),
    ...(maxBytes !== undefined && { maxBytes }),
  });
  if (answer.status === 429 || answer.status === 503)
    quietUntil(wallet).set(wocUrl, wallet.monotonic() + (retryAfterMs(answer.retryAfter, wallet.now()) ?? 0));
  if (answer.status !== 200 && answer.status !== 404)
    throw new ServiceError('network-unavailable', { detail: `status ${answer.status}` });
  return answer;
}
