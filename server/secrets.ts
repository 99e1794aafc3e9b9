/** Random secrets and tokens, and their hashes for storage. */
import { hash, randomBytes, randomInt } from 'node:crypto';

/** Returns 256 random bits as base64url, with a prefix for the kind of secret. */
export function randomSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url');
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns random letters and digits, with 5.95 bits of entropy each. */
export function randomAlphanumeric(length: number): string {
  return Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('');
}

/** Returns a secret's SHA-256 (hex) for storage. 256 random bits don't need a password hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
