/** Fetches a payment from the service and checks it. */
import { checkPayment, type Rates } from './check-payment.ts';
import { expectedOutputs, needsRates, type Expectation } from './expectation.ts';
import { needsServiceLookup, type Assets, type KnownAsset } from './check-tokens.ts';
import { readPayment, type Payment } from './payment.ts';
import { VerificationError } from './verification-error.ts';

/**
 * Authorizes access to the payment: a token, or your application's credentials. If a value is undefined, a
 * TypeError names the missing property.
 */
export type Credential =
  | { accessToken: string | undefined }
  | { clientIdentifier: string | undefined; clientSecret: string | undefined };

export type PaymentToVerify = Credential & {
  /** The service's URL, such as `https://pay.example`. */
  apiUrl: string;
  /** The ID from the button's callback, or from your page. */
  paymentId: string;
  expect: Expectation;
};

const TIMEOUT_MS = 10_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Cached application tokens, used until a minute before they expire. */
const tokens = new Map<string, { token: string; until: number }>();

async function ask(url: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    return { status: response.status, body: response.ok ? (JSON.parse(text) as unknown) : null };
  } catch (cause) {
    throw new VerificationError('unavailable', 'The service can’t be reached right now.', { cause });
  }
}

const unexpected = (what: string, status: number) =>
  new VerificationError('unavailable', `The service responded with ${status} to the request for ${what}.`);

/** Returns an application's own token (OAuth 2.0 client credentials). */
async function applicationToken(
  api: string,
  clientIdentifier: string,
  clientSecret: string,
  fresh: boolean,
): Promise<string> {
  const key = JSON.stringify([api, clientIdentifier, clientSecret]);
  const known = tokens.get(key);
  if (!fresh && known && known.until > Date.now()) return known.token;
  const { status, body } = await ask(`${api}/oauth/v1/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${clientIdentifier}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'application_access:write' }),
  });
  const { access_token: token, expires_in: seconds } = (body ?? {}) as { access_token?: unknown; expires_in?: unknown };
  if (typeof token !== 'string' || typeof seconds !== 'number') throw unexpected('a token', status);
  tokens.set(key, { token, until: Date.now() + (seconds - 60) * 1000 });
  return token;
}

/** Checks that all values are set. @throws TypeError if not, because that is an error in the merchant's code */
function assertSet<T extends Record<string, string | undefined>>(credential: T): { [Name in keyof T]: string } {
  for (const [name, value] of Object.entries(credential)) {
    if (value === undefined || value === '') throw new TypeError(`${name} is not set.`);
  }
  return credential as { [Name in keyof T]: string };
}

async function readFromService(api: string, credential: Credential, id: string): Promise<Payment> {
  const get = async (token: string) =>
    ask(`${api}/api/v2/payments/${id}`, { headers: { Authorization: `Bearer ${token}` } });
  let answer;
  if ('accessToken' in credential) {
    answer = await get(assertSet({ accessToken: credential.accessToken }).accessToken);
  } else {
    const { clientIdentifier, clientSecret } = assertSet({
      clientIdentifier: credential.clientIdentifier,
      clientSecret: credential.clientSecret,
    });
    answer = await get(await applicationToken(api, clientIdentifier, clientSecret, false));
    // The token was revoked before it expired.
    if (answer.status === 401) answer = await get(await applicationToken(api, clientIdentifier, clientSecret, true));
  }
  if (answer.status === 404)
    throw new VerificationError('not-found', 'The service has no such payment for this application.');
  if (answer.status !== 200) throw unexpected('the payment', answer.status);
  return readPayment((answer.body as { payment?: unknown } | null)?.payment);
}

async function ratesNow(api: string): Promise<Rates> {
  const { status, body } = await ask(`${api}/api/v2/rates`, {});
  const rates = (body as { rates?: Rates } | null)?.rates;
  if (status !== 200 || typeof rates !== 'object' || rates === null) throw unexpected('rates', status);
  return rates;
}

/** Requests the tokens of the expected assets from the service. Omits unknown assets. */
async function assetsOf(api: string, expect: Expectation): Promise<Assets> {
  const names = new Set(
    expectedOutputs(expect)
      .filter(needsServiceLookup)
      .map(({ currency }) => currency),
  );
  const found: Record<string, KnownAsset> = {};
  for (const name of names) {
    const { status, body } = await ask(`${api}/api/v2/assets/${encodeURIComponent(name)}`, {});
    if (status === 404) continue;
    const { tokenId, decimals } = (body ?? {}) as Partial<Record<keyof KnownAsset, unknown>>;
    if (typeof tokenId !== 'string' || typeof decimals !== 'number') throw unexpected('an asset', status);
    found[name] = { tokenId, decimals };
  }
  return found;
}

/**
 * Verifies a payment on your server, and returns it if it is the expected one. A payment can reach the service slightly
 * after the page, so retry on `not-found` and `unavailable` before rejecting it. Use `txid` to record what a payment
 * bought, because the same transaction can also be a payment received by paymail, with its own `id`.
 * @throws VerificationError
 * @throws TypeError if the credential or `expect` is missing
 */
export async function verifyPayment({ apiUrl, paymentId, expect, ...credential }: PaymentToVerify): Promise<Payment> {
  if (typeof expect !== 'object' || expect === null)
    throw new TypeError('`expect` is missing. It describes the expected payment.');
  const api = apiUrl.replace(/\/+$/, '');
  // Validated, because it comes from a visitor and becomes part of a URL.
  const id = typeof paymentId === 'string' ? paymentId.toLowerCase() : '';
  if (!UUID.test(id)) throw new VerificationError('not-found', 'The payment ID must be a UUID.');
  const payment = await readFromService(api, credential as Credential, id);
  const rates = needsRates(payment, expect) ? await ratesNow(api) : {};
  checkPayment(payment, expect, rates, await assetsOf(api, expect));
  return payment;
}
