/** Stores, lists and revokes users' grants to applications. */
import { and, asc, eq } from 'drizzle-orm';
import type { Application } from '../applications/store.ts';
import type { Database } from '../database/connect.ts';
import { applications, authorizations, consents } from '../database/schema.ts';
import { USER_SCOPES, type UserScope } from './scopes.ts';

/** An application to which a user has granted scopes. */
export interface Connection {
  application: Application;
  /** Time of the earliest grant. */
  since: Date;
  scopes: { scope: UserScope; grantedAt: Date }[];
}

const isUserScope = (scope: string): scope is UserScope => Object.hasOwn(USER_SCOPES, scope);
const between = (userId: number, applicationId: string) =>
  and(eq(consents.userId, userId), eq(consents.applicationId, applicationId));

export async function grantedScopes(db: Database, userId: number, applicationId: string): Promise<UserScope[]> {
  const rows = await db.select({ scope: consents.scope }).from(consents).where(between(userId, applicationId));
  return rows.map(({ scope }) => scope).filter(isUserScope);
}

/**
 * True if all scopes are granted. Locks the grants so that a concurrent revocation waits and then also revokes the new
 * code.
 */
export async function holdConsent(
  tx: Database,
  userId: number,
  applicationId: string,
  scopes: readonly UserScope[],
): Promise<boolean> {
  const rows = await tx
    .select({ scope: consents.scope })
    .from(consents)
    .innerJoin(applications, eq(applications.id, consents.applicationId))
    .where(between(userId, applicationId))
    // The application is locked first, as in authorizations.ts.
    .for('share', { of: [applications, consents] });
  return scopes.every((scope) => rows.some((row) => row.scope === scope));
}

export async function rememberConsent(
  tx: Database,
  userId: number,
  applicationId: string,
  scopes: readonly UserScope[],
  now: Date,
): Promise<void> {
  await tx
    .insert(consents)
    .values(scopes.map((scope) => ({ userId, applicationId, scope, grantedAt: now })))
    .onConflictDoNothing();
}

/** Returns the applications to which a user granted scopes, newest first. */
export async function listConsents(db: Database, userId: number): Promise<Connection[]> {
  const rows = await db
    .select({ application: applications, scope: consents.scope, grantedAt: consents.grantedAt })
    .from(consents)
    .innerJoin(applications, eq(applications.id, consents.applicationId))
    .where(eq(consents.userId, userId))
    .orderBy(asc(consents.grantedAt), asc(consents.scope));
  const connections = new Map<string, Connection>();
  for (const { application, scope, grantedAt } of rows) {
    if (!isUserScope(scope)) continue;
    const connection = connections.get(application.id) ?? { application, since: grantedAt, scopes: [] };
    connection.scopes.push({ scope, grantedAt });
    connections.set(application.id, connection);
  }
  return [...connections.values()].reverse();
}

/**
 * Revokes all of a user's grants to an application, and the codes and tokens issued for them. Deletes consents first so
 * that codes issued concurrently are found as well.
 * @returns false if there were no grants
 */
export function revokeConsent(db: Database, userId: number, applicationId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Waits if the application is being deleted, because locking its rows in a different order could deadlock.
    await tx
      .select({ id: applications.id })
      .from(applications)
      .where(eq(applications.id, applicationId))
      .for('key share');
    const gone = await tx.delete(consents).where(between(userId, applicationId)).returning({ scope: consents.scope });
    await tx
      .delete(authorizations)
      .where(and(eq(authorizations.userId, userId), eq(authorizations.applicationId, applicationId)));
    return gone.length > 0;
  });
}
