/**
 * Follows the tokens of assets until the network mines or rejects them, as {@link followDue} does payments: any number of
 * instances at once, each of which claims what is due by postponing its next check.
 */
import { and, asc, eq, inArray, lte } from 'drizzle-orm';
import { assets } from '../database/schema.ts';
import { describeError } from '../http/errors.ts';
import { finalStatus } from '../payments/acceptance.ts';
import { nextDelayMs, type FollowContext } from './follow.ts';

const BATCH = 20;

type MintContext = Omit<FollowContext, 'callback'>;

/** Looks at the tokens that are due, once. Gives how many it looked at. */
export async function followMints(context: MintContext): Promise<number> {
  const due = await claim(context);
  await Promise.all(due.map((one) => check(context, one)));
  return due.length;
}

interface DueMint {
  id: string;
  tokenId: string | null;
  checks: number;
}

function claim({ db, now, maxDelayMs }: MintContext): Promise<DueMint[]> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: assets.id, tokenId: assets.tokenId, checks: assets.checks })
      .from(assets)
      .where(lte(assets.nextCheckAt, now()))
      .orderBy(asc(assets.nextCheckAt))
      .limit(BATCH)
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

/** What was rejected makes room for another token. */
async function check({ db, arc, now, log }: MintContext, { id, tokenId }: DueMint): Promise<void> {
  if (tokenId === null) return;
  try {
    const final = finalStatus(await arc.transaction(tokenId.slice(0, 64)));
    if (!final) return;
    const minted = final.status === 'COMPLETED';
    await db
      .update(assets)
      .set({
        state: minted ? 'minted' : 'pending',
        ...(!minted && { tokenId: null }),
        nextCheckAt: null,
        updatedAt: now(),
      })
      // As it was when the network was asked.
      .where(and(eq(assets.id, id), eq(assets.tokenId, tokenId), eq(assets.state, 'minting')));
    log.info({ asset: id, tokenId, state: minted ? 'minted' : 'rejected' }, 'asset settled');
  } catch (error) {
    log.warn({ asset: id, tokenId, error: describeError(error) }, 'asset could not be followed, will try again');
  }
}
