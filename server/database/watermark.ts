/**
 * Up to when something was gone through that need not be gone through again, in `instance_facts`: what comes later is
 * little, however much there is.
 */
import { eq, sql } from 'drizzle-orm';
import type { Database } from './connect.ts';
import { instanceFacts } from './schema.ts';

/**
 * Before a watermark so much is looked at once more (milliseconds): clocks of instances differ, and what was locked or not committed
 * when the others were gone through is found now.
 */
const AGAIN_MS = 24 * 3600_000;

/** From when on something is to be gone through; null where it never was. */
export async function readWatermark(db: Database, name: string): Promise<Date | null> {
  const [found] = await db.select().from(instanceFacts).where(eq(instanceFacts.name, name));
  return found ? new Date(Date.parse(found.value) - AGAIN_MS) : null;
}

/** Notes that all that was made before this time was gone through. It never goes back. */
export async function raiseWatermark(db: Database, name: string, at: Date): Promise<void> {
  await db
    .insert(instanceFacts)
    .values({ name, value: at.toISOString() })
    .onConflictDoUpdate({
      target: instanceFacts.name,
      set: { value: sql`greatest(${instanceFacts.value}, excluded.value)` },
    });
}
