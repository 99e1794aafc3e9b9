/** Determines button labels for crypto operations, and whether the results must be shown before approval. */
import type { CryptoMethod } from '../../../protocol/payments/payment.ts';
import type { ShownOperation } from '../../../protocol/messages/wallet-messages.ts';

/** Returns the operations' method, or 'several' if their methods differ. */
export function methodOf(operations: readonly Pick<ShownOperation, 'method'>[]): CryptoMethod | 'several' {
  const methods = new Set(operations.map(({ method }) => method));
  const [first] = methods;
  return methods.size === 1 && first !== undefined ? first : 'several';
}

const CONSENT: Partial<Record<CryptoMethod, 'sign' | 'decrypt' | 'share'>> = {
  sign: 'sign',
  decrypt: 'decrypt',
  'public-key': 'share',
  address: 'share',
  paymail: 'share',
};

/** Returns the consent that operations in a payment require, or null if they don't use the user's key or data. */
export function consentOf(
  operations: readonly Pick<ShownOperation, 'method'>[],
): 'sign' | 'decrypt' | 'share' | 'several' | null {
  const kinds = new Set(operations.flatMap(({ method }) => CONSENT[method] ?? []));
  const [first] = kinds;
  return kinds.size > 1 ? 'several' : (first ?? null);
}

/** True if the user must see results before approving, but they can't be computed until the wallet is unlocked. */
export function requiresReview(
  operations: readonly Pick<ShownOperation, 'method' | 'value'>[],
  locked: boolean,
): boolean {
  return (
    locked &&
    operations.some(({ method, value }) => value === null && method !== 'sign' && CONSENT[method] !== undefined)
  );
}
