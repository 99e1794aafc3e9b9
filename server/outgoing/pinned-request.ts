/**
 * Requests to hosts that strangers name: their names are resolved once, the addresses judged by the caller, and the connection
 * goes to what was judged. Nothing is followed.
 */
import { lookup as resolve, type LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

/** What is asked. */
export interface OutgoingRequest {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

/**
 * All addresses of a URL's host. Which one is connected to is decided later, so every one of them must be judged.
 * @throws Error of node:dns; any once the signal is aborted
 */
export function addressesOf(target: URL, signal: AbortSignal): Promise<LookupAddress[]> {
  return new Promise((found, failed) => {
    // The system's resolver cannot be stopped: its answer comes too late then.
    signal.addEventListener('abort', () => failed(new Error('time-out')), { once: true });
    resolve(target.hostname.replace(/^\[|\]$/g, ''), { all: true, verbatim: true }, (error, addresses) => (error ? failed(error) : found(addresses)));
  });
}

/**
 * Asks the host at one of these addresses, and gives the answer once its status has come.
 * @throws Error of node:http and node:https; any once the signal is aborted
 */
export function requestPinned(target: URL, addresses: readonly LookupAddress[], { method, headers, body }: OutgoingRequest, signal: AbortSignal): Promise<IncomingMessage> {
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

/** The first `maxBytes` of an answer, and whether that was all of it. */
export async function readBeginning(response: IncomingMessage, maxBytes: number): Promise<{ text: string; whole: boolean }> {
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
  return { text: Buffer.concat(chunks).toString('utf8'), whole };
}
