/** Who may read a payment. To anyone else it does not exist. */
import { eq } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { applications } from '../database/schema.ts';
import type { Access } from '../identity/tokens.ts';
import type { StoredPayment } from './stored-payment.ts';

/** Whose payments are read: those that a user sent or got, and those that were made through some clients. */
export interface Reader {
  /** Null for an application in its own name. */
  userId: number | null;
  clientIdentifiers: readonly string[];
}

/** An application reads what was made through it; a user, and who was granted it by them, what that user may read. */
export async function readerOf(db: Database, { user, application }: Access): Promise<Reader> {
  if (!user) return { userId: null, clientIdentifiers: application ? [application.clientIdentifier] : [] };
  const own = await db
    .select({ client: applications.clientIdentifier })
    .from(applications)
    .where(eq(applications.ownerId, user.id));
  return { userId: user.id, clientIdentifiers: own.map(({ client }) => client) };
}

/**
 * True for the sender, for the owner of the client, and for recipients with an account here. Recipients are known from
 * the destinations that this service issued and the transaction pays; a wallet's statement about them is not enough.
 */
export function mayRead(
  { payment, outputs }: Pick<StoredPayment, 'payment' | 'outputs'>,
  { userId, clientIdentifiers }: Reader,
): boolean {
  if (payment.clientIdentifier !== null && clientIdentifiers.includes(payment.clientIdentifier)) return true;
  return userId !== null && (payment.userId === userId || outputs.some(({ recipientId }) => recipientId === userId));
}
