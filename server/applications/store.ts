/** Applications in the database. Their secrets are kept as hashes, except the one that signs webhooks. */
import { randomBytes, randomUUID } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { applications } from '../database/schema.ts';
import { hashSecret, randomAlphanumeric } from '../identity/random.ts';

/** One row of the applications. */
export type Application = typeof applications.$inferSelect;

/** What its owner says of an application. */
export type ApplicationDetails = Pick<Application, 'name' | 'url' | 'description' | 'redirectUri' | 'webhookUrl' | 'requirePkce' | 'requireSecret'>;

/** An application just made, with the secrets that are shown this once. */
export interface NewApplication {
  application: Application;
  clientSecret: string;
  webhookSecret: string;
}

/** A client secret: 256 random bits and more in [A-Za-z0-9], so that raw and percent-encoded Basic credentials are equal. */
const newClientSecret = () => randomAlphanumeric(48);
/** Standard Webhooks, "Signature scheme": 24 to 64 random bytes, base64 behind `whsec_`. */
const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Makes an application. */
export async function createApplication(db: Database, ownerId: number, details: ApplicationDetails, now: Date): Promise<NewApplication> {
  const clientSecret = newClientSecret();
  const webhookSecret = newWebhookSecret();
  const [application] = await db.insert(applications).values({
    ...details, id: randomUUID(), ownerId, clientIdentifier: randomAlphanumeric(24), oauthIdentifier: randomAlphanumeric(24),
    clientSecretHash: hashSecret(clientSecret), webhookSecret, createdAt: now, updatedAt: now,
  }).returning();
  return { application: application as Application, clientSecret, webhookSecret };
}

/** The application that the code flow's `client_id` names, or null. */
export async function findByOauthIdentifier(db: Database, oauthIdentifier: string): Promise<Application | null> {
  const [found] = await db.select().from(applications).where(eq(applications.oauthIdentifier, oauthIdentifier));
  return found ?? null;
}

/** The application that a button or a Basic credential names, or null. */
export async function findByClientIdentifier(db: Database, clientIdentifier: string): Promise<Application | null> {
  const [found] = await db.select().from(applications).where(eq(applications.clientIdentifier, clientIdentifier));
  return found ?? null;
}

/** A user's own applications, the oldest first. */
export async function listApplications(db: Database, ownerId: number): Promise<Application[]> {
  return db.select().from(applications).where(eq(applications.ownerId, ownerId)).orderBy(asc(applications.createdAt), asc(applications.id));
}

/** Is this its secret? The comparison is of hashes of 256 random bits, so its time tells nothing. */
export function hasSecret(application: Application, secret: string): boolean {
  return hashSecret(secret) === application.clientSecretHash;
}
