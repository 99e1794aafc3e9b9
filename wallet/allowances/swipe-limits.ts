/** The user's daily limits for trusted swipes on all sites, stored as the allowance with the key `ANY_SITE`. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { AllowanceTerms, SwipeLimitsView } from '../../protocol/messages/wallet-messages.ts';
import { inTransaction } from '../store/database.ts';
import { announceChange } from '../events.ts';
import { randomId } from '../prompts/store.ts';
import { vaultStatus } from '../vault/vault.ts';
import { at, newAllowance, withTerms, type Allowance, type Terms } from './allowance.ts';
import { ANY_SITE, unitsForSatoshis } from './decide.ts';
import { checkedTerms, viewOf } from './allowance-store.ts';
import { readAllowance, getAllowance, putAllowance } from './records.ts';
import type { Wallet } from '../platform.ts';

/** Limits per day and per swipe. See `AllowanceTerms`. */
export type SwipeLimits = Omit<AllowanceTerms, 'period' | 'perPayment'> & { perPayment: string };

/** Returns the limits for display in windows. `allowance` is null until trusted swipes are switched on. */
export async function readSwipeLimits(wallet: Wallet): Promise<SwipeLimitsView> {
  const stored = await readAllowance(wallet, ANY_SITE);
  return { on: stored !== null && stored.isOff !== true, allowance: stored && viewOf(wallet, stored) };
}

/**
 * Switches trusted swipes on, or changes their limits. Today's spending is preserved, even if the currency changes, so
 * a change doesn't reset the limit. Requires an unlocked wallet, because the limits may increase.
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

/** Converts the spent amount to a different currency. A new token prevents refunds in the old currency. */
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

/** Switches trusted swipes off. Approved payments that haven't been signed yet can no longer use the allowance. */
export async function switchSwipesOff(wallet: Wallet): Promise<void> {
  await inTransaction(wallet, async (tx) => {
    const stored = await getAllowance(tx, ANY_SITE);
    if (stored) await putAllowance(tx, { ...stored, isOff: true });
  });
  announceChange(wallet);
}
