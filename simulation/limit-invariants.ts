/** Checks that payments without an approval stay within the user's limits. */
import { allowanceOf, type Deal } from './world/deals.ts';
import { mostOf } from './world/costs.ts';
import { Violation } from './violation.ts';
import type { OwnScripts } from './world/words-search.ts';
import type { World } from './world.ts';

/** Checks that the total of swiped payments is within the user's daily limits plus their sites' allowances. */
export function checkSwipeLimits(world: World, own: OwnScripts, name: string): void {
  const { deals, allowances, network, swipeLimit, days, browsers, periods } = world;
  const swiped = deals.filter((one) => one.isSwiped);
  const granted = [...new Set(swiped.map(allowanceOf))].reduce((sum, key) => sum + (allowances.get(key) ?? 0n), 0n);
  const limit = swipeLimit * BigInt(days * browsers) + granted * BigInt(periods);
  const txids = swiped.flatMap((one) => [...one.txids]);
  const spent = mostOf(network, txids, own);
  if (spent > limit) throw new Violation('the limit of swipes holds', `${name}: ${spent} of ${limit}`);
}

/**
 * Checks that payments without an approval are within their site's allowance. A block that excludes a payment refunds
 * it, so the payment is not counted after a reorganization has removed that block.
 */
export function checkAllowance(world: World, own: OwnScripts, deal: Deal, name: string): void {
  const { deals, allowances, network } = world;
  const given = allowances.get(allowanceOf(deal));
  if (given === undefined) throw new Violation('nothing without a yes', name);
  const limit = given * BigInt(world.periods);
  const txids = deals
    .filter((one) => one.yes === 'none' && allowanceOf(one) === allowanceOf(deal))
    .flatMap((one) => [...one.txids])
    .filter((txid) => !network.readmitted.has(txid));
  const spent = mostOf(network, txids, own);
  if (spent > limit) throw new Violation('limits hold', `${name}: ${spent} of ${limit}`);
}
