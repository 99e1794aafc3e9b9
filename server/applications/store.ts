/** Applications in the database. Secrets are stored as hashes, except the webhook secret, which signs messages. */
import { randomBytes, randomUUID } from 'node:crypto';
import { and, asc, count, eq, lte, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { MAX_APPLICATIONS } from '../../protocol/http/applications.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { inBatches, perDatabase } from '../database/batch.ts';
import type { Database } from '../database/connect.ts';
import { accessTokens, applications, users } from '../database/schema.ts';
import { hashSecret, randomAlphanumeric } from '../secrets.ts';

export type Application = typeof applications.$inferSelect;

export type ApplicationDetails = Pick<
  Application,
  'name' | 'url' | 'description' | 'redirectUri' | 'webhookUrl' | 'requirePkce' | 'requireSecret'
> &
  Partial<Pick<Application, 'webhookBodySecret'>>;

export interface NewApplication {
  application: Application;
  clientSecret: string;
  webhookSecret: string;
}

/** Generates a client secret of [A-Za-z0-9], which percent-encoding in Basic credentials doesn't change. */
const newClientSecret = () => randomAlphanumeric(48);
/** Generates a secret in the Standard Webhooks format ("Signature scheme"): `whsec_`, then random bytes in base64. */
const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Creates an application. Locks the owner's row to enforce the limit. @throws ServiceError `too-many-applications` */
export function createApplication(
  db: Database,
  ownerId: number,
  details: ApplicationDetails,
  now: Date,
): Promise<NewApplication> {
  const clientSecret = newClientSecret();
  const webhookSecret = newWebhookSecret();
  return db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update');
    const [held] = await tx.select({ number: count() }).from(applications).where(eq(applications.ownerId, ownerId));
    if (Number(held?.number) >= MAX_APPLICATIONS) throw new ServiceError('too-many-applications');
    const [application] = await tx
      .insert(applications)
      .values({
        ...details,
        id: randomUUID(),
        ownerId,
        clientIdentifier: randomAlphanumeric(24),
        oauthIdentifier: randomAlphanumeric(24),
        clientSecretHash: hashSecret(clientSecret),
        webhookSecret,
        createdAt: now,
        updatedAt: now,
      })
      .returning();
    return { application: application as Application, clientSecret, webhookSecret };
  });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const owned = (ownerId: number, id: string) => and(eq(applications.id, id), eq(applications.ownerId, ownerId));

/** Returns a user's own application. @throws ServiceError `unknown-application`, even if another user owns it */
export async function findOwnApplication(db: Database, ownerId: number, id: string): Promise<Application> {
  const [found] = UUID.test(id) ? await db.select().from(applications).where(owned(ownerId, id)) : [];
  if (!found) throw new ServiceError('unknown-application');
  return found;
}

/** Changes a user's own application. @throws ServiceError `unknown-application` */
export async function updateApplication(
  db: Database,
  ownerId: number,
  id: string,
  changes: Partial<ApplicationDetails & Pick<Application, 'clientSecretHash' | 'logo'>>,
  now: Date,
): Promise<Application> {
  const [changed] = UUID.test(id)
    ? await db
        .update(applications)
        .set({ ...changes, updatedAt: now })
        .where(owned(ownerId, id))
        .returning()
    : [];
  if (!changed) throw new ServiceError('unknown-application');
  return changed;
}

/**
 * Replaces the client secret. Revokes the application's own tokens, because the old secret might have leaked. Users'
 * grants and their tokens remain valid.
 * @throws ServiceError `unknown-application`
 */
export function rotateClientSecret(
  db: Database,
  ownerId: number,
  id: string,
  now: Date,
): Promise<{ application: Application; clientSecret: string }> {
  const clientSecret = newClientSecret();
  return db.transaction(async (tx) => {
    const application = await updateApplication(tx, ownerId, id, { clientSecretHash: hashSecret(clientSecret) }, now);
    await tx.delete(accessTokens).where(and(eq(accessTokens.applicationId, id), eq(accessTokens.kind, 'application')));
    return { application, clientSecret };
  });
}

/**
 * Replaces the webhook secret.
 * @param keepPreviousSeconds overlap during which the replaced secret also signs; another rotation during the overlap
 * drops it
 * @throws ServiceError `unknown-application`
 */
