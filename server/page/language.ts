/** Selects the site language that matches a browser's preferences. */
import { LANGUAGE_CODES, type LanguageCode } from '../../protocol/languages.ts';

const MAX_HEADER_CHARS = 500;

/**
 * Parses `Accept-Language` (RFC 9110, 12.5.4). Returns the available language with the highest weight (the first if
 * several are equal), regardless of region, or English.
 */
export function preferredLanguage(header: string | undefined): LanguageCode {
  const wanted = (header ?? '')
    .slice(0, MAX_HEADER_CHARS)
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
