/** The session with the wallet's own service: registers, signs in, and sends requests with the account's token. */
import { challengeResponse, errorResponse, session, type Registration } from '../../protocol/http/api.ts';
import { fromWireError, ServiceError } from '../../protocol/errors/service-error.ts';
import { expectedSignInMessage } from '../../protocol/signed-messages/sign-in-message.ts';
import type { Account, Settings } from '../../protocol/messages/wallet-messages.ts';
import { parseJson, send, type HttpResponse } from '../chain/http.ts';
import { keyTransaction, readKey } from '../store/database.ts';
import { defaultSettings, readSettings } from '../settings.ts';
import { signAsIdentity } from '../vault/identity.ts';
import type { PublicKeys } from '../keys/keys.ts';
import { publicKeys } from '../vault/vault.ts';
import { part, type Wallet } from '../platform.ts';

const memoryOf = part(() => ({
  // The bearer token is kept only in memory. Signing in again costs just two requests, and a stored token would be a
  // risk.
  token: null as { value: string; serviceUrl: string; expiresAt: number } | null,
}));

export interface CallOptions {
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
 * @param options `renews`: only gets a new token for the stored account
 * @throws ServiceError `wallet-locked`, `service-unavailable`, `invalid-challenge`, `handle-taken`, `key-taken`,
 * `unknown-account`
 */
async function signIn(
  wallet: Wallet,
  { register, renews = false }: { register?: Registration; renews?: boolean } = {},
): Promise<Account> {
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
  await keepAccount(wallet, account, { serviceUrl, noAccount, renews }, identity);
  memoryOf(wallet).token = { value: accessToken, serviceUrl, expiresAt: wallet.now() + expiresIn * 1000 };
  return account;
}

/** Stores the account, unless the user left the service or removed the wallet in the meantime. */
async function keepAccount(
  wallet: Wallet,
  account: Account,
  asked: Pick<Settings, 'serviceUrl' | 'noAccount'> & { renews: boolean },
  identity: string,
): Promise<void> {
  const tx = await keyTransaction(wallet);
  const stored = (await tx.store.get('settings')) as Partial<Settings> | undefined;
  const settings = { ...defaultSettings(wallet), ...stored };
  const keys = (await tx.store.get('publicKeys')) as PublicKeys | undefined;
  const isJoined = asked.renews
    ? (await tx.store.get('account')) !== undefined
    : !settings.noAccount || asked.noAccount;
  const isWanted = settings.serviceUrl === asked.serviceUrl && isJoined && keys?.identity === identity;
  if (isWanted) await tx.store.put(account, 'account');
  if (isWanted && settings.noAccount) await tx.store.put({ ...stored, noAccount: false }, 'settings');
  await tx.done;
  if (!isWanted) throw new ServiceError('service-unavailable', { detail: 'another service was selected' });
}

/**
 * Creates an account, or signs in to the key's existing one.
 * @throws ServiceError `handle-taken`, and any errors from signing in
 */
export async function registerAccount(wallet: Wallet, handle: string, name: string): Promise<Account> {
  const { serviceXpub } = await publicKeys(wallet);
  try {
    return await signIn(wallet, { register: { handle, name, receivingXpub: serviceXpub } });
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
 * Sends a request with the account's token. If the service rejects the token, retries with a new one. Never signs in if
 * the wallet has no account: work in the background may have begun before the user left the account.
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
    if (!(await readKey(wallet, 'account')))
      throw new ServiceError('service-unavailable', { detail: 'the wallet has no account' });
    if (
      fresh ||
      !memory.token ||
      memory.token.serviceUrl !== serviceUrl ||
      memory.token.expiresAt < wallet.now() + 60_000
    )
      await signIn(wallet, { renews: true });
    // If the user has switched services in the meantime, the new service's token must not be used.
    if (memory.token?.serviceUrl !== serviceUrl || (at ?? serviceUrl) !== serviceUrl)
      throw new ServiceError('service-unavailable', { detail: 'another service was selected' });
    const answer = await ask(serviceUrl, memory.token.value);
    if (answer.status !== 401 || fresh) return answer;
  }
}

export function forgetToken(wallet: Wallet): void {
  memoryOf(wallet).token = null;
}
