/** The service's API client: registers, signs in, reports payments and fetches received payments. */
import * as z from 'zod/mini';
import {
  challengeResponse,
  errorResponse,
  handleResponse,
  session,
  type PaymentReport,
  type Registration,
} from '../../protocol/http/api.ts';
import {
  avatarResponse,
  balanceWantedResponse,
  connectionsResponse,
  refundsResponse,
  type BalancePublication,
  type Connection,
  type Refund,
} from '../../protocol/http/api-v2.ts';
import { fromWireError, ServiceError } from '../../protocol/errors/service-error.ts';
import { expectedSignInMessage } from '../../protocol/signed-messages/sign-in-message.ts';
import { recordsList } from '../../protocol/http/records.ts';
import { acknowledgementResponse } from '../../protocol/http/received.ts';
import type { Account, Settings } from '../../protocol/messages/wallet-messages.ts';
import { openStream, parseJson, send, type HttpResponse } from '../chain/http.ts';
import { keyTransaction } from '../store/database.ts';
import { defaultSettings, readSettings } from '../settings.ts';
import { signAsIdentity } from '../vault/identity.ts';
import type { PublicKeys } from '../keys/keys.ts';
import { publicKeys } from '../vault/vault.ts';
import { part, type Wallet } from '../platform.ts';

/** Validates only the list itself. The entries are checked individually (wallet/received/check.ts). */
const receivedList = z.object({ received: z.array(z.unknown()), more: z.boolean() });

const memoryOf = part(() => ({
  // The bearer token is only in memory. Signing in again costs just two requests, and a stored token would be a risk.
  token: null as { value: string; serviceUrl: string; expiresAt: number } | null,
}));

interface CallOptions {
  method?: 'PUT' | 'DELETE';
  json?: unknown;
  bearer?: string;
  headers?: Record<string, string>;
}

export async function call(
  wallet: Wallet,
  serviceUrl: string,
  path: string,
  options: CallOptions = {},
): Promise<HttpResponse> {
  const headers = {
    ...options.headers,
    ...(options.bearer !== undefined && { authorization: `Bearer ${options.bearer}` }),
  };
  const method = options.method === undefined ? {} : { method: options.method };
  return send(wallet, `${serviceUrl}${path}`, {
    ...method,
    json: options.json,
    headers,
    unreachable: 'service-unavailable',
    maxBytes: 30_000_000,
  });
}

/** Converts the service's error. Invalid responses and server errors become `service-unavailable`. */
export function serviceError(answer: HttpResponse): ServiceError {
  const parsed = errorResponse.safeParse(parseJson(answer.text));
  if (!parsed.success || answer.status >= 500)
    return new ServiceError('service-unavailable', { detail: `status ${answer.status}` });
  return fromWireError(parsed.data.error);
}

/**
 * Registers or signs in: requests a challenge, checks that its text is exactly as expected, and signs it.
 * @throws ServiceError `wallet-locked`, `service-unavailable`, `invalid-challenge`, `handle-taken`, `key-taken`,
 * `unknown-account`
 */
async function signIn(wallet: Wallet, register?: Registration): Promise<Account> {
  const { identity } = await publicKeys(wallet);
  // The settings are read only once, so a signature for one service is never sent to another.
  const { serviceUrl, noAccount } = await readSettings(wallet);
  const asked = await call(wallet, serviceUrl, '/api/v2/sign-in/challenges', {
    json: { publicKey: identity, register },
  });
  const challenge = challengeResponse.safeParse(parseJson(asked.text));
  if (asked.status !== 201 || !challenge.success) throw serviceError(asked);
  const message = expectedSignInMessage(challenge.data.message, { origin: serviceUrl, publicKey: identity, register });
  if (message === null)
    throw new ServiceError('invalid-challenge', { detail: 'the service requested a signature for another text' });
  const signature = await signAsIdentity(wallet, message);
  const json = { publicKey: identity, nonce: challenge.data.nonce, signature };
  const answer = await call(wallet, serviceUrl, register ? '/api/v2/users' : '/api/v2/sign-in', { json });
  const parsed = session.safeParse(parseJson(answer.text));
  if (answer.status !== (register ? 201 : 200) || !parsed.success) throw serviceError(answer);
  const { user, accessToken, expiresIn } = parsed.data;
  const account: Account = { id: user.id, handle: user.handle, paymail: user.paymail, name: user.name };
  await keepAccount(wallet, account, { serviceUrl, noAccount }, identity);
  memoryOf(wallet).token = { value: accessToken, serviceUrl, expiresAt: wallet.now() + expiresIn * 1000 };
  return account;
}

