/**
 * Builds the text that a wallet signs to register or sign in (EIP-4361 format). The server and the wallet both use this
 * function, so a wallet signs only text that it has generated itself.
 */
import type { Registration } from '../http/api.ts';

/** The fields of the text. `origin` is the origin of the service (scheme, host, port). Times are ISO 8601 UTC. */
export interface SignInFields {
  origin: string;
  /** Compressed identity key, hex. */
  publicKey: string;
  register?: Registration | undefined;
  nonce: string;
  issuedAt: string;
  expiresAt: string;
}

/** Returns the exact text to sign. */
export function signInMessage(fields: SignInFields): string {
  const { origin, publicKey, register } = fields;
  const asked = register
    ? `Create an account with the handle "${register.handle}", the name ${JSON.stringify(register.name)} and payments received at ${register.receivingXpub}.`
    : 'Sign in to your account.';
  return [
    `${new URL(origin).host} asks you to sign with your identity key:`,
    publicKey,
    '',
    asked,
    '',
    `URI: ${origin}`,
    'Version: 1',
    `Nonce: ${fields.nonce}`,
    `Issued At: ${fields.issuedAt}`,
    `Expiration Time: ${fields.expiresAt}`,
  ].join('\n');
}

/**
 * Returns a service's text if {@link signInMessage} generates the same text from its nonce and times and the wallet's
 * own values for the other fields, otherwise null.
 */
export function expectedSignInMessage(
  message: string,
  known: Omit<SignInFields, 'nonce' | 'issuedAt' | 'expiresAt'>,
): string | null {
  const found =
    /\nNonce: ([A-Za-z0-9_-]{16,100})\nIssued At: ([0-9TZ:.-]{20,30})\nExpiration Time: ([0-9TZ:.-]{20,30})$/.exec(
      message,
    );
  if (!found) return null;
  const [, nonce = '', issuedAt = '', expiresAt = ''] = found;
  const expected = signInMessage({ ...known, nonce, issuedAt, expiresAt });
  return expected === message ? expected : null;
}
