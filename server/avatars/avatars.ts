/**
 * Pictures of paymails, fetched so that no wallet contacts a stranger's host itself. Cached in the database, where any
 * row may be deleted at any time.
 */
import { desc, eq, inArray, lte } from 'drizzle-orm';
import type { Network } from '../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { writePaymail, type Paymail } from '../../protocol/http/paymail.ts';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { avatars } from '../database/schema.ts';
import { findByHandle } from '../identity/accounts.ts';
import { findPicture } from '../identity/picture.ts';
import type { PaymailHostRules } from '../outbound-requests/paymail-host.ts';
import { fetchPicture, namedPicture, type Avatar } from './fetch.ts';

/** Time limit for all requests for one picture: host, profile and picture (milliseconds). */
const TIMEOUT_MS = 8_000;
/** Cache lifetimes (milliseconds) of a picture and of a missing picture. */
const FRESH_MS = 24 * 3_600_000;
const NONE_FRESH_MS = 3_600_000;
/** Maximum number of rows in the cache, of 200 kB at most. */
const MOST_CACHED = 1_000;
/** Maximum number of concurrent requests of one instance to strangers' hosts. Further ones are rejected, not queued. */
const MAX_PARALLEL = 64;
/** The same for one user, so that hosts that hang delay only the user who names them. */
const MAX_PARALLEL_OF_USER = 4;

export interface AvatarContext extends PaymailHostRules {
  db: Database;
  addresses: Pick<Addresses, 'paymailDomain'>;
  now: () => Date;
  /** Tests set a smaller limit. */
  mostCached?: number;
  network: Network;
}

/**
 * Finds a paymail's picture for a user; null if there is none. The requester learns nothing about hosts.
 * @throws ServiceError `service-unavailable` if too many are requested, by this user or by all
 */
export type FindAvatar = (paymail: Paymail, userId: number) => Promise<Avatar | null>;

/**
 * Serves pictures of this service's users from its database. Others come from the URLs that their hosts name, or the
 * cache.
 */
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
    // When a user of this service changes their picture, the new key takes effect immediately.
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

/** @param named the picture's URL, if this service knows it */
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
    // A host that is unreachable or not permitted counts as having no picture for a while.
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
    // Another instance may be deleting the same rows.
    .for('update', { skipLocked: true });
  await db.delete(avatars).where(inArray(avatars.paymail, excess));
  return found;
}

export async function deleteOldAvatars(db: Database, now: Date): Promise<void> {
  await db.delete(avatars).where(lte(avatars.fetchedAt, new Date(now.getTime() - FRESH_MS)));
}