/** Stores the account, unless the user left the service or removed the wallet in the meantime. */
async function keepAccount(
  wallet: Wallet,
  account: Account,
  asked: Pick<Settings, 'serviceUrl' | 'noAccount'>,
  identity: string,
): Promise<void> {
  const tx = await keyTransaction(wallet);
  const stored = (await tx.store.get('settings')) as Partial<Settings> | undefined;
  const settings = { ...defaultSettings(wallet), ...stored };
  const keys = (await tx.store.get('publicKeys')) as PublicKeys | undefined;
  const isWanted =
    settings.serviceUrl === asked.serviceUrl && (!settings.noAccount || asked.noAccount) && keys?.identity === identity;
  if (isWanted) await tx.store.put(account, 'account');
  if (isWanted && settings.noAccount) await tx.store.put({ ...stored, noAccount: false }, 'settings');
  await tx.done;
  if (!isWanted) throw new ServiceError('service-unavailable', { detail: 'another service was selected' });
}

/** True if a handle is available. Another user may register it at any time, so only registering it is conclusive. */
export async function checkHandle(wallet: Wallet, handle: string): Promise<boolean> {
  const { serviceUrl } = await readSettings(wallet);
  const answer = await call(wallet, serviceUrl, `/api/v2/handles/${encodeURIComponent(handle)}`);
  const parsed = handleResponse.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !parsed.success) throw serviceError(answer);
  return parsed.data.available;
}

/**
 * Creates an account, or signs in to the key's existing one.
 * @throws ServiceError `handle-taken`, and any errors from signing in
 */
export async function registerAccount(wallet: Wallet, handle: string, name: string): Promise<Account> {
  const { serviceXpub } = await publicKeys(wallet);
  try {
    return await signIn(wallet, { handle, name, receivingXpub: serviceXpub });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'key-taken') return signIn(wallet);
    throw error;
  }
}

/** Signs in. Returns null if this key has no account. */
export async function signInToAccount(wallet: Wallet): Promise<Account | null> {
  try {
    return await signIn(wallet);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unknown-account') return null;
    throw error;
  }
}

/**
 * Reports a payment. Idempotent.
 * @param to the only service that may receive the report
 * @param headers additional headers
 * @throws ServiceError the service's own code, `service-unavailable`, `wallet-locked`
 */
export async function reportPayment(
  wallet: Wallet,
  to: string,
  report: PaymentReport,
  headers: Record<string, string> = {},
): Promise<void> {
  const answer = await asAccount(
    wallet,
    (serviceUrl, bearer) => call(wallet, serviceUrl, '/api/v2/payments', { json: report, bearer, headers }),
    to,
  );
  if (answer.status !== 200 && answer.status !== 201) throw serviceError(answer);
}

/**
 * Sends a request with the account's token. If the service rejects the token, retries with a new one.
 * @param at the expected service's origin; throws if the wallet has switched services
 */
export async function asAccount<T extends { status: number }>(
  wallet: Wallet,
  ask: (serviceUrl: string, bearer: string) => Promise<T>,
  at?: string,
): Promise<T> {
  const memory = memoryOf(wallet);
  for (let fresh = false; ; fresh = true) {
    const { serviceUrl } = await readSettings(wallet);
    if (
      fresh ||
      !memory.token ||
      memory.token.serviceUrl !== serviceUrl ||
      memory.token.expiresAt < wallet.now() + 60_000
    )
      await signIn(wallet);
    // If the user has switched services in the meantime, the new service's token must not be used.
    if (memory.token?.serviceUrl !== serviceUrl || (at ?? serviceUrl) !== serviceUrl)
      throw new ServiceError('service-unavailable', { detail: 'another service was selected' });
    const answer = await ask(serviceUrl, memory.token.value);
    if (answer.status !== 401 || fresh) return answer;
  }
}

/**
 * Sends a request with the account's token. @returns the response's data
 * @throws ServiceError the service's own code, `service-unavailable`, `wallet-locked`
 */
async function dataFor<T>(
  wallet: Wallet,
  schema: z.ZodMiniType<T>,
  path: string,
  { at, ...options }: Omit<CallOptions, 'bearer'> & { at?: string } = {},
): Promise<T> {
  const answer = await asAccount(
    wallet,
    (serviceUrl, bearer) => call(wallet, serviceUrl, `/api/v2/me/${path}`, { ...options, bearer }),
    at,
  );
  return dataOf(schema, answer);
}

