/**
 * Texts to be signed, each good for one use within five minutes. A wallet's is bound to one key and purpose; a page,
 * which does not know its user's key, gets one that is open until it comes back signed.
 */
import { and, eq, gt, isNotNull, isNull, lte, or } from 'drizzle-orm';
import type { Registration } from '../../protocol/api.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { signInMessage } from '../../protocol/sign-in-message.ts';
import type { Database } from '../database/connect.ts';
import { signInChallenges } from '../database/schema.ts';
import { hashSecret, randomSecret } from '../secrets.ts';
import { isSignedBy } from './signed-message.ts';

/** How long a text may be signed and brought back. */
const CHALLENGE_MS = 5 * 60_000;

/** What a wallet gets. The nonce is 256 random bits, of which the service keeps the hash alone. */
export interface Challenge {
  nonce: string;
  message: string;
  expiresAt: string;
}

/** What challenges are made and redeemed with. `origin` comes from the settings, never from a request. */
export interface ChallengeContext {
  db: Database;
  origin: string;
  now: () => Date;
}

/** Makes a challenge for a key: to sign in, or with `register` to make an account. */
export async function createChallenge(
  { db, origin, now }: ChallengeContext,
  publicKey: string,
  register: Registration | undefined,
): Promise<Challenge> {
  const nonce = randomSecret();
  const issuedAt = now();
  const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_MS);
  await db
    .insert(signInChallenges)
    .values({ nonceHash: hashSecret(nonce), publicKey, registration: register ?? null, issuedAt, expiresAt });
  const message = signInMessage({
    origin,
    publicKey,
    register,
    nonce,
    issuedAt: issuedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  });
  return { nonce, message, expiresAt: expiresAt.toISOString() };
}

/** What a page gets: of this, its user's wallet makes the text. */
export type OpenChallenge = Omit<Challenge, 'message'> & { issuedAt: string };

/** Makes a challenge for whichever key will sign it, to sign in or to make an account. */
export async function createOpenChallenge({ db, now }: ChallengeContext): Promise<OpenChallenge> {
  const nonce = randomSecret();
  const issuedAt = now();
  const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_MS);
  await db.insert(signInChallenges).values({ nonceHash: hashSecret(nonce), issuedAt, expiresAt });
  return { nonce, issuedAt: issuedAt.toISOString(), expiresAt: expiresAt.toISOString() };
}

/** A challenge that came back. `register` came with it, as a page's does; a wallet's was named before. */
export interface SignedChallenge {
  publicKey: string;
  nonce: string;
  signature: string;
  register?: Registration | undefined;
}

/**
 * Uses a challenge up and checks its signature. One DELETE decides, so of any number of attempts at once, over any
 * number of instances, one gets it. A wrong signature uses it up too: whoever knows the nonce gets one try.
 * @returns what was to be registered, null for a sign-in
 * @throws ServiceError `invalid-challenge` (unknown, used, expired, another key's, or for the other purpose),
 * `invalid-signature`
 */
export async function redeemChallenge(
  { db, origin, now }: ChallengeContext,
  kind: 'register' | 'sign-in',
  { publicKey, nonce, signature, register }: SignedChallenge,
): Promise<Registration | null> {
  const ofThisKey = and(
    eq(signInChallenges.publicKey, publicKey),
    kind === 'register' ? isNotNull(signInChallenges.registration) : isNull(signInChallenges.registration),
  );
  const open = isNull(signInChallenges.publicKey);
  // What was named before cannot be named anew; what was not has to be named now.
  const fitting = kind === 'sign-in' ? or(ofThisKey, open) : register ? open : ofThisKey;
  const [challenge] = await db
    .delete(signInChallenges)
    .where(and(eq(signInChallenges.nonceHash, hashSecret(nonce)), gt(signInChallenges.expiresAt, now()), fitting))
    .returning();
  if (!challenge) throw new ServiceError('invalid-challenge');
  const asked = challenge.registration ?? register;
  const message = signInMessage({
    origin,
    publicKey,
    register: asked,
    nonce,
    issuedAt: challenge.issuedAt.toISOString(),
    expiresAt: challenge.expiresAt.toISOString(),
  });
  if (!isSignedBy(publicKey, message, signature)) throw new ServiceError('invalid-signature');
  return asked ?? null;
}

/** Forgets what nobody can redeem any more. */
export async function deleteExpiredChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(signInChallenges).where(lte(signInChallenges.expiresAt, now));
}
