/** The picture of a paymail at its own host, or wherever that says it is. Whoever runs that host is a stranger. */
import { CAPABILITIES, fillTemplate, publicProfileResponse, type Paymail } from '../../protocol/paymail.ts';
import { LARGEST_PICTURE, readSmallPicture, type Picture } from '../../protocol/picture.ts';
import type { Network } from '../../protocol/address.ts';
import { askJson, askStranger, capabilitiesOf, type PaymailHostRules } from '../outbound-requests/paymail-host.ts';
import { readBeginning } from '../outbound-requests/pinned-request.ts';

/** A picture that was checked: what its first bytes say that it is, and small. */
export interface Avatar {
  type: Picture['type'];
  image: Uint8Array;
}

const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'] satisfies Picture['type'][];
const MAX_REDIRECTS = 2;

/**
 * Where a paymail's public profile (BRFC f12f968c92d6) says that its picture is; null where it names none.
 * @throws Error where the host may not be asked, or does not answer
 */
export async function namedPicture(
  paymail: Paymail,
  rules: PaymailHostRules,
  signal: AbortSignal,
): Promise<string | null> {
  const { [CAPABILITIES.publicProfile]: template } = await capabilitiesOf(paymail.domain, rules, signal);
  if (typeof template !== 'string') return null;
  const profile = await askJson(fillTemplate(template, paymail), rules.network, signal);
  return publicProfileResponse.parse(profile).avatar ?? null;
}

/**
 * Fetches a picture: the bytes as they came, once they are known to be a small picture. Null for anything else.
 * @throws Error where it may not be fetched, or nothing answers
 */
export async function fetchPicture(url: string, network: Network, signal: AbortSignal): Promise<Avatar | null> {
  let target = new URL(url);
  for (let redirects = 0; ; redirects += 1) {
    // Each place that it leads to is judged like the first.
    const response = await askStranger(target, TYPES.join(', '), network, signal);
    const { statusCode = 0, headers } = response;
    const isPicture = statusCode === 200 && TYPES.includes((headers['content-type'] ?? '').split(';')[0]?.trim() ?? '');
    if (isPicture && Number(headers['content-length'] ?? 0) <= LARGEST_PICTURE) {
      const { bytes, whole } = await readBeginning(response, LARGEST_PICTURE + 1);
      const picture = whole ? readSmallPicture(bytes) : null;
      return picture && { type: picture.type, image: bytes };
    }
    response.destroy();
    if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location || redirects === MAX_REDIRECTS)
      return null;
    target = new URL(headers.location, target);
  }
}
