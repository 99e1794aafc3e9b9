/** Sends HTTP requests to other hosts, without cookies, and with timeouts and size limits. */
import { ServiceError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import { part, type Wallet } from '../platform.ts';

/** Request options. Timeout in milliseconds, maximum response size in bytes. */
export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  json?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
  maxBytes?: number;
  /** Error code if there is no response. */
  unreachable?: ErrorCode;
  /** Error code for a redirect, which is never followed; defaults to `unreachable`. */
  redirected?: ErrorCode;
}

export interface HttpResponse {
  status: number;
  text: string;
  /** Server time from the `Date` header (milliseconds since 1970); null if missing. */
  date: number | null;
  /** The `Retry-After` header; null if missing. */
  retryAfter: string | null;
}

const TIMEOUT_MS = 15_000;
/** Default maximum response size (bytes). */
export const MAX_BYTES = 32_000_000;

const memoryOf = part(() => ({
  network: new AbortController(),
  /** Number of running {@link withoutNetwork} calls. */
  without: 0,
}));

/** Runs `work` with the network off: aborts requests in progress, and fails new ones until `work` has finished. */
export async function withoutNetwork<T>(wallet: Wallet, work: () => Promise<T>): Promise<T> {
  const memory = memoryOf(wallet);
  memory.without += 1;
  memory.network.abort();
  try {
    return await work();
  } finally {
    memory.without -= 1;
    if (memory.without === 0) memory.network = new AbortController();
  }
}

/**
 * Sends one request.
 * @throws ServiceError `too-large`, or `network-unavailable` (or the code passed) if no complete response arrives before
 * the timeout
 */
export async function send(wallet: Wallet, url: string, request: HttpRequest = {}): Promise<HttpResponse> {
  const {
    method = request.json === undefined ? 'GET' : 'POST',
    json,
    headers = {},
    timeoutMs = TIMEOUT_MS,
    maxBytes = MAX_BYTES,
  } = request;
  try {
    const response = await wallet.fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      credentials: 'omit',
      cache: 'no-store',
      redirect: request.redirected === undefined ? 'error' : 'manual',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([wallet.timeoutSignal(timeoutMs), memoryOf(wallet).network.signal]),
    });
    // Browsers hide a redirect that isn't followed: its status is 0 (Fetch standard, section 2.2.6).
    if (
      request.redirected !== undefined &&
      (response.status === 0 || (response.status >= 300 && response.status < 400))
    )
      throw new ServiceError(request.redirected);
    const date = Date.parse(response.headers.get('date') ?? '');
    return {
      status: response.status,
      text: await readText(response, maxBytes),
      date: Number.isNaN(date) ? null : date,
      retryAfter: response.headers.get('retry-after'),
    };
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError(request.unreachable ?? 'network-unavailable', { cause });
  }
}

/**
 * Opens a streaming response, which stays open until `signal` aborts or the network fails.
 * @throws ServiceError `service-unavailable` if no response started before the timeout
 */
export async function openStream(
  wallet: Wallet,
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  const opening = new AbortController();
  const timer = wallet.setTimeout(() => opening.abort(), TIMEOUT_MS);
  try {
    return await wallet.fetch(url, {
      headers,
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([signal, opening.signal, memoryOf(wallet).network.signal]),
    });
  } catch (cause) {
    throw new ServiceError('service-unavailable', { cause });
  } finally {
    wallet.clearTimeout(timer);
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel();
      throw new ServiceError('too-large');
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Returns the parsed JSON; undefined if the string isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
