/** Decides whether a payment concerns an application or account at this service. */
import { eq } from 'drizzle-orm';
import type { PaymentReport } from '../../protocol/http/api.ts';
import type { Database } from '../database/connect.ts';
import { applications } from '../database/schema.ts';
import type { IssuedDestination } from './check-report.ts';

/** True if the report names an application here, or pays a destination that this service issued. */
export async function isRelated(
  db: Database,
  { clientIdentifier }: PaymentReport,
  destinations: ReadonlyMap<string, IssuedDestination>,
): Promise<boolean> {
  if (destinations.size > 0) return true;
  if (clientIdentifier === null) return false;
  return (await db.$count(applications, eq(applications.clientIdentifier, clientIdentifier))) > 0;
}