export async function rotateWebhookSecret(
  db: Database,
  ownerId: number,
  id: string,
  keepPreviousSeconds: number,
  now: Date,
): Promise<{ application: Application; webhookSecret: string }> {
  const webhookSecret = newWebhookSecret();
  const keeps = keepPreviousSeconds > 0;
  const [application] = UUID.test(id)
    ? await db
        .update(applications)
        .set({
          webhookSecret,
          // The right-hand side reads the old row, so this is the secret before the rotation.
          previousWebhookSecret: keeps ? sql`${applications.webhookSecret}` : null,
          previousWebhookSecretUntil: keeps ? new Date(now.getTime() + keepPreviousSeconds * 1000) : null,
          updatedAt: now,
        })
        .where(owned(ownerId, id))
        .returning()
    : [];
  if (!application) throw new ServiceError('unknown-application');
  return { application, webhookSecret };
}

const NO_PREVIOUS = { previousWebhookSecret: null, previousWebhookSecretUntil: null };

/** Ends the overlap during which the previous secret also signs. @throws ServiceError `unknown-application` */
export async function endPreviousWebhookSecret(db: Database, ownerId: number, id: string, now: Date): Promise<void> {
  const ended = UUID.test(id)
    ? await db
        .update(applications)
        .set({ ...NO_PREVIOUS, updatedAt: now })
        .where(owned(ownerId, id))
        .returning({ id: applications.id })
    : [];
  if (ended.length === 0) throw new ServiceError('unknown-application');
}

export async function deleteEndedWebhookSecrets(db: Database, now: Date): Promise<void> {
  await db.update(applications).set(NO_PREVIOUS).where(lte(applications.previousWebhookSecretUntil, now));
}

/** Returns the secrets that sign an application's webhooks at a given time, the current one first. */
export function signingSecrets(
  {
    webhookSecret,
    previousWebhookSecret: previous,
    previousWebhookSecretUntil: until,
  }: Pick<Application, 'webhookSecret' | 'previousWebhookSecret' | 'previousWebhookSecretUntil'>,
  now: Date,
): string[] {
  return previous !== null && until !== null && now < until ? [webhookSecret, previous] : [webhookSecret];
}

/**
 * Deletes an application with its consents, tokens and webhooks, but not its payments.
 * @throws ServiceError `unknown-application`
 */
export async function deleteApplication(db: Database, ownerId: number, id: string): Promise<void> {
  const deleted = UUID.test(id)
    ? await db.delete(applications).where(owned(ownerId, id)).returning({ id: applications.id })
    : [];
  if (deleted.length === 0) throw new ServiceError('unknown-application');
}

/** Format of public identifiers. Rejects NUL, which would make every lookup in the same statement fail. */
const NAME = /^[A-Za-z0-9]{1,100}$/;

/** Looks up an application by either public identifier. Concurrent lookups share one statement. */
const lookupOf = perDatabase((db) => {
  const named = (column: PgColumn) => sql`${column} = any(${sql.placeholder('names')}::text[])`;
  const statement = db
    .select()
    .from(applications)
    .where(or(named(applications.clientIdentifier), named(applications.oauthIdentifier)))
    .prepare('applications_by_name');
  const lookup = inBatches(async (names: readonly string[]) => {
    const found = await statement.execute({ names });
    return names.map((name) =>
      found.filter(({ clientIdentifier, oauthIdentifier }) => name === clientIdentifier || name === oauthIdentifier),
    );
  });
  return async (name: string) => (NAME.test(name) ? lookup(name) : []);
});

/** Returns the application with this OAuth `client_id`, or null. */
export async function findByOauthIdentifier(db: Database, oauthIdentifier: string): Promise<Application | null> {
  return (await lookupOf(db)(oauthIdentifier)).find((found) => found.oauthIdentifier === oauthIdentifier) ?? null;
}

/** Returns the application that a button or a Basic credential names, or null. */
export async function findByClientIdentifier(db: Database, clientIdentifier: string): Promise<Application | null> {
  return (await lookupOf(db)(clientIdentifier)).find((found) => found.clientIdentifier === clientIdentifier) ?? null;
}

export async function listApplications(db: Database, ownerId: number): Promise<Application[]> {
  return db
    .select()
    .from(applications)
    .where(eq(applications.ownerId, ownerId))
    .orderBy(asc(applications.createdAt), asc(applications.id));
}

/** True if this is the application's secret. Compares only hashes of random secrets, so timing reveals nothing. */
export function hasSecret(application: Application, secret: string): boolean {
  return hashSecret(secret) === application.clientSecretHash;
}
