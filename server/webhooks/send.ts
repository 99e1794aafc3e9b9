/** Makes one attempt at one webhook: resolves the receiver once, connects to what was resolved, follows nothing. */
import { lookup as resolve, type LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** How an attempt ended: with the receiver's status, or without one. `error` is for the application's owner; null is success. */
export interface Attempt {
  status: number | null;
  error: string | null;
}

/** What an attempt may do. */
export interface SendRules {
  /** May it go to private and loopback addresses, and by http? */
  allowPrivate: boolean;
  /** For the whole attempt, in milliseconds. */
  timeoutMs: number;
}

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_QUOTED = 200;

const refused = (error: string): Attempt => ({ status: null, error });

/** Posts a body. Never throws: whatever happens is the attempt's result. */
export async function send(url: string, headers: Record<string, string>, body: string, rules: SendRules): Promise<Attempt> {
  const signal = AbortSignal.timeout(rules.timeoutMs);
  try {
    const target = new URL(url);
    if (target.protocol !== 'https:' && !(target.protocol === 'http:' && rules.allowPrivate)) return refused('The webhook URL is not https.');
    const addresses = await addressesOf(target.hostname.replace(/^\[|\]$/g, ''), signal);
    // Every one of them: which one is connected to is decided later.
    if (!rules.allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) return refused('The webhook URL leads to a private address.');
    const response = await post(target, addresses, headers, body, signal);
    return judge(response.statusCode ?? 0, await readAnswer(response));
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

function addressesOf(hostname: string, signal: AbortSignal): Promise<LookupAddress[]> {
  return new Promise((found, failed) => {
    // The system's resolver cannot be stopped: its answer comes too late then.
    signal.addEventListener('abort', () => failed(new Error('time-out')), { once: true });
    resolve(hostname, { all: true, verbatim: true }, (error, addresses) => (error ? failed(error) : found(addresses)));
  });
}

/** Sends the body, and gives the answer once its status has come. */
function post(target: URL, addresses: readonly LookupAddress[], headers: Record<string, string>, body: string, signal: AbortSignal): Promise<IncomingMessage> {
  const lookup: LookupFunction = (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else if (first) callback(null, first.address, first.family);
  };
  const make = target.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((answered, failed) => {
    const request = make(target, {
      method: 'POST', agent: false, lookup, signal, headers: {
        'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), 'User-Agent': 'service-button-webhooks/1', ...headers,
      },
    }, answered);
    // After the answer it may still report that the connection broke, which rejects nothing any more.
    request.on('error', failed);
    request.end(body);
  });
}

/** The answer's beginning. Its status has come already, so an answer that breaks off is as good as one that ends. */
async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // See above.
  }
  return Buffer.concat(chunks).toString('utf8');
}

function judge(status: number, answer: string): Attempt {
  if (status >= 200 && status < 300) return { status, error: null };
  if (status >= 300 && status < 400) return { status, error: 'The answer was a redirect, which is not followed.' };
  // What the database cannot keep, or a terminal obeys, becomes a blank.
  const quoted = answer.replace(/[\p{C}\s]+/gu, ' ').trim().slice(0, MAX_QUOTED).toWellFormed();
  return { status, error: quoted === '' ? 'The answer was no success.' : quoted };
}
