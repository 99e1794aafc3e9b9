/**
 * Uses WebAuthn in the wallet's own windows. A passkey's PRF output (Web Authentication Level 3, 10.1.4) is sent only
 * to the background. Without `rp.id`, the browser uses the extension's own ID.
 */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { PRODUCT_NAME } from '../../../protocol/text/product.ts';
import type { PasskeyView } from '../../../protocol/messages/wallet-messages.ts';
import { passkeyTexts as t } from '../texts/texts.ts';

/** The browser's timeout for using a passkey (milliseconds). */
const TIMEOUT = 120_000;

/**
 * The result of using a passkey: the credential ID as base64url, and its PRF output, which the caller must overwrite.
 */
export interface Touched {
  id: string;
  output: number[];
}

/**
 * True if passkeys with a PRF can be offered (Web Authentication Level 3, 5.1.7). Older browsers can't report PRF
 * support. In such browsers, creating a passkey without a PRF fails with a message.
 */
export async function passkeysPossible(): Promise<boolean> {
  if (typeof PublicKeyCredential !== 'function') return false;
  if (typeof PublicKeyCredential.getClientCapabilities !== 'function') return true;
  const capabilities = await PublicKeyCredential.getClientCapabilities().catch(() => null);
  return capabilities?.['extension:prf'] ?? false;
}

const random = (n: number) => crypto.getRandomValues(new Uint8Array(n));
const toBase64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const fromBase64url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const descriptors = (known: readonly Pick<PasskeyView, 'id'>[]) =>
  known.map(({ id }) => ({ type: 'public-key' as const, id: fromBase64url(id) }));

/**
 * Creates a passkey and returns its PRF output. The name and the random user ID contain no data about the wallet.
 * @throws ServiceError `wrong-passkey` (its message contains a remedy) if the prompt was canceled, or the passkey is
 * already registered or has no PRF
 */
export async function makePasskey(
  name: string,
  known: readonly PasskeyView[],
  signal: AbortSignal,
): Promise<Touched & { salt: string }> {
  const salt = random(32);
  const publicKey: PublicKeyCredentialCreationOptions = {
    rp: { name: PRODUCT_NAME },
    user: { id: random(32), name: `${PRODUCT_NAME} · ${name}`, displayName: name },
    challenge: random(32),
    // ES256, EdDSA and RS256, one of which every authenticator supports. The signatures aren't used.
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
    attestation: 'none',
    excludeCredentials: descriptors(known),
    timeout: TIMEOUT,
    extensions: { prf: { eval: { first: salt } } },
  };
  const made = await asked(() => navigator.credentials.create({ publicKey, signal }));
  const { prf } = made.getClientExtensionResults();
  const passkey = { id: toBase64url(new Uint8Array(made.rawId)), salt: toBase64url(salt) };
  if (prf?.enabled === false || prf === undefined) throw problem(t.unsuitable);
  if (prf.results) return { ...passkey, output: taken(prf.results.first) };
  // Many authenticators return the PRF output only when the passkey is used.
  return { ...passkey, ...(await touchPasskey([passkey], signal)) };
}

/** Asks the user for one of these passkeys. @throws ServiceError `wrong-passkey` */
export async function touchPasskey(
  known: readonly Pick<PasskeyView, 'id' | 'salt'>[],
  signal: AbortSignal,
): Promise<Touched> {
  const inputs = known.map(({ id, salt }) => [id, { first: fromBase64url(salt) }] as const);
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: random(32),
    allowCredentials: descriptors(known),
    userVerification: 'required',
    timeout: TIMEOUT,
    extensions: { prf: { evalByCredential: Object.fromEntries(inputs) } },
  };
  const used = await asked(() => navigator.credentials.get({ publicKey, signal }));
  const first = used.getClientExtensionResults().prf?.results?.first;
  if (first === undefined) throw problem(t.unsuitable);
  return { id: toBase64url(new Uint8Array(used.rawId)), output: taken(first) };
}

const problem = (message: string) => new ServiceError('wrong-passkey', { message });

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await ask();
    if (credential instanceof PublicKeyCredential) return credential;
  } catch (error) {
    // Web Authentication, 5.1.3: the authenticator contains an excluded credential.
    if (error instanceof DOMException && error.name === 'InvalidStateError') throw problem(t.already);
    if (error instanceof DOMException && !['NotAllowedError', 'AbortError'].includes(error.name))
      throw problem(t.impossible);
  }
  // The prompt was canceled or timed out, or there is no matching passkey. The browser doesn't distinguish these cases.
  throw problem(t.cancelled);
}

/** Copies the output to an array of numbers, and overwrites the browser's buffer. */
function taken(source: BufferSource): number[] {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  const output = [...bytes];
  bytes.fill(0);
  return output;
}
