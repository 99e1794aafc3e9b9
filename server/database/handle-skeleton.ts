/**
 * The visual skeleton of a handle: two handles with the same skeleton can be mistaken for each other (Unicode Technical
 * Standard 39, section 4, plus digits that stand for letters). Digits stay distinct from each other, because `ann1` and
 * `ann2` are two people.
 */
import { sql, type SQL } from 'drizzle-orm';

/** Each character of the first string maps to the one below it. Those without one, the separators, are removed. */
const FROM = '0123456789i.-';
const TO = 'olzeas6tbgl';
/** Pairs that pass for one letter. */
const PAIRS = [
  ['rn', 'm'],
  ['vv', 'w'],
] as const;

export function skeletonOf(handle: string): string {
  const folded = [...handle].map((c) => (FROM.includes(c) ? (TO[FROM.indexOf(c)] ?? '') : c)).join('');
  return PAIRS.reduce((text, [pair, one]) => text.replaceAll(pair, one), folded);
}

/** The same skeleton, computed by the database from a column. */
export function skeletonSql(column: string): SQL {
  const folded = `translate(${column}, '${FROM}', '${TO}')`;
  return sql.raw(PAIRS.reduce((text, [pair, one]) => `replace(${text}, '${pair}', '${one}')`, folded));
}
