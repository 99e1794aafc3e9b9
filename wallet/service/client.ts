/** Requests to the wallet's own service, and their validated responses. */
import * as z from 'zod/mini';
import { handleResponse } from '../../protocol/http/api.ts';
import {
  avatarResponse,
  balanceWantedResponse,
  connectionsResponse,
  refundsResponse,
  type BalancePublication,
  type Connection,
  type Refund,
} from '../../protocol/http/api-v2.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { recordsList } from '../../protocol/http/records.ts';
import { acknowledgementResponse } from '../../protocol/http/received.ts';
import { openStream, parseJson, type HttpResponse } from '../chain/http.ts';
import { readSettings } from '../settings.ts';
import type { Wallet } from '../platform.ts';
import { asAccount, call, serviceError, type CallOptions } from './session.ts';

/** Validates only the list itself. The entries are checked individually (wallet/received/check.ts). */
const receivedList = z.object({ received: z.array(z.unknown()), more: z.boolean() });

/** True if a handle is available. Another user may register it at any time, so only registering it is conclusive. */
export async function checkHandle(wallet: Wallet, handle: string): Promise<boolean> {
  const { serviceUrl } = await readSettings(wallet);
  const answer = await call(wallet, serviceUrl, `/api/v2/handles/${encodeURIComponent(handle)}`);
  const parsed = handleResponse.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !parsed.success) throw serviceError(answer);
  return parsed.data.available;
}

/**
 * Sends a request with the account's token.
 * @returns the response's data
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
 * @param at the expected service's origin; throws if the wallet has switched services
 */
export const balanceWanted = (wallet: Wallet, at: string) =>
  dataFor(wallet, balanceWantedResponse, 'balance-wanted', { at });

/**
 * Publishes a balance.
 * @param at the expected service's origin; throws if the wallet has switched services
 * @param publication creates the signed balance for the service at this origin
 * @returns `wanted` is false if no application may read the balance any longer. The service then hasn't stored it
 * @throws ServiceError the service's own code, `service-unavailable`, `wallet-locked`
 */
export async function putBalance(
  wallet: Wallet,
  at: string,
  publication: (serviceUrl: string) => Promise<BalancePublication>,
): Promise<z.infer<typeof balanceWantedResponse>> {
  const answer = await asAccount(
    wallet,
    async (serviceUrl, bearer) =>
      call(wallet, serviceUrl, '/api/v2/me/balance', { method: 'PUT', json: await publication(serviceUrl), bearer }),
    at,
  );
  return dataOf(balanceWantedResponse, answer);
}

/**
 * Returns a page of unacknowledged paymail payments, oldest first. Throws the same errors as {@link dataFor}.
 * @param at the expected service's origin; throws if the wallet has switched services
 * @param after ID after which the page begins
 */
export function fetchReceived(wallet: Wallet, at: string, after: string | null): Promise<z.infer<typeof receivedList>> {
  const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
  return dataFor(wallet, receivedList, `received${query}`, { at });
}

/** Acknowledges up to a hundred IDs. Idempotent. Throws the same errors as {@link fetchReceived}. */
export async function acknowledgeReceived(wallet: Wallet, at: string, ids: readonly string[]): Promise<void> {
  await dataFor(wallet, acknowledgementResponse, 'received/acknowledgements', { json: { ids }, at });
}

/** Returns the applications with access to the account. Throws the same errors as {@link dataFor}. */
export async function listConnections(wallet: Wallet): Promise<Connection[]> {
  return (await dataFor(wallet, connectionsResponse, 'connections')).connections;
}

/** Returns refunds of the account's payments, as reported by the service. Throws the same errors as {@link dataFor}. */
export async function listRefunds(wallet: Wallet): Promise<Refund[]> {
  return (await dataFor(wallet, refundsResponse, 'refunds')).refunds;
}

/**
 * Returns the unverified records for up to `MAX_RECORDS_PER_REQUEST` transactions. Throws the same
 * errors as {@link dataFor}.
 */
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

/** Revokes an application's access. Idempotent. Throws the same errors as {@link dataFor}. */
export async function removeConnection(wallet: Wallet, id: string): Promise<void> {
  const answer = await asAccount(wallet, (serviceUrl, bearer) =>
    call(wallet, serviceUrl, `/api/v2/me/connections/${id}`, { method: 'DELETE', bearer }),
  );
  if (answer.status !== 204) throw serviceError(answer);
}

/** Opens the event stream that announces received transactions. Throws the same errors as {@link fetchReceived}. */
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
