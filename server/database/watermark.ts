/** Watermarks of completed scans, in `instance_facts`. A watermark limits the next scan to newer rows. */
import { eq, sql } from 'drizzle-orm';
import type { Database } from './connect.ts';
import { instanceFacts } from './schema.ts';

/** Overlap between consecutive scans (ms). Needed because clocks differ, and a scan misses rows committed after it. */
const AGAIN_MS = 24 * 3600_000;

/**
 * Returns the start of the next scan, or null if everything must be scanned: before the first scan, or if an instance
 * whose clock was ahead stored the watermark.
 * @param until the end of the next scan
 */
export async function readWatermark(db: Database, name: string, until: Date): Promise<Date | null> {
  const [found] = await db.select().from(instanceFacts).where(eq(instanceFacts.name, name));
  const from = found && new Date(Date.parse(found.value) - AGAIN_MS);
  return from && from <= until ? from : null;
}

/** Records that everything created before `at` was scanned. Replaces a later time, which is from a clock ahead. */
export async function setWatermark(db: Database, name: string, at: Date): Promise<void> {
  await db
    .insert(instanceFacts)
    .values({ name, value: at.toISOString() })
    .onConflictDoUpdate({ target: instanceFacts.name, set: { value: sql`excluded.value` } });
}
