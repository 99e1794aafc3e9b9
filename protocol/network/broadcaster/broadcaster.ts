/**
 * A client for a network operator, with the same interface for ARC and Arcade. Detects which software the operator
 * runs.
 */
import { arcPolicy } from '../arc.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { NetworkTransaction } from '../arc.ts';
import { readEvents, type TransactionEvent } from './events.ts';
import { KEY_REQUIRED, outcomeOfSubmission, transactionIn, type Outcome } from './outcome.ts';

/** `arc`: bitcoin-sv/arc, HTTP API v1. `arcade`: bsv-blockchain/arcade. */
export type Dialect = 'arc' | 'arcade';

export interface FeePolicy {
  satoshis: number;
  bytes: number;
}

export interface HttpResponse {
  status: number;
  text: string;
  retryAfter: string | null;
}

export interface BroadcasterPlatform {
  /** Sends a GET, or a POST with JSON. @throws if the response isn't complete before a timeout or exceeds `maxBytes` */
  send(
    url: string,
    request: { json?: unknown; headers: Record<string, string>; maxBytes: number },
  ): Promise<HttpResponse>;
  /** Opens an event stream. @throws if the stream doesn't start before a timeout */
  open?(
    url: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<{ status: number; body: AsyncIterable<Uint8Array> | null }>;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface OperatorAddress {
  /** Base URL of the operator's API, without a trailing slash and without ARC's `/v1`. */
  url: string;
  /** The API key, sent as a bearer token (`Authorization`), or null. */
  key: string | null;
}

/** A transaction to submit. All strings are hexadecimal. */
export interface Submission {
  txid: string;
  rawtx: string;
  /** The transaction in Extended Format (BRC-30), or null if the outputs that it spends are unavailable. */
  extended: string | null;
  /** The transaction with its ancestors as BEEF, which ARC accepts and Arcade doesn't. */
  beef?: string;
}

/** Where an operator reports a transaction's status changes. */
export interface Callback {
  /** A public https URL. Null if only the token's event stream is used (Arcade). */
  url: string | null;
  /** The operator sends this token to the URL as a bearer token. The token also identifies the event stream. */
  token: string;
}

/** A client for one operator, which runs ARC or Arcade. */
export interface Broadcaster {
  readonly url: string;
  /** Detects the operator's dialect, unless it is already known. @throws ServiceError `network-unavailable` */
  dialect(): Promise<Dialect>;
  /** Submits a transaction. Idempotent, never throws. */
  submit(transaction: Submission, callback?: Callback): Promise<Outcome>;
  /** Returns the transaction, or null if the operator has no verdict. @throws ServiceError `network-unavailable` */
  status(txid: string): Promise<NetworkTransaction | null>;
  /** Returns an unverified merkle path (BUMP, BRC-74, hex), or null. @throws ServiceError `network-unavailable` */
  proof(txid: string): Promise<string | null>;
  /** Returns the miners' fee rate. @throws ServiceError `network-unavailable` */
  policy(): Promise<FeePolicy>;
  /**
   * Follows the transactions submitted with a token, until `signal` aborts or the stream ends. Events can be missing or
   * repeated, so callers must query the status after each event.
   * @param after ID of the last event received, or null
   * @throws ServiceError `network-unavailable`; `unsupported-method` if the operator has no stream
   */
  follow(token: string, after: string | null, signal: AbortSignal): AsyncIterable<TransactionEvent>;
}

/** A `network-unavailable` error: the operator requires a key, or a different key. */
export class KeyRequiredError extends ServiceError {}

const PATHS = {
  arc: { submit: '/v1/tx', status: '/v1/tx/', policy: '/v1/policy' },
  arcade: { submit: '/tx', status: '/tx/', policy: '/policy' },
} as const;

/** Fields of a response that contain free text. */
const FREE_TEXTS: ReadonlySet<string> = new Set(['title', 'detail', 'extraInfo', 'error', 'reason']);

/** Arcade's liveness probe. ARC's is `/v1/health`. */
const ARCADE_HEALTH = '/health';
const MAX_POLICY_BYTES = 10_000;
/** Maximum size of a status response, sufficient for a merkle path and a long list of competing transactions. */
const MAX_STATUS_BYTES = 1_000_000;
/** How long ARC waits for a node's verdict (seconds). Shorter than the timeouts in the wallet and the service. */
const WAIT_SECONDS = '5';

/**
 * Creates an operator's client. Doesn't make a request yet.
 * @param known the dialect detected earlier
 * @param onDialect called when the dialect is detected
 */
export function createBroadcaster(
  { url, key }: OperatorAddress,
  platform: BroadcasterPlatform,
  {
    known = null,
    onDialect = () => undefined,
  }: { known?: Dialect | null; onDialect?: (dialect: Dialect) => void | Promise<void> } = {},
): Broadcaster {
  let detected: Promise<Dialect> | null = known && Promise.resolve(known);
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };

  /** Parses a response's body. Removes the API key from free text, which is logged and might quote the key. */
  const bodyOf = (text: string): unknown => {
    const body = parseJson(text);
    if (key === null || typeof body !== 'object' || body === null) return body;
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        FREE_TEXTS.has(name) && typeof value === 'string' ? value.replaceAll(key, '…') : value,
      ]),
    );
  };

  const get = (path: string, maxBytes: number) =>
    platform.send(url + path, { headers: authorization, maxBytes }).catch((cause: unknown) => {
      throw new ServiceError('network-unavailable', { cause });
    });

  const policyAt = async (path: string) => {
    const { status, text } = await get(path, MAX_POLICY_BYTES);
    return { status, fee: status === 200 ? readPolicy(text) : null };
  };

  async function detect(): Promise<Dialect> {
    const own = await policyAt(PATHS.arcade.policy);
    if (own.fee) return 'arcade';
    const versioned = await policyAt(PATHS.arc.policy);
    if (!versioned.fee) throw unusable('policy', versioned.status);
    if (own.status === 404 || own.status === 405) return 'arc';
    // Arcade also responds at ARC's path, so only its own path identifies it.
    const health = await get(ARCADE_HEALTH, MAX_POLICY_BYTES);
    if (health.status === 200 && isHealth(health.text)) return 'arcade';
    if (health.status === 429 || health.status >= 500) throw unusable('health', health.status);
    return 'arc';
  }

  const forget = () => (detected = null);
  const dialect = (): Promise<Dialect> => {
    detected ??= detect().then(
      async (found) => {
        await onDialect(found);
        return found;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    return detected;
  };

  async function submitOnce({ txid, rawtx, extended, beef }: Submission, callback?: Callback): Promise<Outcome | null> {
    const spoken = await dialect();
    const isArc = spoken === 'arc';
    const { status, text, retryAfter } = await platform.send(url + PATHS[spoken].submit, {
      json: { rawTx: (isArc ? beef : undefined) ?? extended ?? rawtx },
      headers: {
        ...authorization,
        ...(isArc && { 'x-waitfor': 'SEEN_ON_NETWORK', 'x-maxtimeout': WAIT_SECONDS }),
        ...(callback && { 'x-callbacktoken': callback.token }),
        ...(callback?.url && { 'x-callbackurl': callback.url }),
      },
      maxBytes: MAX_STATUS_BYTES,
    });
    const body = bodyOf(text);
    // Neither ARC nor Arcade responds to a submission with this status, so the operator must have changed its software.
    const isElsewhere = (status === 404 || status === 405) && transactionIn(body, txid) === null;
    return isElsewhere ? null : outcomeOfSubmission({ status, body, retryAfter }, txid, platform.now());
  }

  const status = async (txid: string): Promise<NetworkTransaction | null> => {
    const answer = await get(PATHS[await dialect()].status + txid, MAX_STATUS_BYTES);
    if (answer.status === 404) return null;
    const found = transactionIn(bodyOf(answer.text), txid);
    if (!found || answer.status >= 400) throw unusable('status', answer.status);
    return found;
  };

  return {
    url,
    dialect,
    async submit(transaction, callback) {
      try {
        const first = await submitOnce(transaction, callback);
        if (first) return first;
        forget();
        return (await submitOnce(transaction, callback)) ?? { kind: 'unreachable', detail: 'path not found' };
      } catch (error) {
        return {
          kind: 'unreachable',
          detail: error instanceof ServiceError ? (error.detail ?? 'no response') : 'no response',
          needsKey: error instanceof KeyRequiredError,
        };
      }
    },
    status,
    async proof(txid) {
      return (await status(txid))?.merklePath || null;
    },
    async policy() {
      const { fee, status: code } = await policyAt(PATHS[await dialect()].policy);
      if (fee) return fee;
      forget();
      throw unusable('policy', code);
    },
    async *follow(token, after, signal) {
      if (!platform.open || (await dialect()) !== 'arcade') throw new ServiceError('unsupported-method');
      const headers = { ...authorization, ...(after !== null && { 'last-event-id': after }) };
      const { status: code, body } = await platform
        .open(`${url}/events?callbackToken=${encodeURIComponent(token)}`, headers, signal)
        .catch((cause: unknown) => {
          throw new ServiceError('network-unavailable', { cause });
        });
      if (code === 404) throw new ServiceError('unsupported-method');
      if (code !== 200 || !body) throw unusable('events', code);
      yield* readEvents(body);
    },
  };
}

const unusable = (what: string, status: number) =>
  new (KEY_REQUIRED.has(status) ? KeyRequiredError : ServiceError)('network-unavailable', {
    detail: `invalid ${what}: ${status}`,
  });

function readPolicy(text: string): FeePolicy | null {
  const read = arcPolicy.safeParse(parseJson(text));
  if (!read.success) return null;
  const { satoshis, bytes } = read.data.policy.miningFee;
  const isUsable = Number.isSafeInteger(satoshis) && Number.isSafeInteger(bytes) && satoshis >= 0 && bytes > 0;
  // A rate above one satoshi per byte must be an error, because miners have never charged more than a tenth of that.
  if (satoshis > bytes) return null;
  return isUsable ? { satoshis, bytes } : null;
}

function isHealth(text: string): boolean {
  const body = parseJson(text);
  return typeof body === 'object' && body !== null && 'healthy' in body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
