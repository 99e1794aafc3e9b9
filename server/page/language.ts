/** Which of the site's languages a browser prefers. */
import { LANGUAGE_CODES } from '../../protocol/wallet-messages.ts';

/** A language that the public pages are written in (BCP 47): the wallet's. */
export type SiteLanguage = (typeof LANGUAGE_CODES)[number];

/** More of a header is not looked at. */
const MOST = 500;

/**
 * Reads `Accept-Language` (RFC 9110, 12.5.4): the language with the highest weight that there is, in the browser's
 * order where weights are equal, and whatever the region. English where none is.
 */
export function preferredLanguage(header: string | undefined): SiteLanguage {
  const wanted = (header ?? '')
    .slice(0, MOST)
    .split(',')
    .map((range) => {
      const [tag = '', weight] = range
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/);
      return { base: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0 && weight <= 1)
    .toSorted((one, other) => other.weight - one.weight);
  const known = new Set<string | undefined>(LANGUAGE_CODES);
  return (wanted.find(({ base }) => known.has(base))?.base ?? 'en') as SiteLanguage;
}
