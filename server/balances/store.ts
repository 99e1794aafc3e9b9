/** Balances as wallets published them. */
import { and, eq, exists, lt, not, sql } from 'drizzle-orm';
import { ServiceError } from '../../protocol/errors.ts';
import type { Database } from '../database/connect.ts';
import { balances, consents } from '../database/schema.ts';

/** What a wallet published. */
export type Balance = typeof balances.$inferSelect;

const SCOPE = 'users.balance:read';

/** True while the user allows some application to read the balance. */
export async function isBalanceWanted(db: Database, userId: number): Promise<boolean> {
  const found = await db
    .select({ one: sql`1` })
    .from(consents)
    .where(and(eq(consents.userId, userId), eq(consents.scope, SCOPE)))
    .limit(1);
  return found.length > 0;
}

/** Stores a published balance, unless a later one is stored already. */
export async function storeBalance(db: Database, balance: Balance): Promise<void> {
  const { userId, ...rest } = balance;
  await db
    .insert(balances)
    .values(balance)
    .onConflictDoUpdate({
      target: balances.userId,
      set: rest,
      setWhere: lt(balances.publishedAt, balance.publishedAt),
    });
}

/**
 * What was last published.
 * @throws ServiceError `not-found`
 */
export async function readBalance(db: Database, userId: number): Promise<Balance> {
  const [found] = await db.select().from(balances).where(eq(balances.userId, userId));
  if (!found) throw new ServiceError('not-found', { message: 'The wallet has published no balance yet.' });
  return found;
}

/** Forgets balances that nobody may read any more. */
export async function deleteUnwantedBalances(db: Database): Promise<void> {
  const wanted = db
    .select({ one: sql`1` })
    .from(consents)
    .where(and(eq(consents.userId, balances.userId), eq(consents.scope, SCOPE)));
  await db.delete(balances).where(not(exists(wanted)));
}
