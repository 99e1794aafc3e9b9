/**
 * Follows assets' mint transactions until the network mines or rejects them. Concurrent instances share the work as in
 * {@link followDue}.
 */
import { and, asc, eq, inArray, lte, notInArray } from 'drizzle-orm';
import { assets } from '../database/schema.ts';
import { processDue, type DueWork } from '../due-work.ts';
import { describeError } from '../http/errors.ts';
import { finalStatus, standingOf } from '../payments/acceptance.ts';
import { GIVE_UP_MS, nextDelayMs, type FollowContext } from './follow.ts';

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

interface DueMint {
  id: string;
  tokenId: string | null;
  checks: number;
  updatedAt: Date;
}

function claim({ db, now, maxDelayMs }: MintContext, most: number, inProgress: readonly string[]): Promise<DueMint[]> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: assets.id, tokenId: assets.tokenId, checks: assets.checks, updatedAt: assets.updatedAt })
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
 * Checks a mint. A rejection unbinds the token from its asset: immediately if two operators (or the only one) reject
 * it, after three days if one of several does and none accepts it.
 * @returns false if the operators failed, or none has the transaction and one is unreachable
 */
async function check({ db, arc, now, log }: MintContext, { id, tokenId, updatedAt }: DueMint): Promise<boolean> {
  if (tokenId === null) return true;
  const txid = tokenId.slice(0, 64);
  try {
    const known = await arc.transaction(txid);
    const minted = finalStatus(known)?.status === 'COMPLETED';
    if (!minted) {
      if (standingOf(known) === 'seen') return true;
      const opinion = await arc.secondOpinion(known, null, txid);
      const isGivenUp = opinion === 'contested' && now().getTime() - updatedAt.getTime() >= GIVE_UP_MS;
      if (opinion !== 'rejected' && !isGivenUp) return opinion !== null;
    }
    await db
      .update(assets)
      .set({
        state: minted ? 'minted' : 'pending',
        ...(!minted && { tokenId: null }),
        nextCheckAt: null,
        updatedAt: now(),
      })
      // Skipped if the asset has changed since the query.
      .where(and(eq(assets.id, id), eq(assets.tokenId, tokenId), eq(assets.state, 'minting')));
    log.info({ asset: id, tokenId, state: minted ? 'minted' : 'rejected' }, 'asset settled');
    return true;
  } catch (error) {
    log.warn({ asset: id, tokenId, error: describeError(error) }, 'asset could not be followed, will try again');
    return false;
  }
}
