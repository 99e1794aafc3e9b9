/**
 * Paymails' avatars, fetched by the service so that wallets don't contact strangers' hosts. Avatars are cached in the
 * database, and cache rows can be deleted at any time.
 */
import { desc, eq, gte, inArray, lte, or } from 'drizzle-orm';
import type { Network } from '../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { writePaymail, type Paymail } from '../../protocol/http/paymail.ts';
import { isSameDomain } from '../../protocol/text/paymail-domain.ts';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { avatars } from '../database/schema.ts';
import { findByHandle } from '../identity/accounts.ts';
import { findPicture } from '../identity/picture.ts';
import type { PaymailHostRules } from '../outbound-requests/paymail-host.ts';
import { fetchPicture, namedPicture, type Avatar } from './fetch.ts';

/** Total time limit for the requests that fetch one picture: host, profile and picture (ms). */
const TIMEOUT_MS = 8_000;
/** Cache lifetime of a picture (ms). */
const FRESH_MS = 24 * 3_600_000;
/** Cache lifetime of a missing picture (ms). */
const NONE_FRESH_MS = 3_600_000;
/** Max cached pictures, each at most 200 kB. */
const MAX_CACHED_AVATARS = 1_000;
/** Max concurrent requests to strangers' hosts per instance. Excess requests are rejected, not queued. */
const MAX_PARALLEL = 64;
/** Max concurrent requests per user, so unresponsive hosts delay only the user who requested them. */
const MAX_PARALLEL_OF_USER = 4;

export interface AvatarContext extends PaymailHostRules {
  db: Database;
  addresses: Pick<Addresses, 'paymailDomain'>;
  now: () => Date;
  /** Max cached pictures. Tests set a smaller limit. */
  mostCached?: number;
  network: Network;
}

/**
 * Returns a paymail's picture, or null if there is none. Doesn't reveal errors from the paymail's host.
 * @throws ServiceError `service-unavailable` if too many requests are in progress, for this user or in total
 */
export type FindAvatar = (paymail: Paymail, userId: number) => Promise<Avatar | null>;

/**
 * Serves local users' pictures from the database, and other pictures from the cache or from the URLs that the paymails'
 * hosts provide.
 */
export function createAvatars(context: AvatarContext): FindAvatar {
  const { db, addresses, now } = context;
  const under = new Map<string, { userId: number; fetched: Promise<Avatar | null> }>();
  const isBusy = (userId: number) =>
    under.size >= MAX_PARALLEL ||
    [...under.values()].filter((one) => one.userId === userId).length >= MAX_PARALLEL_OF_USER;

  return async (paymail, userId) => {
    let named: string | null = null;
    if (isSameDomain(paymail.domain, addresses.paymailDomain)) {
      const user = await findByHandle(db, paymail.alias);
      if (user?.picture) return findPicture(db, String(user.id), user.picture);
      named = user?.avatarUrl ?? null;
      if (named === null) return null;
    }
    // The URL is part of the cache key, so a local user's new picture takes effect immediately.
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

/** Fetches a picture and caches the result. @param named the picture's URL, if this service has it */
async function fetchAndStore(
  { db, now, mostCached = MAX_CACHED_AVATARS, ...rules }: AvatarContext,
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
    // An unreachable or forbidden host is cached like a missing picture.
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
    // Skips rows that another instance is deleting.
    .for('update', { skipLocked: true });
  await db.delete(avatars).where(inArray(avatars.paymail, excess));
  return found;
}

/** Also deletes pictures stored while a clock was ahead, which would displace current ones. */
export async function deleteOldAvatars(db: Database, now: Date): Promise<void> {
  const { fetchedAt } = avatars;
  const [oldest, latest] = [-FRESH_MS, FRESH_MS].map((ms) => new Date(now.getTime() + ms)) as [Date, Date];
  await db.delete(avatars).where(or(lte(fetchedAt, oldest), gte(fetchedAt, latest)));
}
