import type { CryptoResult } from '../../protocol/payments/payment.ts';

/**
 * A result, the origin that supplied its paymail's key (null if none was requested), and, if that key has changed, the
 * time at which this wallet first saw the previous one. `value` is null until available.
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
