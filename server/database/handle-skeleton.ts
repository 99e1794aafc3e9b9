/** The skeleton of a handle (protocol/confusables.ts), computed by the database from a column. */
import { sql, type SQL } from 'drizzle-orm';
import { FROM, PAIRS, TO } from '../../protocol/confusables.ts';

/** The SQL expression of a column's skeleton. */
export function skeletonSql(column: string): SQL {
  const folded = `translate(${column}, '${FROM}', '${TO}')`;
  return sql.raw(PAIRS.reduce((text, [pair, one]) => `replace(${text}, '${pair}', '${one}')`, folded));
}
