/** HTTP requests to other services for JSON or text, with time and size limits. */
import { ServiceError } from '../../protocol/errors/service-error.ts';

const TIMEOUT_MS = 10_000;
// Larger than any response about one transaction, such as a merkle path or a list of conflicts.
const MAX_BYTES = 1_000_000;

export interface JsonRequest {
  body?: unknown;
  headers?: Record<string, string>;
}

/** A response. `body` is undefined if it isn't JSON. `retryAfter` is the Retry-After header, or null. */
export interface JsonResponse {
  status: number;
  body: unknown;
  retryAfter: string | null;
}

/**
 * Sends a GET, or a POST with a JSON body. Doesn't follow redirects.
 * @throws ServiceError `network-unavailable` (incomplete after `timeoutMs`, or more than 1 MB)
 */
export async function fetchJson(
  url: string,
  { body, headers }: JsonRequest = {},
  timeoutMs = TIMEOUT_MS,
): Promise<JsonResponse> {
  try {
    const response = await fetch(url, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readLimited(response, MAX_BYTES);
    return { status: response.status, body: parse(text), retryAfter: response.headers.get('Retry-After') };
  } catch (cause) {
    throw new ServiceError('network-unavailable', { cause });
  }
}

/**
 * Sends a GET, or a POST with a JSON body. Returns status, text and `Retry-After`. Doesn't follow redirects.
 * @throws ServiceError `network-unavailable` (incomplete after 10 s, or more than `maxBytes`)
 */
export async function fetchResponse(
  url: string,
  { json, headers, maxBytes }: { json?: unknown; headers: Record<string, string>; maxBytes: number },
): Promise<{ status: number; text: string; retryAfter: string | null }> {
  const isPost = json !== undefined;
  try {
    const response = await fetch(url, {
      ...(isPost && { method: 'POST', body: JSON.stringify(json) }),
      headers: { Accept: 'application/json', ...(isPost && { 'Content-Type': 'application/json' }), ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await readLimited(response, maxBytes);
    return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
  } catch (cause) {
    throw new ServiceError('network-unavailable', { cause });
  }
}

/** Sends a GET, and returns status and text. @throws see {@link fetchResponse} */
export async function fetchText(
  url: string,
  maxBytes: number,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: response.status, text: await readLimited(response, maxBytes) };
  } catch (cause) {
    throw new ServiceError('network-unavailable', { cause });
  }
}

async function readLimited(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
