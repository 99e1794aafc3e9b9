/** Watermarks of finished scans, in `instance_facts`: a later scan covers only newer rows, so it stays short. */
import { eq, sql } from 'drizzle-orm';
import type { Database } from './connect.ts';
import { instanceFacts } from './schema.ts';

/**
 * Scans overlap by this much (milliseconds): clocks differ, and rows may have been uncommitted during the last scan.
 */
const AGAIN_MS = 24 * 3600_000;

/** The start of the next scan; null if there was none yet. */
export async function readWatermark(db: Database, name: string): Promise<Date | null> {
  const [found] = await db.select().from(instanceFacts).where(eq(instanceFacts.name, name));
  return found ? new Date(Date.parse(found.value) - AGAIN_MS) : null;
}

/** Records that everything made before this time was scanned. It never moves back. */
export async function raiseWatermark(db: Database, name: string, at: Date): Promise<void> {
  await db
    .insert(instanceFacts)
    .values({ name, value: at.toISOString() })
    .onConflictDoUpdate({
      target: instanceFacts.name,
      set: { value: sql`greatest(${instanceFacts.value}, excluded.value)` },
    });
}
