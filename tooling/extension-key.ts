/** Determines the extension's identity in Chromium browsers: the public key in its manifest, and the resulting ID. */
import { createHash, createPublicKey } from 'node:crypto';

/** The default key for builds. Its private half was discarded. See docs/publishing.md for other keys. */
export const DEVELOPMENT_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEArbF7sS4UMwEb2G5JbeIQBpCjqbpzM+YjqsmwMEAeUe9n/QrAuY0PMkUmMRor5+BrVcLh/aguFFs7uDMcUoyMjfCIWna58C6bGfZhk4k+iIapQSFSxgwc4eWbbMCdM9lpBENGJD6A/ufWVsknPZkZNcPrqtEkZUCAj/UQqFnEU9teunmTAE/ujKZpjX5qLUxitsa55gqYZfTxMlWpVKVVcNM5d59lAXa81gXEZlAZCPm49OodWcLrmInVJ3O7nm4hihE95pMOtY0FQGp1XK9GAShuaivfy9MT7Wmjvow3oI9aPRqO+qZ1M52wod8xl2hSgS7u0UoKilyvpDaLd8uOhwIDAQAB';

/**
 * Returns the manifest's `key`: `EXTENSION_KEY`, by default {@link DEVELOPMENT_KEY}.
 * @returns a public key (SubjectPublicKeyInfo, RFC 5280, 4.1.2.7) in base64
 * @throws Error if `EXTENSION_KEY` isn't a public key
 */
export function extensionKey(env: Readonly<Record<string, string | undefined>> = process.env): string {
  if (!env.EXTENSION_KEY) return DEVELOPMENT_KEY;
  const key = env.EXTENSION_KEY.replaceAll(/\s/g, '');
  const bytes = Buffer.from(key, 'base64');
  try {
    const read = createPublicKey({ key: bytes, format: 'der', type: 'spki' });
    if (bytes.toString('base64') === key && read.export({ format: 'der', type: 'spki' }).equals(bytes)) return key;
  } catch {
    // reported below
  }
  throw new Error(
    'EXTENSION_KEY must be a public key in base64 without its BEGIN and END lines, as shown in the Chrome Web Store under "Package".',
  );
}

/**
 * Returns Chromium's ID for an extension with this key: 128 bits of its SHA-256, with the letters a to p as hexadecimal
 * digits.
 */
export function extensionId(key: string): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);
  return digest.replaceAll(/[0-9a-f]/g, (digit) => 'abcdefghijklmnop'.charAt(Number.parseInt(digit, 16)));
}
