/** Assets in the database. Lookups by owner never return other users' assets. */
import { randomUUID } from 'node:crypto';
import { and, count, desc, eq, inArray, or, sql } from 'drizzle-orm';
import { MAX_ASSETS, type AssetState } from '../../protocol/assets/assets.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Database } from '../database/connect.ts';
import { skeletonOf } from '../../protocol/text/confusables.ts';
import { isSameDomain } from '../../protocol/text/paymail-domain.ts';
import { assets, users } from '../database/schema.ts';
import { isHandleTaken, lockHandle } from '../identity/handles.ts';
import { isReserved } from '../identity/registration.ts';

export type StoredAsset = typeof assets.$inferSelect;
export type AssetDetails = Pick<
  StoredAsset,
  'name' | 'description' | 'avatar' | 'url' | 'supply' | 'decimals' | 'paymailAlias'
>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Shown next to the form's alias field. */
export const ALIAS_TAKEN = 'This alias, or one that looks like it, is already taken.';
/** First key of the advisory locks on tokens: ASCII `tokn`. */
const TOKEN_LOCKS = 0x746f_6b6e;
const owned = (ownerId: number, id: string) => and(eq(assets.id, id), eq(assets.ownerId, ownerId));

/**
 * Creates an asset. Locks the alias and the owner's row against concurrent calls.
 * @throws ServiceError `handle-taken` (or reserved), `too-many-assets`
 */
export function createAsset(db: Database, ownerId: number, details: AssetDetails, now: Date): Promise<StoredAsset> {
  return db.transaction(async (tx) => {
    await lockHandle(tx, details.paymailAlias);
    await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update');
    if ((await countAssets(tx, ownerId)) >= MAX_ASSETS) throw new ServiceError('too-many-assets');
    if (isReserved(details.paymailAlias) || (await isHandleTaken(tx, details.paymailAlias)))
      throw new ServiceError('handle-taken', { message: ALIAS_TAKEN });
    const [made] = await tx
      .insert(assets)
      .values({ ...details, id: randomUUID(), ownerId, state: 'pending', createdAt: now, updatedAt: now })
      .returning();
    return made as StoredAsset;
  });
}

export async function countAssets(db: Database, ownerId: number): Promise<number> {
  const [held] = await db.select({ number: count() }).from(assets).where(eq(assets.ownerId, ownerId));
  return Number(held?.number);
}

/** Returns a page of a user's own assets, newest first, after a cursor or an offset, and whether more exist. */
export async function listAssets(
  db: Database,
  ownerId: number,
  { limit, offset = 0, after }: { limit: number; offset?: number; after?: { createdAt: Date; id: string } | undefined },
): Promise<{ assets: StoredAsset[]; more: boolean }> {
  const behind =
    after &&
    sql`(${assets.createdAt}, ${assets.id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
  const found = await db
    .select()
    .from(assets)
    .where(and(eq(assets.ownerId, ownerId), behind))
    .orderBy(desc(assets.createdAt), desc(assets.id))
    .offset(offset)
    .limit(limit + 1);
  return { assets: found.slice(0, limit), more: found.length > limit };
}

/** Returns a user's own asset. @throws ServiceError `not-found` */
export async function readAsset(db: Database, ownerId: number, id: string): Promise<StoredAsset> {
  const [found] = UUID.test(id) ? await db.select().from(assets).where(owned(ownerId, id)) : [];
  if (!found) throw new ServiceError('not-found');
  return found;
}

/** Changes the description of a user's own asset. @throws ServiceError `not-found` */
export async function changeAsset(
  db: Database,
  ownerId: number,
  id: string,
  changes: Partial<Pick<AssetDetails, 'name' | 'description' | 'avatar'>>,
  now: Date,
): Promise<StoredAsset> {
  const [changed] = UUID.test(id)
    ? await db
        .update(assets)
        .set({ ...changes, updatedAt: now })
        .where(owned(ownerId, id))
        .returning()
    : [];
  if (!changed) throw new ServiceError('not-found');
  return changed;
}

/** Deletes a user's own asset without a token. @throws ServiceError `not-found`, `asset-conflict` (has a token) */
export async function deleteAsset(db: Database, ownerId: number, id: string): Promise<void> {
  const deleted = UUID.test(id)
    ? await db
        .delete(assets)
        .where(and(owned(ownerId, id), eq(assets.state, 'pending')))
        .returning({ id: assets.id })
    : [];
  if (deleted.length > 0) return;
  await readAsset(db, ownerId, id);
  throw new ServiceError('asset-conflict', { message: 'A minted asset can’t be deleted.' });
}

/**
 * Finds an asset that has a token, or returns null.
 * @param name its ID, token ID or alias, with or without our domain
 */
export async function findAsset(db: Database, name: string, paymailDomain: string): Promise<StoredAsset | null> {
  const at = name.lastIndexOf('@');
  const isOwn = at >= 0 && isSameDomain(name.slice(at + 1), paymailDomain);
  const alias = isOwn ? name.slice(0, at) : name;
  // Keeps NUL and other invalid characters out of the query.
  const [found] = /^[a-z0-9._-]{1,80}$/.test(alias)
    ? await db
        .select()
        .from(assets)
        .where(
          and(
            or(
              and(eq(assets.aliasSkeleton, skeletonOf(alias)), eq(assets.paymailAlias, alias)),
              ...(isOwn ? [] : [eq(assets.tokenId, alias), ...(UUID.test(alias) ? [eq(assets.id, alias)] : [])]),
            ),
            sql`${assets.tokenId} is not null`,
          ),
        )
    : [];
  return found ?? null;
}

/** Returns the assets of these tokens, keyed by token ID. Tokens without an asset here are omitted. */
export async function assetsOfTokens(db: Database, tokenIds: readonly string[]): Promise<Map<string, StoredAsset>> {
  const found = tokenIds.length > 0 ? await db.select().from(assets).where(inArray(assets.tokenId, tokenIds)) : [];
  return new Map(found.map((one) => [one.tokenId as string, one]));
}

/**
 * Binds a user's own asset to its token. Idempotent.
 * @param token its ID, and `minted` if the mint is already confirmed
 * @throws ServiceError `asset-conflict` (asset or token already bound), `not-found`
 */
export function bindToken(
  db: Database,
  ownerId: number,
  id: string,
  token: { tokenId: string; state: Exclude<AssetState, 'pending'> },
  now: Date,
): Promise<StoredAsset> {
  const nextCheckAt = token.state === 'minted' ? null : now;
  return db.transaction(async (tx) => {
    // Serializes concurrent calls, which would otherwise fail with an unhandled unique violation.
    await tx.execute(sql`select pg_advisory_xact_lock(${TOKEN_LOCKS}::int, hashtext(${token.tokenId}))`);
    const [held] = await tx.select().from(assets).where(owned(ownerId, id)).for('no key update');
    if (!held) throw new ServiceError('not-found');
    if (held.tokenId === token.tokenId) return held;
    const others = await assetsOfTokens(tx, [token.tokenId]);
    if (held.tokenId !== null || others.size > 0) throw new ServiceError('asset-conflict');
    const [bound] = await tx
      .update(assets)
      .set({ ...token, nextCheckAt, checks: 0, unseenSince: null, updatedAt: now })
      .where(owned(ownerId, id))
      .returning();
    return bound as StoredAsset;
  });
}
