/** Whether a payment is anybody's business at this service. */
import { eq } from 'drizzle-orm';
import type { PaymentReport } from '../../protocol/api.ts';
import type { Database } from '../database/connect.ts';
import { applications } from '../database/schema.ts';
import type { GivenDestination } from './check-report.ts';

/**
 * True where an application here owns the report's client identifier, or a destination that this service gave out is
 * paid. Nothing else that wallets without an account report is kept.
 */
export async function isRelated(
  db: Database,
  { clientIdentifier }: PaymentReport,
  destinations: ReadonlyMap<string, GivenDestination>,
): Promise<boolean> {
  if (destinations.size > 0) return true;
  if (clientIdentifier === null) return false;
  const found = await db
    .select({ id: applications.id })
    .from(applications)
    .where(eq(applications.clientIdentifier, clientIdentifier));
  return found.length > 0;
}
