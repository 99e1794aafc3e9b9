/** What a crypto operation gave. */
import type { CryptoResult } from '../../../protocol/payment.ts';

/**
 * A result, with the origin that told the key of the paymail it names (null where none was asked), and since when this
 * wallet knew another key of that paymail (missing of older records). `value` is null until it is there.
 */
export type Outcome = CryptoResult & { host: string | null; keyChangedSince?: number | null };

/** What the page gets of it. */
export function resultOf({ host, keyChangedSince, ...result }: Outcome): CryptoResult {
  return result;
}

/** True once there is nothing left to run. */
export function areFinished(outcomes: readonly Outcome[]): boolean {
  return outcomes.every(({ value }) => value !== null);
}
