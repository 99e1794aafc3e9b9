/** A page's limits for an amount that its visitor chooses. Has no imports, to keep the button's form small. */

/** Limits as decimal strings in the output's currency. At least one is set. */
export interface Choice {
  min?: string | undefined;
  max?: string | undefined;
}

/** Compares decimal strings. Negative if `a` is less than `b`, 0 if they are equal. */
export function compareDecimals(a: string, b: string): number {
  const [whole, other] = [a, b].map((text) => text.split('.'));
  const scale = Math.max(whole![1]?.length ?? 0, other![1]?.length ?? 0);
  const units = ([digits = '', fraction = '']: string[]) => BigInt(digits + fraction.padEnd(scale, '0'));
  const difference = units(whole!) - units(other!);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** True if an amount is within the limits, which are inclusive. */
export function isWithin(amount: string, { min, max }: Choice): boolean {
  return (
    (min === undefined || compareDecimals(amount, min) >= 0) && (max === undefined || compareDecimals(amount, max) <= 0)
  );
}
