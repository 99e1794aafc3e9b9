/** Summarizes crypto operations: the labels of the buttons, and whether their results must be seen first. */
import type { CryptoMethod } from '../../../protocol/payments/payment.ts';
import type { ShownOperation } from '../../../protocol/messages/wallet-messages.ts';

/** Their method if they have one in common. */
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

/** The additional consent in a payment; null if nothing of the user's own is involved. */
export function consentOf(
  operations: readonly Pick<ShownOperation, 'method'>[],
): 'sign' | 'decrypt' | 'share' | 'several' | null {
  const kinds = new Set(operations.flatMap(({ method }) => CONSENT[method] ?? []));
  const [first] = kinds;
  return kinds.size > 1 ? 'several' : (first ?? null);
}

/** True if only the unlocked wallet can compute some results, which the user must see before approving. */
export function mustLook(operations: readonly Pick<ShownOperation, 'method' | 'value'>[], locked: boolean): boolean {
  return (
    locked &&
    operations.some(({ method, value }) => value === null && method !== 'sign' && CONSENT[method] !== undefined)
  );
}
