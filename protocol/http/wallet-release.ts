/** Defines the response that describes a service's wallet release, and compares versions. */
import * as z from 'zod/mini';

/** A version as in extension manifests: one to four numbers of at most 65535, separated by dots. */
export const walletVersion = z.string().check(
  z.maxLength(23),
  z.regex(/^\d{1,5}(?:\.\d{1,5}){0,3}$/),
  z.refine((text) => numbers(text).every((number) => number <= 65_535)),
);

/** The response to GET /api/v2/wallet-release. */
export const walletReleaseResponse = z.object({
  /** Version of the wallet that this service offers for download. */
  version: walletVersion,
});

const numbers = (version: string) => version.split('.').map(Number);

/** True if the first version is newer. Missing numbers count as 0. */
export function isNewer(version: string, than: string): boolean {
  const [left, right] = [numbers(version), numbers(than)];
  for (let i = 0; i < 4; i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
