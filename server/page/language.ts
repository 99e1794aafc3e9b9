/** Selects the site's language that a browser prefers. */
import { LANGUAGE_CODES, type LanguageCode } from '../../protocol/languages.ts';

const MOST = 500;

/**
 * Reads `Accept-Language` (RFC 9110, 12.5.4): the available language with the highest weight, in the browser's order
 * for equal weights, regardless of region. English if none is available.
 */
export function preferredLanguage(header: string | undefined): LanguageCode {
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
  return (wanted.find(({ base }) => known.has(base))?.base ?? 'en') as LanguageCode;
}
