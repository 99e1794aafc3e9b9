/** The user's limits for trusted swipes on all sites, as stored: the allowance of any-site.ts, for each day. */
import { ServiceError } from '../../../protocol/errors.ts';
import type { AllowanceTerms, SwipeLimitsView } from '../../../protocol/wallet-messages.ts';
import { database } from '../database.ts';
import { announceChange } from '../events.ts';
import { randomId } from '../prompts/window.ts';
import { vaultStatus } from '../vault/vault.ts';
import { at, newAllowance, withTerms, type Allowance, type Terms } from './allowance.ts';
import { ANY_SITE } from './any-site.ts';
import { checkedTerms, readAllowance, viewOf } from './store.ts';
import { unitsForSatoshis } from './units.ts';

/** The most for one day, and for one swipe; see AllowanceTerms. */
export type SwipeLimits = Omit<AllowanceTerms, 'period' | 'perPayment'> & { perPayment: string };

/** As the windows show them; `allowance` is null until they are first switched on. */
export async function readSwipeLimits(): Promise<SwipeLimitsView> {
  const stored = await readAllowance(ANY_SITE);
  return { on: stored !== null && stored.isOff !== true, allowance: stored && viewOf(stored) };
}

/**
 * Switches trusted swipes on, or changes their limits. What was spent today counts on, in whatever currency, so that
 * nobody gets a second day's money by asking the user to change them. Only while the wallet is unlocked: it may be more
 * than before.
 * @throws ServiceError `wallet-locked`, `invalid-amount`, `invalid-currency`, `rate-unavailable`
 */
export async function setSwipeLimits(limits: SwipeLimits): Promise<void> {
  if ((await vaultStatus()).locked) throw new ServiceError('wallet-locked');
  const terms = await checkedTerms({ ...limits, period: 'day' });
  const now = Date.now();
  const tx = (await database()).transaction('allowances', 'readwrite');
  const stored = await tx.store.get(ANY_SITE);
  const before = stored ? at(stored, now) : newAllowance(ANY_SITE, terms, randomId(), now);
  const counted = before.currency === terms.currency ? before : recounted(before, terms);
  await tx.store.put({ ...withTerms(counted, terms, now), isOff: false });
  await tx.done;
  announceChange();
}

/**
 * What was spent, counted in another currency at its price of now. It has another token: what a payment took in the
 * old one is not given back in the new one.
 */
function recounted(allowance: Allowance, { currency, ceiling }: Terms): Allowance {
  const unitsOf = (satoshis: bigint) => unitsForSatoshis(satoshis, ceiling?.price ?? '1');
  const spent = unitsOf(allowance.spentSatoshis);
  const latest = allowance.latest?.map(({ cost, ...use }) => ({
    ...use,
    ...(cost && { cost: { ...cost, units: unitsOf(cost.satoshis) } }),
  }));
  return { ...allowance, id: randomId(), currency, spent, totalSpent: spent, ...(latest && { latest }) };
}

/** Switches trusted swipes off. What was approved and is not signed yet is not paid by them any more. */
export async function switchSwipesOff(): Promise<void> {
  const tx = (await database()).transaction('allowances', 'readwrite');
  const stored = await tx.store.get(ANY_SITE);
  if (stored) await tx.store.put({ ...stored, isOff: true });
  await tx.done;
  announceChange();
}
