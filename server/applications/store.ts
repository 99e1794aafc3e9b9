/** Applications in the database. Their secrets are stored as hashes, except the one that signs webhooks. */
import { randomBytes, randomUUID } from 'node:crypto';
import { and, asc, count, eq, lte, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { MAX_APPLICATIONS } from '../../protocol/applications.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { inBatches, perDatabase } from '../database/batch.ts';
import type { Database } from '../database/connect.ts';
import { accessTokens, applications, users } from '../database/schema.ts';
import { hashSecret, randomAlphanumeric } from '../secrets.ts';

/** One row of the applications. */
export type Application = typeof applications.$inferSelect;

/** What its owner says of an application. */
export type ApplicationDetails = Pick<
  Application,
  'name' | 'url' | 'description' | 'redirectUri' | 'webhookUrl' | 'requirePkce' | 'requireSecret'
> &
  Partial<Pick<Application, 'webhookBodySecret'>>;

/** An application just made, with the secrets that are shown this once. */
export interface NewApplication {
  application: Application;
  clientSecret: string;
  webhookSecret: string;
}

/**
 * A client secret: 256 random bits and more in [A-Za-z0-9], so that raw and percent-encoded Basic credentials are
 * equal.
 */
const newClientSecret = () => randomAlphanumeric(48);
/** Standard Webhooks, "Signature scheme": 24 to 64 random bytes, base64 behind `whsec_`. */
const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Makes an application. The owner's row is locked meanwhile, so that several at once cannot exceed the limit together.
 * @throws ServiceError `too-many-applications`
 */
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

/** One application of one owner: nobody else's is ever found, read or changed. */
const owned = (ownerId: number, id: string) => and(eq(applications.id, id), eq(applications.ownerId, ownerId));

/** A user's own application. @throws ServiceError `unknown-application`, also for another user's */
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
 * Gives an application another client secret. Whoever had the old one may be why: the tokens that it was good for end
 * with it. What users granted stays.
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
 * Gives an application another webhook secret, which signs from now on.
 * @param keepPreviousSeconds for how long the present one goes on signing beside it, so that receivers can change over
 * one after another. Of several rotations in that time only the latest secret before the new one goes on.
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
          // The value of before: PostgreSQL evaluates all of them on the old row.
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

/** Ends the secret that signs beside the present one, if there is one. @throws ServiceError `unknown-application` */
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

/** Forgets secrets whose rotation is over. */
export async function deleteEndedWebhookSecrets(db: Database, now: Date): Promise<void> {
  await db.update(applications).set(NO_PREVIOUS).where(lte(applications.previousWebhookSecretUntil, now));
}

/** The secrets that sign an application's webhooks at a time, the present one first. */
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
 * Deletes an application and all that hangs on it: consents, tokens, webhooks. Payments made through it stay.
 * @throws ServiceError `unknown-application`
 */
export async function deleteApplication(db: Database, ownerId: number, id: string): Promise<void> {
  const deleted = UUID.test(id)
    ? await db.delete(applications).where(owned(ownerId, id)).returning({ id: applications.id })
    : [];
  if (deleted.length === 0) throw new ServiceError('unknown-application');
}

/**
 * What a public name consists of. Anything else comes from strangers: one NUL in it would fail the questions that share
 * its statement.
 */
const NAME = /^[A-Za-z0-9]{1,100}$/;

/** By either of their two public names: questions of one moment share one statement. */
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

/** The application that the code flow's `client_id` names, or null. */
export async function findByOauthIdentifier(db: Database, oauthIdentifier: string): Promise<Application | null> {
  return (await lookupOf(db)(oauthIdentifier)).find((found) => found.oauthIdentifier === oauthIdentifier) ?? null;
}

/** The application that a button or a Basic credential names, or null. */
export async function findByClientIdentifier(db: Database, clientIdentifier: string): Promise<Application | null> {
  return (await lookupOf(db)(clientIdentifier)).find((found) => found.clientIdentifier === clientIdentifier) ?? null;
}

/** A user's own applications, the oldest first. */
export async function listApplications(db: Database, ownerId: number): Promise<Application[]> {
  return db
    .select()
    .from(applications)
    .where(eq(applications.ownerId, ownerId))
    .orderBy(asc(applications.createdAt), asc(applications.id));
}

/** Whether this is its secret. Hashes of 256 random bits are compared, so the time reveals nothing. */
export function hasSecret(application: Application, secret: string): boolean {
  return hashSecret(secret) === application.clientSecretHash;
}
