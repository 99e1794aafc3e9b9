/**
 * Copies a database into an empty one. Rows are transferred as JSON written and parsed by PostgreSQL itself, so no
 * value is converted.
 */
import { getTableName, is, sql, type SQL } from 'drizzle-orm';
import { getTableConfig, isPgSequence, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from './connect.ts';
import * as schema from './schema.ts';

/** A table's row count, and a checksum that changes with any difference in content. */
interface Content {
  rows: number;
  digest: string;
}

/** Thrown if the target can't be used, or if the copy differs from the source. The target is unchanged. */
export class MoveError extends Error {
  override name = 'MoveError';
}

/** Approximate size of a batch. */
const PIECE_BYTES = 4_000_000;
/** Maximum number of rows per batch. */
const PIECE_ROWS = 500;

function tablesInOrder(): PgTable[] {
  const ordered: PgTable[] = [];
  const add = (table: PgTable): void => {
    if (ordered.includes(table)) return;
    for (const key of getTableConfig(table).foreignKeys) {
      const { foreignTable } = key.reference();
      if (foreignTable !== table) add(foreignTable);
    }
    ordered.push(table);
  };
  for (const value of Object.values(schema)) if (is(value, PgTable)) add(value);
  return ordered;
}

async function rowsOf<Row>(db: Database, query: SQL): Promise<Row[]> {
  return ((await db.execute(query)) as unknown as { rows: Row[] }).rows;
}

async function contentOf(db: Database, table: PgTable): Promise<Content> {
  const [found] = await rowsOf<{ rows: string; digest: string }>(
    db,
    sql`
    select count(*)::text as rows, coalesce(sum(('x' || left(md5(row_to_json(t)::text), 15))::bit(60)::bigint), 0)::text as digest from ${table} t`,
  );
  return { rows: Number(found?.rows), digest: found?.digest ?? '' };
}

/**
 * Copies all tables and sequences in one transaction on the target, and compares the contents before the commit. Both
 * databases must have the current schema, and nothing else may use the source.
 * @returns the row count per table
 * @throws MoveError if the target isn't empty, or its content differs
 */
export async function moveDatabase(source: Database, target: Database): Promise<Map<string, number>> {
  const tables = tablesInOrder();
  const moved = new Map<string, number>();
  // JSON contains times in the session's time zone, so comparable checksums need the same zone in both sessions.
  await source.transaction(async (from) => {
    await from.execute(sql`set local time zone 'UTC'`);
    await target.transaction(async (to) => {
      await to.execute(sql`set local time zone 'UTC'`);
      await to.execute(
        sql`lock table ${sql.join(
          tables.map((table) => sql`${table}`),
          sql`, `,
        )} in access exclusive mode`,
      );
      const full: string[] = [];
      for (const table of tables) if ((await contentOf(to, table)).rows > 0) full.push(getTableName(table));
      if (full.length > 0)
        throw new MoveError(`The target is not empty (${full.join(', ')}): create a new database for it`);
      for (const table of tables) {
        await copyRows(from, to, table);
        await copySequences(from, to, table);
        const [before, after] = [await contentOf(from, table), await contentOf(to, table)];
        if (before.rows !== after.rows || before.digest !== after.digest)
          throw new MoveError(`the copy of ${getTableName(table)} differs from the original, so nothing was kept`);
        moved.set(getTableName(table), after.rows);
      }
      for (const value of Object.values(schema))
        if (isPgSequence(value)) await copySequence(from, to, value.seqName ?? '');
    });
  });
  return moved;
}

/** Copies rows in physical order (`ctid`). Each batch continues after the last row of the previous batch. */
async function copyRows(from: Database, to: Database, table: PgTable): Promise<void> {
  const columns = sql.raw(
    getTableConfig(table)
      .columns.filter(({ generated }) => generated === undefined)
      .map(({ name }) => `"${name}"`)
      .join(', '),
  );
  for (let after = '(0,0)'; ;) {
    const next = await rowsOf<{ at: string; bytes: number }>(
      from,
      sql`
      select ctid::text as at, octet_length(row_to_json(t)::text) as bytes from ${table} t where ctid > ${after}::tid order by ctid limit ${PIECE_ROWS}`,
    );
    if (next.length === 0) return;
    let [count, bytes] = [0, 0];
    while (count < next.length && (count === 0 || bytes + (next[count]?.bytes ?? 0) <= PIECE_BYTES)) {
      bytes += next[count]?.bytes ?? 0;
      count += 1;
    }
    const last = next[count - 1]?.at ?? after;
    const [piece] = await rowsOf<{ json: string }>(
      from,
      sql`select json_agg(t)::text as json from ${table} t where ctid > ${after}::tid and ctid <= ${last}::tid`,
    );
    await to.execute(
      sql`insert into ${table} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${table}, ${piece?.json}::json)`,
    );
    after = last;
  }
}

/** Copies the sequences' own state instead of deriving it from the rows, so no ID is ever reused. */
async function copySequences(from: Database, to: Database, table: PgTable): Promise<void> {
  for (const column of getTableConfig(table).columns.filter(
    ({ generatedIdentity }) => generatedIdentity !== undefined,
  )) {
    const [found] = await rowsOf<{ name: string }>(
      from,
      sql`select pg_get_serial_sequence(${getTableName(table)}, ${column.name}) as name`,
    );
    await copySequence(from, to, found?.name ?? '');
  }
}

async function copySequence(from: Database, to: Database, name: string): Promise<void> {
  const [state] = await rowsOf<{ last: string; called: boolean }>(
    from,
    sql`select last_value::text as last, is_called as called from ${sql.raw(name)}`,
  );
  await to.execute(sql`select setval(${name}, ${state?.last}::bigint, ${state?.called})`);
}
