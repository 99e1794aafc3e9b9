import { sql, type SQL } from 'drizzle-orm';
import { FROM, PAIRS, TO } from '../../protocol/text/confusables.ts';

export function skeletonSql(column: string): SQL {
  const folded = `translate(${column}, '${FROM}', '${TO}')`;
  return sql.raw(PAIRS.reduce((text, [pair, one]) => `replace(${text}, '${pair}', '${one}')`, folded));
}
