/** Read access to payments. Without access, responses are as if the payment didn't exist. */
import { eq } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { applications } from '../database/schema.ts';
import type { Access } from '../identity/tokens.ts';
import type { StoredPayment } from './stored-payment.ts';

/** A reader of the payments that a user sent or received, and of those made through these clients. */
export interface Reader {
  /** Null for an application acting for itself. */
  userId: number | null;
  clientIdentifiers: readonly string[];
}

/** Returns a request's reader: the token's user, or the application itself if the token has no user. */
export async function readerOf(db: Database, { user, application }: Access): Promise<Reader> {
  if (!user) return { userId: null, clientIdentifiers: application ? [application.clientIdentifier] : [] };
  const own = await db
    .select({ client: applications.clientIdentifier })
    .from(applications)
    .where(eq(applications.ownerId, user.id));
  return { userId: user.id, clientIdentifiers: own.map(({ client }) => client) };
}

/**
 * True for the sender, the client's owner, and recipients with an account here. Recipients are identified by the
 * destinations that this service issued.
 */
export function mayRead(
  { payment, outputs }: Pick<StoredPayment, 'payment' | 'outputs'>,
  { userId, clientIdentifiers }: Reader,
): boolean {
  if (payment.clientIdentifier !== null && clientIdentifiers.includes(payment.clientIdentifier)) return true;
  return userId !== null && (payment.userId === userId || outputs.some(({ recipientId }) => recipientId === userId));
}
