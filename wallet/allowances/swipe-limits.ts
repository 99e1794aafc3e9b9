/** The user's limits for trusted swipes on all sites, stored as the allowance of `ANY_SITE`, per day. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { AllowanceTerms, SwipeLimitsView } from '../../protocol/messages/wallet-messages.ts';
import { inTransaction } from '../store/database.ts';
import { announceChange } from '../events.ts';
import { randomId } from '../prompts/store.ts';
import { vaultStatus } from '../vault/vault.ts';
import { at, newAllowance, withTerms, type Allowance, type Terms } from './allowance.ts';
import { ANY_SITE, unitsForSatoshis } from './decide.ts';
import { checkedTerms, viewOf } from './store.ts';
import { readAllowance, getAllowance, putAllowance } from './records.ts';
import type { Wallet } from '../platform.ts';

/** Maximum for one day, and for one swipe; see AllowanceTerms. */
export type SwipeLimits = Omit<AllowanceTerms, 'period' | 'perPayment'> & { perPayment: string };

/** As the windows show them; `allowance` is null until they are first switched on. */
export async function readSwipeLimits(wallet: Wallet): Promise<SwipeLimitsView> {
  const stored = await readAllowance(wallet, ANY_SITE);
  return { on: stored !== null && stored.isOff !== true, allowance: stored && viewOf(wallet, stored) };
}

/**
 * Switches trusted swipes on, or changes their limits. Today's spending is kept in any currency, so that changing them
 * doesn't renew the limit. The wallet must be unlocked, because the limits may rise.
 * @throws ServiceError `wallet-locked`, `invalid-amount`, `invalid-currency`, `rate-unavailable`
 */
export async function setSwipeLimits(wallet: Wallet, limits: SwipeLimits): Promise<void> {
  if ((await vaultStatus(wallet)).locked) throw new ServiceError('wallet-locked');
  const terms = await checkedTerms(wallet, { ...limits, period: 'day' });
  const now = wallet.now();
  await inTransaction(wallet, async (tx) => {
    const stored = await getAllowance(tx, ANY_SITE);
    const before = stored ? at(stored, now) : newAllowance(ANY_SITE, terms, randomId(wallet), now);
    const counted = before.currency === terms.currency ? before : recounted(wallet, before, terms);
    await putAllowance(tx, { ...withTerms(counted, terms, now), isOff: false });
  });
  announceChange(wallet);
}

/** Converts the spent amount into another currency. A new token prevents refunds of debits in the old one. */
function recounted(wallet: Wallet, allowance: Allowance, { currency, ceiling }: Terms): Allowance {
  const unitsOf = (satoshis: bigint) => unitsForSatoshis(satoshis, ceiling?.price ?? '1');
  const spent = unitsOf(allowance.spentSatoshis);
  const latest = allowance.latest?.map(({ cost, ...use }) => ({
    ...use,
    ...(cost && { cost: { ...cost, units: unitsOf(cost.satoshis) } }),
  }));
  const otherPeriods = allowance.otherPeriods?.map((one) => ({ ...one, spent: unitsOf(one.spentSatoshis) }));
  return {
    ...allowance,
    id: randomId(wallet),
    currency,
    spent,
    totalSpent: spent,
    ...(latest && { latest }),
    ...(otherPeriods && { otherPeriods }),
  };
}

/** Switches trusted swipes off. Approved payments that aren't signed yet can no longer use them. */
export async function switchSwipesOff(wallet: Wallet): Promise<void> {
  await inTransaction(wallet, async (tx) => {
    const stored = await getAllowance(tx, ANY_SITE);
    if (stored) await putAllowance(tx, { ...stored, isOff: true });
  });
  announceChange(wallet);
}
