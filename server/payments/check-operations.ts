/**
 * Verifies the signatures in a report, and the results of signature verifications. Other crypto operations are
 * the sender's unverified claims. Pure.
 */
import { fromHex, isHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { CryptoResult } from '../../protocol/payments/payment.ts';
import { isSignedBy } from '../identity/signed-message.ts';

/** True for operations that are accepted only if they are correct. */
export function isChecked({
  method,
  verified,
  paymail,
}: Pick<CryptoResult, 'method' | 'verified' | 'paymail'>): boolean {
  return method === 'sign' || (method === 'verify' && (verified === true || paymail === null));
}

/**
 * Rejects wrong signatures, wrong verification results, and any encrypted or decrypted data.
 * @throws ServiceError `invalid-request`, `payment-mismatch`
 */
export function checkOperations(operations: readonly CryptoResult[]): void {
  for (const operation of operations) {
    const { method, data, value, signature, verified } = operation;
    const tells =
      (method === 'encrypt' && data !== null) || (method === 'decrypt' && (data !== null || value !== null));
    if (tells)
      throw new ServiceError('invalid-request', { message: 'A report must not contain encrypted or decrypted data.' });
    if (!isChecked(operation)) continue;
    const fits = isOfItsKey(operation);
    const isTrue =
      method === 'sign' ? fits && value === signature : fits === verified && value === (fits ? '01' : '00');
    if (!isTrue)
      throw new ServiceError('payment-mismatch', {
        detail: 'a signature is invalid, or its reported verification is wrong',
      });
  }
}

function isOfItsKey({ data, dataEncoding, publicKey, signature }: CryptoResult): boolean {
  if (data === null || publicKey === null || signature === null) return false;
  const inHex = dataEncoding === 'hex';
  if (inHex && !isHex(data)) return false;
  return isSignedBy(publicKey.toLowerCase(), inHex ? fromHex(data) : data, canonical(signature));
}

/** Converts a signature for {@link isSignedBy}. Wallets also accept whitespace, and headers for uncompressed keys. */
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
