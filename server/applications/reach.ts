import { asc, count, countDistinct, eq } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { consents } from '../database/schema.ts';

/** The number of users who granted an application at least one scope, and the number per scope. */
export interface Reach {
  people: number;
  scopes: { scope: string; people: number }[];
}

/** Counts the users who have granted an application at least one scope. */
export async function reachOf(db: Database, applicationId: string): Promise<Reach> {
  const [all] = await db
    .select({ people: countDistinct(consents.userId) })
    .from(consents)
    .where(eq(consents.applicationId, applicationId));
  const scopes = await db
    .select({ scope: consents.scope, people: count() })
    .from(consents)
    .where(eq(consents.applicationId, applicationId))
    .groupBy(consents.scope)
    .orderBy(asc(consents.scope));
  return {
    people: Number(all?.people ?? 0),
    scopes: scopes.map(({ scope, people }) => ({ scope, people: Number(people) })),
  };
}
