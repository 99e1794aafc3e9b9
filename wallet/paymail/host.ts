/**
 * Sends requests to paymail hosts. Anyone can run a host, and a page can choose it by requesting a payment. Therefore,
 * requests don't identify the user, redirects aren't followed, and hosts on the user's local network are never
 * contacted.
 */
import { ServiceError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import type { Settings } from '../../protocol/messages/wallet-messages.ts';
import { parseJson, send } from '../chain/http.ts';
import { isReachableLoopback, readSettings } from '../settings.ts';
import { isPublicName } from './dns.ts';
import { HostCache } from './known.ts';
import { part, type Wallet } from '../platform.ts';

/**
 * A request to a host: POST if there is a body, otherwise GET. The timeout is in milliseconds, the maximum response
 * size in bytes.
 */
export interface HostQuestion {
  json?: unknown;
  /** Error code for a redirect; by default the same as for a missing response. */
  redirected?: ErrorCode;
  timeoutMs?: number;
  maxBytes?: number;
  headers?: Record<string, string>;
  /** The requesting site, or `OWN`. Resolved names are cached separately for each client. */
  client: string;
}

/** Status and parsed body of any response. `body` is undefined if it isn't JSON. */
export interface HostResponse {
  status: number;
  body: unknown;
  /** The beginning of a non-JSON error response. */
  text?: string;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 100_000;
/** How long a name is considered public after a lookup (milliseconds). */
const PUBLIC_FOR_MS = 300_000;
/** Local names (RFC 6761, 6762, 8375; ICANN's `internal`; names assigned by home routers). */
const NEAR = /(?:^|\.)(?:local|localhost|localdomain|internal|intranet|private|corp|home|lan|test|invalid|onion|arpa)$/;

const publicNames = part((wallet) => new HostCache<true>(wallet, PUBLIC_FOR_MS));

/** True for a domain name that may be public: not an IP address, a single label or a local name. */
export function isPublicForm(hostname: string): boolean {
  return (
    /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/.test(hostname) &&
    !/(?:^|\.)\d+$/.test(hostname) &&
    !NEAR.test(hostname) &&
    // Rejects names that end in a hexadecimal number or contain invalid Punycode (WHATWG URL, host parsing).
    URL.canParse(`https://${hostname}`)
  );
}

/**
 * Returns the URL if it may be requested, otherwise null. Allows the wallet's service and HTTPS URLs with a public
 * name. On devnet, also allows this machine, with or without HTTPS.
 */
export function hostUrl(text: string, { network, serviceUrl }: Pick<Settings, 'network' | 'serviceUrl'>): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== ''
  )
    return null;
  if (url.origin === new URL(serviceUrl).origin || (network === 'devnet' && isReachableLoopback(url.hostname)))
    return url;
  return url.protocol === 'https:' && isPublicForm(url.hostname) ? url : null;
}

/**
 * Sends a request to a host, without cookies, referrer or redirects.
 * @throws ServiceError `paymail-unavailable` (no complete response within the timeout), `paymail-mismatch` (a forbidden
 * URL, or a response that is too large)
 */
export async function requestHost(
  wallet: Wallet,
  address: string,
  { json, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, headers = {}, redirected, client }: HostQuestion,
): Promise<HostResponse> {
  const end = wallet.monotonic() + timeoutMs;
  const settings = await readSettings(wallet);
  const url = hostUrl(address, settings);
  if (!url) throw new ServiceError('paymail-mismatch', { detail: `${address} is not a permitted URL` });
  const isOwn = url.origin === new URL(settings.serviceUrl).origin || isReachableLoopback(url.hostname);
  // TLS already prevents requests to local machines under public names, because these machines lack a valid
  // certificate. This check adds protection.
  if (!isOwn) await refusePrivate(wallet, url.hostname, client, timeoutMs);
  try {
    const left = Math.floor(end - wallet.monotonic());
    if (left < 1) throw new ServiceError('paymail-unavailable', { detail: 'no time left' });
    const { status, text } = await send(wallet, url.href, {
      json,
      headers,
      timeoutMs: left,
      maxBytes,
      unreachable: 'paymail-unavailable',
      ...(redirected && { redirected }),
    });
    const body = parseJson(text);
    return { status, body, ...(status >= 400 && body === undefined && { text: text.slice(0, 200) }) };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'too-large')
      throw new ServiceError('paymail-mismatch', { cause: error });
    throw error;
  }
}

async function refusePrivate(wallet: Wallet, name: string, client: string, timeoutMs: number): Promise<void> {
  if (publicNames(wallet).get(client, name)) return;
  const isPublic = await isPublicName(wallet, name, timeoutMs).catch((error: unknown) => {
    // If DNS over HTTPS is blocked, the wallet relies on TLS certificates.
    if (error instanceof ServiceError && error.code === 'network-unavailable') return null;
    throw error;
  });
  if (isPublic === false) throw new ServiceError('paymail-mismatch', { detail: `${name} has a private address` });
  publicNames(wallet).set(client, name, true);
}
