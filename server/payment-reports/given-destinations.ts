/** Looks up a report's destinations among those issued by this service. */
import { eq, inArray } from 'drizzle-orm';
import type { PaymentReport } from '../../protocol/http/api.ts';
import type { Database } from '../database/connect.ts';
import { paymailDestinations, users } from '../database/schema.ts';
import type { IssuedDestination } from './check-report.ts';

export async function issuedDestinations(
  db: Database,
  { outputs }: PaymentReport,
  paymailDomain: string,
): Promise<Map<string, IssuedDestination>> {
  const named = outputs.flatMap(({ reference }) => reference ?? []);
  if (named.length === 0) return new Map();
  const found = await db
    .select({
      reference: paymailDestinations.reference,
      outputs: paymailDestinations.outputs,
      userId: users.id,
      handle: users.handle,
    })
    .from(paymailDestinations)
    .innerJoin(users, eq(users.id, paymailDestinations.userId))
    .where(inArray(paymailDestinations.reference, named));
  return new Map(
    found.map(({ reference, handle, ...given }) => [reference, { ...given, paymail: `${handle}@${paymailDomain}` }]),
  );
}
