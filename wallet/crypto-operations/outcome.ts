import type { CryptoResult } from '../../protocol/payments/payment.ts';

/**
 * A result, and the origin that supplied its paymail's key (null if no key was requested). If the key has changed,
 * `keyChangedSince` is when this wallet first saw the previous key. `value` is null until available.
 */
export type Outcome = CryptoResult & { host: string | null; keyChangedSince?: number | null };

/** Returns the part of an outcome that is sent to the page. */
export function resultOf({ host, keyChangedSince, ...result }: Outcome): CryptoResult {
  return result;
}

/** True if all values are available. */
export function areFinished(outcomes: readonly Outcome[]): boolean {
  return outcomes.every(({ value }) => value !== null);
}
