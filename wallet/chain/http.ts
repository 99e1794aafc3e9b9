/** Requests to other hosts: without cookies, and with limits of time and size. */
import { ServiceError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import { part, type Wallet } from '../platform.ts';

/** The options of a request. Timeout in milliseconds, maximum response in bytes. */
export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  json?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
  maxBytes?: number;
  /** The code of the error without a response. */
  unreachable?: ErrorCode;
  /** The code of the error for a redirect, which is never followed; by default the same as `unreachable`. */
  redirected?: ErrorCode;
}

/** Status and body of a response, for any status. */
export interface HttpAnswer {
  status: number;
  text: string;
  /** The time of the server (its header `Date`) in milliseconds since 1970; null if there is none. */
  date: number | null;
  /** The header `Retry-After`, null without one. */
  retryAfter: string | null;
}

const TIMEOUT_MS = 15_000;
/** The maximum response size by default. */
export const MAX_BYTES = 32_000_000;

const memoryOf = part(() => ({
  network: new AbortController(),
  /** The number of running tasks that need the network to be off. */
  without: 0,
}));

/**
 * Runs `work` without a network: requests in progress are aborted, and later ones fail immediately until it is done.
 */
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
 * @throws ServiceError `network-unavailable` (or the given code) if no complete response came in time, `too-large`
 */
export async function send(wallet: Wallet, url: string, request: HttpRequest = {}): Promise<HttpAnswer> {
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
    // Browsers hide a redirect that is not followed: its status is 0 (Fetch standard, 2.2.6).
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
 * Opens a streaming response, which lasts until `signal` or a network failure.
 * @throws ServiceError `service-unavailable` if none started in time
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

/** JSON, or undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
