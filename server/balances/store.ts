import { and, eq, exists, inArray, isNotNull, not, notBetween, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Database } from '../database/connect.ts';
import { balances, consents } from '../database/schema.ts';

export type Balance = typeof balances.$inferSelect;

const SCOPE = 'users.balance:read';
const ASSET_SCOPE = 'users.asset:read';

/** Returns whether any application may read the user's balance, and whether any may read the assets with it. */
export async function wantedBalance(db: Database, userId: number): Promise<{ wanted: boolean; assets: boolean }> {
  const found = await db
    .select({ scopes: sql<string[]>`array_agg(${consents.scope})` })
    .from(consents)
    .where(and(eq(consents.userId, userId), inArray(consents.scope, [SCOPE, ASSET_SCOPE])))
    .groupBy(consents.applicationId);
  const readers = found.filter(({ scopes }) => scopes.includes(SCOPE));
  return { wanted: readers.length > 0, assets: readers.some(({ scopes }) => scopes.includes(ASSET_SCOPE)) };
}

/** Maximum difference between the time of a published balance and the service's clock (ms). */
export const CLOCK_MS = 10 * 60_000;

/**
 * Stores a published balance unless a more recent one is already stored. A stored time that is too late for correct
 * clocks was published while the clocks were ahead, and is replaced.
 */
export async function storeBalance(db: Database, balance: Balance): Promise<void> {
  const { userId, ...rest } = balance;
  const { publishedAt } = balance;
  await db
    .insert(balances)
    .values(balance)
    .onConflictDoUpdate({
      target: balances.userId,
      set: rest,
      setWhere: notBetween(balances.publishedAt, publishedAt, new Date(publishedAt.getTime() + 2 * CLOCK_MS)),
    });
}

/** Returns the most recently published balance. @throws ServiceError `not-found` */
export async function readBalance(db: Database, userId: number): Promise<Balance> {
  const [found] = await db.select().from(balances).where(eq(balances.userId, userId));
  if (!found) throw new ServiceError('not-found', { message: 'The wallet has published no balance yet.' });
  return found;
}

/** Deletes the balances, and separately the asset holdings, that no application may read anymore. */
export async function deleteUnwantedBalances(db: Database): Promise<void> {
  const wanted = db
    .select({ one: sql`1` })
    .from(consents)
    .where(and(eq(consents.userId, balances.userId), eq(consents.scope, SCOPE)));
  await db.delete(balances).where(not(exists(wanted)));
  const other = alias(consents, 'other');
  const wantedAssets = db
    .select({ one: sql`1` })
    .from(consents)
    .innerJoin(other, and(eq(other.userId, consents.userId), eq(other.applicationId, consents.applicationId)))
    .where(and(eq(consents.userId, balances.userId), eq(consents.scope, SCOPE), eq(other.scope, ASSET_SCOPE)));
  await db
    .update(balances)
    .set({ assets: null, assetsSignature: null })
    .where(and(isNotNull(balances.assets), not(exists(wantedAssets))));
}
