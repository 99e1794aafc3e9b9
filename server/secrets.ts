/** Random secrets and tokens, and the hashes under which they are stored. */
import { hash, randomBytes, randomInt } from 'node:crypto';

/** 256 random bits as base64url, after a prefix that names the kind of value. */
export function randomSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url');
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits, 5.95 bits each. */
export function randomAlphanumeric(length: number): string {
  return Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('');
}

/** SHA-256 of a secret, hex, the only form in which it is stored. A plain hash suffices for 256 random bits. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
