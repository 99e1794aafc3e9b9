/** Requests to untrusted hosts, only to addresses resolved once and checked by the caller. Doesn't follow redirects. */
import { lookup as resolve, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

export interface OutgoingRequest {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

/** Returns a URL's host, without brackets for IPv6. */
const nameOf = (target: URL): string => target.hostname.replace(/[[\]]/g, '');

/**
 * Returns all addresses of a URL's host. The caller must check each address.
 * @throws Error from node:dns; any error after the signal is aborted
 */
export function addressesOf(target: URL, signal: AbortSignal): Promise<LookupAddress[]> {
  return new Promise((found, failed) => {
    signal.addEventListener('abort', () => failed(new Error('time-out')));
    resolve(nameOf(target), { all: true }, (error, addresses) => (error ? failed(error) : found(addresses)));
  });
}

/** Timeout per name server query (ms). */
const DNS_TIMEOUT_MS = 2_000;

/**
 * Returns a URL's public addresses, only from name servers. Unlike {@link addressesOf}, doesn't use the process's few
 * resolver threads, which strangers' unresponsive name servers could block.
 * @throws Error from node:dns if there are none; any error after the signal is aborted
 */
export async function publicAddressesOf(target: URL, signal: AbortSignal): Promise<LookupAddress[]> {
  const name = nameOf(target);
  const family = isIP(name);
  if (family !== 0) return [{ address: name, family }];
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  signal.addEventListener('abort', () => resolver.cancel());
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [v4, v6].flatMap((answer, i) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
  );
  signal.throwIfAborted();
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  return found;
}

/**
 * Sends a request to one of these addresses, and resolves when the response headers arrive.
 * @throws Error from node:http or node:https; any error after the signal is aborted
 */
export function requestPinned(
  target: URL,
  addresses: readonly LookupAddress[],
  { method, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const lookup: LookupFunction = (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else if (first) callback(null, first.address, first.family);
  };
  const make = target.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((answered, failed) => {
    const request = make(target, { method, agent: false, lookup, signal, headers }, answered);
    // Also handles connection errors after the response, which would otherwise crash the process.
    request.on('error', failed);
    // Node closes the connection after a 101 response, without a `response` or `error` event.
    request.once('close', () => failed(new Error('the host closed the connection')));
    request.end(body);
  });
}

/** Reads a response until it reaches `maxBytes`. `whole` is true if the response ended before that. */
export async function readBeginning(
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ bytes: Buffer; whole: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let whole = false;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) break;
    }
    whole = size < maxBytes;
  } catch {}
  return { bytes: Buffer.concat(chunks), whole };
}
