/** Decides whether a payment is made from an allowance or the user is asked. Pure. */
import type { Rate } from '../../protocol/messages/wallet-messages.ts';
import { at, leftOf, type Allowance, type AllowanceKind } from './allowance.ts';
import type { Cost } from './spending.ts';
import { isTooFast, isTooOften } from './any-site.ts';
import { ceilingLeft, hasMoved } from './ceiling.ts';
import { unitsForSatoshis } from './units.ts';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';

/** Why the user is asked although an allowance may exist. */
export type PromptReason =
  | 'none'
  | 'no-userActivation'
  | 'locked'
  | 'cost-unknown'
  | 'rate-moved'
  | 'too-much-at-once'
  | 'used-up'
  | 'above-ceiling'
  | 'too-often';

/** The decision. `left` is the rest of the period, in units; `debit` is this payment's cost. */
export type Decision =
  | { kind: 'pay'; debit: Cost; left: bigint }
  | { kind: 'prompt'; reason: PromptReason; left: bigint };

export interface PaymentCase {
  allowance: Allowance | null;
  /** The payment's cost with its fee; null if unknown. */
  cost: (Cost & { rate: Pick<Rate, 'price' | 'dollar'> }) | null;
  /** Milliseconds since 1970. */
  now: number;
  userActivation: UserActivation;
  /** Kind of the payment: `any-site` for a trusted swipe, `automatic` if the page pays without a user gesture. */
  kind: AllowanceKind;
  site: string;
  locked: boolean;
}

/** A payment's cost at the rate of an allowance's currency. @param satoshis that leave the wallet, fee included */
export function costAt(satoshis: bigint, rate: Pick<Rate, 'price' | 'dollar'>): PaymentCase['cost'] {
  return { satoshis, units: unitsForSatoshis(satoshis, rate.price), rate };
}

/** Decides whether a payment is made without a prompt. */
export function decide({ allowance, cost, now, userActivation, kind, site, locked }: PaymentCase): Decision {
  if (allowance === null || allowance.kind !== kind || allowance.isOff)
    return { kind: 'prompt', reason: 'none', left: 0n };
  const current = at(allowance, now);
  const left = leftOf(current);
  const prompt = (reason: PromptReason): Decision => ({ kind: 'prompt', reason, left });
  // A site's own pages may be framed invisibly by anyone who wants its allowance spent.
  if (userActivation === 'embedded' || (kind !== 'automatic' && userActivation !== 'new'))
    return prompt('no-userActivation');
  if (locked) return prompt('locked');
  if (cost === null || cost.units <= 0n) return prompt('cost-unknown');
  const { units, satoshis, rate } = cost;
  if (hasMoved(current, rate)) return prompt('rate-moved');
  if (current.perPayment !== null && units > current.perPayment) return prompt('too-much-at-once');
  if (units > left) return prompt('used-up');
  const [most, atOnce] = [ceilingLeft(current), current.ceiling?.perPayment ?? null];
  if ((most !== null && satoshis > most) || (atOnce !== null && satoshis > atOnce)) return prompt('above-ceiling');
  if (isTooOften(current, site, now) || isTooFast(current, units, now)) return prompt('too-often');
  return { kind: 'pay', debit: { units, satoshis }, left };
}
