/** Column types, and SQL shared by several tables. */
import { sql, type SQL } from 'drizzle-orm';
import { customType, timestamp } from 'drizzle-orm/pg-core';
import { FROM, PAIRS, TO } from '../../../protocol/text/confusables.ts';

export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });
export const tsvector = customType<{ data: readonly string[]; driverData: string }>({ dataType: () => 'tsvector' });
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Returns the SQL for a skeleton, which is equal for handles that look alike. */
export function skeletonSql(column: string): SQL {
  const folded = `translate(${column}, '${FROM}', '${TO}')`;
  return sql.raw(PAIRS.reduce((text, [pair, one]) => `replace(${text}, '${pair}', '${one}')`, folded));
}
