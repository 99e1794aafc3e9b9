/** Fetches a paymail's picture from its host, or from the URL that the host provides. The host isn't trusted. */
import { CAPABILITIES, fillTemplate, publicProfileResponse, type Paymail } from '../../protocol/http/paymail.ts';
import { MAX_PICTURE_BYTES, readSmallPicture, type Picture } from '../../protocol/http/picture.ts';
import type { Network } from '../../protocol/bitcoin/address.ts';
import {
  requestJson,
  requestUntrusted,
  capabilitiesOf,
  type PaymailHostRules,
} from '../outbound-requests/paymail-host.ts';
import { readBeginning } from '../outbound-requests/pinned-request.ts';

export interface Avatar {
  type: Picture['type'];
  image: Uint8Array;
}

const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'] satisfies Picture['type'][];
const MAX_REDIRECTS = 2;

/**
 * Returns the picture URL in a paymail's public profile (BRFC f12f968c92d6), or null.
 * @throws Error if the host can't be contacted
 */
export async function namedPicture(
  paymail: Paymail,
  rules: PaymailHostRules,
  signal: AbortSignal,
): Promise<string | null> {
  const { [CAPABILITIES.publicProfile]: template } = await capabilitiesOf(paymail.domain, rules, signal);
  if (typeof template !== 'string') return null;
  const profile = await requestJson(fillTemplate(template, paymail), rules.network, signal);
  return publicProfileResponse.parse(profile).avatar ?? null;
}

/**
 * Fetches a picture. Returns its unchanged bytes if it is valid and small enough, otherwise null.
 * @throws Error if it can't be fetched
 */
export async function fetchPicture(url: string, network: Network, signal: AbortSignal): Promise<Avatar | null> {
  let target = new URL(url);
  for (let redirects = 0; ; redirects += 1) {
    // Every redirect target gets the same checks as the original URL.
    const response = await requestUntrusted(target, TYPES.join(', '), network, signal);
    const { statusCode = 0, headers } = response;
    const isPicture = statusCode === 200 && TYPES.includes((headers['content-type'] ?? '').split(';')[0]?.trim() ?? '');
    if (isPicture && Number(headers['content-length'] ?? 0) <= MAX_PICTURE_BYTES) {
      const { bytes, whole } = await readBeginning(response, MAX_PICTURE_BYTES + 1);
      const picture = whole ? readSmallPicture(bytes) : null;
      return picture && { type: picture.type, image: bytes };
    }
    response.destroy();
    if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location || redirects === MAX_REDIRECTS)
      return null;
    target = new URL(headers.location, target);
  }
}
