/** An allowance's spending by period, robust against a wrong clock. */

/** The cost of a payment with its fee: in units of the allowance's currency, and the satoshis that leave the wallet. */
export interface Cost {
  units: bigint;
  satoshis: bigint;
}

export interface Spending {
  periodStart: number;
  /** End of the period, as announced to the user, even if the time zone changes. */
  resetsAt: number;
  /** Spent since `periodStart`, in units of the allowance's currency. */
  spent: bigint;
  spentSatoshis: bigint;
}

/** The current period's spending, and that of others. */
export type AllSpending = Spending & { otherPeriods?: readonly Spending[] };

/** Number of other periods that an allowance remembers. */
const MAX_OTHER_PERIODS = 12;

/** True if a moment is in a period. */
export const isWithin = ({ periodStart, resetsAt }: Spending, now: number): boolean =>
  now >= periodStart && now < resetsAt;

/**
 * The spending after time has passed or the clock was changed. A known period continues, so that a clock that was wrong
 * for a while doesn't renew its limit.
 * @param next the period of `now`, if it isn't known
 */
export function movedTo(from: AllSpending, next: { start: number; end: number }, now: number): AllSpending {
  const { periodStart, resetsAt, spent, spentSatoshis, otherPeriods = [] } = from;
  const periods = [{ periodStart, resetsAt, spent, spentSatoshis }, ...otherPeriods];
  const known = periods.find((one) => isWithin(one, now));
  const current = known ?? { periodStart: next.start, resetsAt: next.end, spent: 0n, spentSatoshis: 0n };
  // If the clock was set back, the spending since then belongs here. Later periods were counted when they were left.
  const since = periods.filter((one) => one.periodStart > current.periodStart && one.periodStart <= periodStart);
  return {
    ...current,
    spent: since.reduce((sum, one) => sum + one.spent, current.spent),
    spentSatoshis: since.reduce((sum, one) => sum + one.spentSatoshis, current.spentSatoshis),
    otherPeriods: periods
      .filter((one) => one !== known)
      .toSorted((a, b) => b.periodStart - a.periodStart)
      .slice(0, MAX_OTHER_PERIODS),
  };
}

/** Changes the spending of the period that begins at a time, if that is known. */
export function changed<A extends AllSpending>(
  all: A,
  periodStart: number,
  { units, satoshis }: Cost,
  by: (amount: bigint, cost: bigint) => bigint,
): A {
  const change = <S extends Spending>(one: S): S =>
    one.periodStart === periodStart
      ? { ...one, spent: by(one.spent, units), spentSatoshis: by(one.spentSatoshis, satoshis) }
      : one;
  const { otherPeriods } = all;
  return { ...change(all), ...(otherPeriods && { otherPeriods: otherPeriods.map(change) }) };
}
