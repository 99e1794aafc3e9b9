import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openEmbedded, openPostgres, type OpenDatabase } from './connect.ts';
import { migrate } from './migrate.ts';
import { users } from './schema.ts';
import { createPostgresDatabase, postgresUrl, testDatabases } from './testing.ts';

const applied = async ({ db }: OpenDatabase) => {
  const result = (await db.execute(sql`select count(*)::int as n from drizzle.__drizzle_migrations`)) as unknown as {
    rows: { n: number }[];
  };
  return result.rows[0]?.n;
};

describe.each(testDatabases)('migrations on $name', ({ open }) => {
  it('change nothing when they run again', async () => {
    const database = await open();
    const before = await applied(database);
    expect(before).toBeGreaterThan(0);
    await migrate(database);
    expect(await applied(database)).toBe(before);
    expect(await database.db.select().from(users)).toEqual([]);
    await database.close();
  });
});

describe.runIf(postgresUrl !== null)('several instances on PostgreSQL', () => {
  it('may start on an empty database at once', async () => {
    const fresh = await createPostgresDatabase();
    const instances = await Promise.all(Array.from({ length: 6 }, () => openPostgres(fresh.url)));
    try {
      await Promise.all(instances.map(migrate));
      const one = instances[0] as OpenDatabase;
      const once = await applied(one);
      await migrate(one);
      expect(await applied(one)).toBe(once);
    } finally {
      await Promise.all(instances.map((instance) => instance.close()));
      await fresh.drop();
    }
  });
});

describe('the embedded database', () => {
  it('keeps its rows on disk', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'embedded-'));
    const row = { handle: 'kept', name: '', publicKey: 'k', receivingXpub: 'x', createdAt: new Date(0) };
    const first = await openEmbedded(directory);
    await migrate(first);
    await first.db.insert(users).values(row);
    await first.close();
    const second = await openEmbedded(directory);
    await migrate(second);
    expect(await second.db.select().from(users)).toMatchObject([{ id: 1001, ...row }]);
    await second.close();
    rmSync(directory, { recursive: true });
  });
});
