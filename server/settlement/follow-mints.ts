/**
 * Follows assets' mint transactions until the network mines or rejects them. Concurrent instances share the work as in
 * {@link followDue}.
 */
import { and, asc, eq, inArray, isNull, lte, notInArray } from 'drizzle-orm';
import { assets } from '../database/schema.ts';
import { processDue, type DueWork } from '../due-work.ts';
import { describeError } from '../http/errors.ts';
import { finalStatus, standingOf } from '../payments/acceptance.ts';
import { GIVE_UP_MS, nextDelayMs, type FollowContext } from './follow.ts';
import { notAfter } from './payment-status.ts';

const MAX_PARALLEL_CHECKS = 20;

type MintContext = Omit<FollowContext, 'callback' | 'source'>;

export function mintWork(context: MintContext): DueWork<DueMint> {
  return {
    slots: MAX_PARALLEL_CHECKS,
    claim: (most, inProgress) => claim(context, most, inProgress),
    process: (mint) => check(context, mint),
  };
}

/** Checks one batch of due mints. @returns the number of mints */
export const followMints = (context: MintContext): Promise<number> => processDue(mintWork(context));

type DueMint = Pick<typeof assets.$inferSelect, 'id' | 'tokenId' | 'checks' | 'unseenSince'>;

function claim({ db, now, maxDelayMs }: MintContext, most: number, inProgress: readonly string[]): Promise<DueMint[]> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: assets.id, tokenId: assets.tokenId, checks: assets.checks, unseenSince: assets.unseenSince })
      .from(assets)
      .where(and(lte(assets.nextCheckAt, now()), notInArray(assets.id, [...inProgress])))
      .orderBy(asc(assets.nextCheckAt))
      .limit(most)
      .for('update', { skipLocked: true });
    for (const checks of new Set(due.map((one) => one.checks))) {
      const group = due.filter((one) => one.checks === checks).map(({ id }) => id);
      await tx
        .update(assets)
        .set({ checks: checks + 1, nextCheckAt: new Date(now().getTime() + nextDelayMs(checks, maxDelayMs)) })
        .where(inArray(assets.id, group));
    }
    return due;
  });
}

/**
 * Checks a mint. The token is unbound from its asset if two operators (or the only one) reject the mint, or if no
 * operator has accepted it for three days.
 * @returns false if the operators failed, or none has the transaction and one is unreachable
 */
async function check({ db, arc, now, log }: MintContext, mint: DueMint): Promise<boolean> {
  const { id, tokenId, checks, unseenSince } = mint;
  if (tokenId === null) return true;
  const txid = tokenId.slice(0, 64);
  // Skips assets that have changed since the query.
  const isSame = and(eq(assets.id, id), eq(assets.tokenId, tokenId), eq(assets.state, 'minting'));
  try {
    const known = await arc.transaction(txid);
    const minted = finalStatus(known)?.status === 'COMPLETED';
    const opinion = standingOf(known) === 'seen' ? 'seen' : await arc.secondOpinion(null, txid);
    const isUnseen = opinion !== 'seen' && opinion !== 'rejected';
    const isGivenUp = isUnseen && unseenSince !== null && now().getTime() - unseenSince.getTime() >= GIVE_UP_MS;
    if (!minted && opinion !== 'rejected' && !isGivenUp) {
      const since = isUnseen ? notAfter(now(), unseenSince) : null;
      if (since !== unseenSince) await db.update(assets).set({ unseenSince: since }).where(isSame);
      return opinion !== null;
    }
    // Another check might have found in the meantime that the network has the mint.
    const isLatest = and(
      eq(assets.checks, checks + 1),
      unseenSince ? eq(assets.unseenSince, unseenSince) : isNull(assets.unseenSince),
    );
    const settled = await db
      .update(assets)
      .set({
        state: minted ? 'minted' : 'pending',
        ...(!minted && { tokenId: null }),
        nextCheckAt: null,
        unseenSince: null,
        updatedAt: now(),
      })
      .where(and(isSame, minted ? undefined : isLatest))
      .returning({ id: assets.id });
    const outcome = minted ? 'minted' : isGivenUp ? 'given up' : 'rejected';
    if (settled.length > 0) log.info({ asset: id, tokenId, state: outcome }, 'asset settled');
    return opinion !== null;
  } catch (error) {
    log.warn({ asset: id, tokenId, error: describeError(error) }, 'asset could not be followed, will try again');
    return false;
  }
}
