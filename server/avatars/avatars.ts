/**
 * Pictures of paymails for the wallets of this service's users, so that no wallet ever asks a stranger's address. They
 * are cached in the database, for all instances; every row of it may go at any time.
 */
import { desc, eq, inArray, lte } from 'drizzle-orm';
import type { Network } from '../../protocol/address.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { writePaymail, type Paymail } from '../../protocol/paymail.ts';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { avatars } from '../database/schema.ts';
import { findByHandle } from '../identity/accounts.ts';
import { findPicture } from '../identity/picture.ts';
import type { PaymailHostRules } from '../outbound-requests/paymail-host.ts';
import { fetchPicture, namedPicture, type Avatar } from './fetch.ts';

/** For everything that one picture takes: host, profile, picture (milliseconds). */
const TIMEOUT_MS = 8_000;
/** How long an answer counts (milliseconds): a picture, and that there is none. */
const FRESH_MS = 24 * 3_600_000;
const NONE_FRESH_MS = 3_600_000;
/** Most rows of the cache, of 200 kB at most. */
const MOST_CACHED = 1_000;
/** Most strangers' hosts that one instance asks at the same time: more are not asked later, but not at all. */
const MAX_PARALLEL = 64;
/** The same for one user, so that hosts that hang delay only the user who names them. */
const MAX_PARALLEL_OF_USER = 4;

/** What finding them takes. */
export interface AvatarContext extends PaymailHostRules {
  db: Database;
  addresses: Pick<Addresses, 'paymailDomain'>;
  now: () => Date;
  /** Tests choose less. */
  mostCached?: number;
  network: Network;
}

/**
 * Finds the picture of a paymail for a user, null where there is none: the requester learns nothing about hosts.
 * @throws ServiceError `service-unavailable` if too many are requested, by this user or by all
 */
export type FindAvatar = (paymail: Paymail, userId: number) => Promise<Avatar | null>;

/** Those of this service are in its database; others are fetched from where their hosts say, or were. */
export function createAvatars(context: AvatarContext): FindAvatar {
  const { db, addresses, now } = context;
  const under = new Map<string, { userId: number; fetched: Promise<Avatar | null> }>();
  const isBusy = (userId: number) =>
    under.size >= MAX_PARALLEL ||
    [...under.values()].filter((one) => one.userId === userId).length >= MAX_PARALLEL_OF_USER;

  return async (paymail, userId) => {
    let named: string | null = null;
    if (paymail.domain === addresses.paymailDomain) {
      const user = await findByHandle(db, paymail.alias);
      if (user?.picture) return findPicture(db, String(user.id), user.picture);
      named = user?.avatarUrl ?? null;
      if (named === null) return null;
    }
    // What a user of this service names counts at once when it is another one.
    const key = named === null ? writePaymail(paymail) : `${writePaymail(paymail)} ${named}`;
    const [cached] = await db.select().from(avatars).where(eq(avatars.paymail, key));
    if (cached) {
      const age = now().getTime() - cached.fetchedAt.getTime();
      if (Math.abs(age) < (cached.image ? FRESH_MS : NONE_FRESH_MS)) return avatarOf(cached);
    }
    const running = under.get(key);
    if (running) return running.fetched;
    if (isBusy(userId)) throw new ServiceError('service-unavailable', { detail: 'too many avatars' });
    const fetched = fetchAndStore(context, paymail, named, key).finally(() => under.delete(key));
    under.set(key, { userId, fetched });
    return fetched;
  };
}

function avatarOf({ type, image }: Pick<typeof avatars.$inferSelect, 'type' | 'image'>): Avatar | null {
  return type && image && { type, image };
}

/** @param named where it is, where this service knows that itself */
async function fetchAndStore(
  { db, now, mostCached = MOST_CACHED, ...rules }: AvatarContext,
  paymail: Paymail,
  named: string | null,
  key: string,
): Promise<Avatar | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let found: Avatar | null = null;
  try {
    const url = named ?? (await namedPicture(paymail, rules, signal));
    if (url !== null) found = await fetchPicture(url, rules.network, signal);
  } catch {
    // Out of reach, or nothing that may be asked: as good as none for a while.
  }
  const row = { type: found?.type ?? null, image: found?.image ?? null, fetchedAt: now() };
  await db
    .insert(avatars)
    .values({ paymail: key, ...row })
    .onConflictDoUpdate({ target: avatars.paymail, set: row });
  const excess = db
    .select({ paymail: avatars.paymail })
    .from(avatars)
    .orderBy(desc(avatars.fetchedAt))
    .offset(mostCached)
    // Another instance may be deleting the same.
    .for('update', { skipLocked: true });
  await db.delete(avatars).where(inArray(avatars.paymail, excess));
  return found;
}

/** Forgets what does not count any more. */
export async function deleteOldAvatars(db: Database, now: Date): Promise<void> {
  await db.delete(avatars).where(lte(avatars.fetchedAt, new Date(now.getTime() - FRESH_MS)));
}
