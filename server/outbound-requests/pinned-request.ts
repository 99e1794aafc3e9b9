/**
 * Requests to hosts that strangers name: their names are resolved once, the addresses judged by the caller, and the
 * connection goes to what was judged. Nothing is followed.
 */
import { lookup as resolve, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

/** What is asked. */
export interface OutgoingRequest {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

/** The host that a URL names; of an IPv6 address without its brackets. */
const nameOf = (target: URL): string => target.hostname.replace(/[[\]]/g, '');

/**
 * All addresses of a URL's host. Which one is connected to is decided later, so every one of them must be judged.
 * @throws Error of node:dns; any once the signal is aborted
 */
export function addressesOf(target: URL, signal: AbortSignal): Promise<LookupAddress[]> {
  return new Promise((found, failed) => {
    // The system's resolver cannot be stopped: its answer comes too late then.
    signal.addEventListener('abort', () => failed(new Error('time-out')));
    resolve(nameOf(target), { all: true }, (error, addresses) => (error ? failed(error) : found(addresses)));
  });
}

/** How long one question to a name server may take, in milliseconds. */
const DNS_TIMEOUT_MS = 2_000;

/**
 * All public addresses of a URL's host, from the name servers and no file of this machine. Unlike {@link addressesOf}
 * it occupies none of the process's few threads: strangers' name servers that never answer would leave none to resolve
 * the network's own.
 * @throws Error of node:dns where there are none; any once the signal is aborted
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
 * Asks the host at one of these addresses, and gives the answer once its status has come.
 * @throws Error of node:http and node:https; any once the signal is aborted
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
    // After the answer it may still report that the connection broke, which rejects nothing any more.
    request.on('error', failed);
    request.end(body);
  });
}

/** The beginning of an answer, up to the part of it that reaches `maxBytes`, and whether it is all of it and shorter. */
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
  } catch {
    // It broke off.
  }
  return { bytes: Buffer.concat(chunks), whole };
}