function dataOf<T>(schema: z.ZodMiniType<T>, answer: HttpResponse): T {
  const parsed = schema.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !parsed.success) throw serviceError(answer);
  return parsed.data;
}

/**
 * Returns whether any application may read the balance, and whether any application may read the assets. Throws like
 * {@link dataFor}.
 */
export const balanceWanted = (wallet: Wallet) => dataFor(wallet, balanceWantedResponse, 'balance-wanted');

/**
 * Publishes a balance.
 * @param publication creates the signed balance for the service at this origin
 * @returns `wanted` is false if no application may read the balance any longer. The service then hasn't stored it
 * @throws ServiceError the service's own code, `service-unavailable`, `wallet-locked`
 */
export async function putBalance(
  wallet: Wallet,
  publication: (serviceUrl: string) => Promise<BalancePublication>,
): Promise<z.infer<typeof balanceWantedResponse>> {
  const answer = await asAccount(wallet, async (serviceUrl, bearer) =>
    call(wallet, serviceUrl, '/api/v2/me/balance', { method: 'PUT', json: await publication(serviceUrl), bearer }),
  );
  return dataOf(balanceWantedResponse, answer);
}

/**
 * Returns a page of unacknowledged paymail payments, oldest first. Throws like {@link dataFor}.
 * @param at the expected service's origin; throws if the wallet has switched services
 * @param after ID after which the page begins
 */
export function fetchReceived(wallet: Wallet, at: string, after: string | null): Promise<z.infer<typeof receivedList>> {
  const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
  return dataFor(wallet, receivedList, `received${query}`, { at });
}

/** Acknowledges up to a hundred IDs. Idempotent. Throws like {@link fetchReceived}. */
export async function acknowledgeReceived(wallet: Wallet, at: string, ids: readonly string[]): Promise<void> {
  await dataFor(wallet, acknowledgementResponse, 'received/acknowledgements', { json: { ids }, at });
}

/** Returns the applications with access to the account. Throws like {@link dataFor}. */
export async function listConnections(wallet: Wallet): Promise<Connection[]> {
  return (await dataFor(wallet, connectionsResponse, 'connections')).connections;
}

/** Returns refunds of the account's payments, as reported by the service. Throws like {@link dataFor}. */
export async function listRefunds(wallet: Wallet): Promise<Refund[]> {
  return (await dataFor(wallet, refundsResponse, 'refunds')).refunds;
}

/** Returns the unverified records for up to `MAX_RECORDS_PER_REQUEST` transactions. Throws like {@link dataFor}. */
export const listRecords = (wallet: Wallet, txids: readonly string[]) =>
  dataFor(wallet, recordsList, `records?txids=${txids.join(',')}`);

/**
 * Returns the picture in a paymail's profile (base64); null if there is none. The picture is unverified. Throws like
 * {@link dataFor}.
 * @param at the expected service's origin; throws if the wallet has switched services
 */
export async function requestAvatar(wallet: Wallet, at: string, paymail: string): Promise<string | null> {
  return (await dataFor(wallet, avatarResponse, 'avatars', { json: { paymail }, at })).avatar?.image ?? null;
}

/** Revokes an application's access. Idempotent. Throws like {@link dataFor}. */
export async function removeConnection(wallet: Wallet, id: string): Promise<void> {
  const answer = await asAccount(wallet, (serviceUrl, bearer) =>
    call(wallet, serviceUrl, `/api/v2/me/connections/${id}`, { method: 'DELETE', bearer }),
  );
  if (answer.status !== 204) throw serviceError(answer);
}

/** Opens the event stream that announces received transactions. Throws like {@link fetchReceived}. */
export async function openReceivedEvents(wallet: Wallet, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const answer = await asAccount(wallet, (serviceUrl, bearer) =>
    openStream(
      wallet,
      `${serviceUrl}/api/v2/me/received/events`,
      { accept: 'text/event-stream', authorization: `Bearer ${bearer}` },
      signal,
    ),
  );
  if (answer.status === 200 && answer.body && answer.headers.get('content-type')?.startsWith('text/event-stream'))
    return answer.body;
  await answer.body?.cancel();
  throw new ServiceError('service-unavailable', { detail: `status ${answer.status}` });
}

export function forgetToken(wallet: Wallet): void {
  memoryOf(wallet).token = null;
}
