import type { CryptoResult } from '../../protocol/payments/payment.ts';

/**
 * A result, with the origin that supplied the key of its paymail (null if none was requested), and since when this
 * wallet knew another key of that paymail. `value` is null until it is available.
 */
export type Outcome = CryptoResult & { host: string | null; keyChangedSince?: number | null };

/** The page's part of it. */
export function resultOf({ host, keyChangedSince, ...result }: Outcome): CryptoResult {
  return result;
}

/** True once there is nothing left to run. */
export function areFinished(outcomes: readonly Outcome[]): boolean {
  return outcomes.every(({ value }) => value !== null);
}
