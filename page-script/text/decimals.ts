/** Calculates exactly with decimal strings. */

const SCALE = 18;
/** A decimal number in units of 10^-18. No amount or rate has more digits. */
export type Fixed = bigint;

export function fixed(text: string): Fixed {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
}

export function decimalText(value: Fixed): string {
  return `${value}`
    .padStart(SCALE + 1, '0')
    .replace(/(?=.{18}$)/, '.')
    .replace(/\.?0+$/, '');
}

export function sum(amounts: readonly string[]): string {
  return amounts.length === 1 ? amounts[0]! : decimalText(amounts.reduce((total, amount) => total + fixed(amount), 0n));
}
