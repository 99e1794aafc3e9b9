/**
 * Sign-in challenges: messages to sign, each valid once, for five minutes. A wallet's challenge is bound to a key and a
 * purpose. A page doesn't have its user's key, so any key can sign its challenge.
 */
import { and, eq, gt, isNotNull, isNull, lte, or } from 'drizzle-orm';
import type { Registration } from '../../protocol/http/api.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { signInMessage } from '../../protocol/signed-messages/sign-in-message.ts';
import type { Database } from '../database/connect.ts';
import { signInChallenges } from '../database/schema.ts';
import { hashSecret, randomSecret } from '../secrets.ts';
import { isSignedBy } from './signed-message.ts';

/** Time to sign and submit a challenge (ms). */
const CHALLENGE_MS = 5 * 60_000;

/** A wallet's challenge. The nonce has 256 random bits and is stored only as a hash. */
export interface Challenge {
  nonce: string;
  message: string;
  expiresAt: string;
}

/** `origin` comes from the settings, never from a request. */
export interface ChallengeContext {
  db: Database;
  origin: string;
  now: () => Date;
}

/** Creates a challenge for a key, to sign in or, with `register`, to create an account. */
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

/** A page's challenge, from which the user's wallet builds the message. */
export type OpenChallenge = Omit<Challenge, 'message'> & { issuedAt: string };

/** Creates a challenge that any key can sign, to sign in or to create an account. */
export async function createOpenChallenge({ db, now }: ChallengeContext): Promise<OpenChallenge> {
  const nonce = randomSecret();
  const issuedAt = now();
  const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_MS);
  await db.insert(signInChallenges).values({ nonceHash: hashSecret(nonce), issuedAt, expiresAt });
  return { nonce, issuedAt: issuedAt.toISOString(), expiresAt: expiresAt.toISOString() };
}

/**
 * A signed challenge. A page submits `register` together with the signature. A wallet sends it earlier, when it requests
 * the challenge.
 */
export interface SignedChallenge {
  publicKey: string;
  nonce: string;
  signature: string;
  register?: Registration | undefined;
}

/**
 * Consumes a challenge and checks its signature. Atomic: a single DELETE, which also consumes a wrongly signed
 * challenge.
 * @returns the registration; null for a sign-in
 * @throws ServiceError `invalid-challenge` (unknown, used, expired, wrong key or purpose), `invalid-signature`
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
  // A registration comes either with the request for the challenge or with the signature, never with both.
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

export async function deleteExpiredChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(signInChallenges).where(lte(signInChallenges.expiresAt, now));
}
