/**
 * The visual skeleton of a handle: two handles with the same skeleton can be mistaken for each other (after Unicode
 * Technical Standard 39, section 4, with the digits that stand for letters). No two digits become the same, so that
 * `ann1` and `ann2` are two people.
 */
import { sql, type SQL } from 'drizzle-orm';

/** Each character of the first becomes the one below it; those without one, the separators, go. */
const FROM = '0123456789i.-';
const TO = 'olzeas6tbgl';
/** Pairs that pass for one letter. */
const PAIRS = [
  ['rn', 'm'],
  ['vv', 'w'],
] as const;

/** The skeleton of a handle. */
export function skeletonOf(handle: string): string {
  const folded = [...handle].map((c) => (FROM.includes(c) ? (TO[FROM.indexOf(c)] ?? '') : c)).join('');
  return PAIRS.reduce((text, [pair, one]) => text.replaceAll(pair, one), folded);
}

/** The same, as the database works it out of a column. */
export function skeletonSql(column: string): SQL {
  const folded = `translate(${column}, '${FROM}', '${TO}')`;
  return sql.raw(PAIRS.reduce((text, [pair, one]) => `replace(${text}, '${pair}', '${one}')`, folded));
}
