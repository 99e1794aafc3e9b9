/**
 * Verifies those crypto operations of a report that can be verified: signatures, and results of verifying one. What was
 * encrypted or decrypted, keys and paymails are the sender's statement. Pure.
 */
import { fromHex, isHex } from '../../protocol/bytes.ts';
import { ServiceError } from '../../protocol/errors.ts';
import type { CryptoResult } from '../../protocol/payment.ts';
import { isSignedBy } from '../identity/signed-message.ts';

/**
 * True for operations that are accepted only if they are correct. Whether a signature is by a paymail's key is known to
 * that paymail's host, which is not queried here.
 */
export function isChecked({
  method,
  verified,
  paymail,
}: Pick<CryptoResult, 'method' | 'verified' | 'paymail'>): boolean {
  return method === 'sign' || (method === 'verify' && (verified === true || paymail === null));
}

/**
 * Refuses what is not as it says: the service does not want to know what was encrypted or decrypted, a signature is by
 * its key, over its data, and of what was verified it says the truth.
 * @throws ServiceError `invalid-request`, `payment-mismatch`
 */
export function checkOperations(operations: readonly CryptoResult[]): void {
  for (const operation of operations) {
    const { method, data, value, signature, verified } = operation;
    const tells =
      (method === 'encrypt' && data !== null) || (method === 'decrypt' && (data !== null || value !== null));
    if (tells)
      throw new ServiceError('invalid-request', { message: 'What was encrypted or decrypted is not reported.' });
    if (!isChecked(operation)) continue;
    const fits = isOfItsKey(operation);
    const isTrue =
      method === 'sign' ? fits && value === signature : fits === verified && value === (fits ? '01' : '00');
    if (!isTrue)
      throw new ServiceError('payment-mismatch', { detail: 'a signature that is not what it is said to be' });
  }
}

/** Is the signature by the key, over the data as they are encoded? */
function isOfItsKey({ data, dataEncoding, publicKey, signature }: CryptoResult): boolean {
  if (data === null || publicKey === null || signature === null) return false;
  const inHex = dataEncoding === 'hex';
  if (inHex && !isHex(data)) return false;
  return isSignedBy(publicKey.toLowerCase(), inHex ? fromHex(data) : data, canonical(signature));
}

/**
 * As {@link isSignedBy} reads it: the header may call the key uncompressed, and the text have blanks in it, as wallets
 * take them.
 */
function canonical(signature: string): string {
  try {
    const bytes = Buffer.from(atob(signature), 'latin1');
    const header = bytes[0] ?? 0;
    if (header >= 27 && header < 31) bytes[0] = header + 4;
    return bytes.toString('base64');
  } catch {
    return '';
  }
}
