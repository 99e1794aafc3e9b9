/** A payment's worth when it was reported, by this service's rate, and whether the sender's amount matches it. Pure. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { decimalText, fromSatoshis, satoshisToBsv, toSatoshis } from '../../protocol/money/money.ts';

/** Tolerance between the stated amount and what moved, in hundredths, as two sources' rates differ. */
const TOLERANCE = 10n;

/** A payment's currency, and the price of one BSV in it as decimal text; null if unknown. */
export interface Valued {
  currency: string;
  currencyRate: string | null;
}

interface Claim {
  amount: string;
  satoshis: bigint;
}

/** The worth of satoshis in the payment's own currency, as decimal text; null if the rate was unknown. */
export function worthOf(satoshis: bigint, { currency, currencyRate }: Valued): string | null {
  if (currency === 'BSV') return satoshisToBsv(satoshis);
  return currencyRate === null ? null : atRate(satoshis, currencyRate);
}

/** The worth of satoshis as pages show it: in the payment's own currency, else in dollars, else in BSV. */
export function shownWorthOf(
  satoshis: bigint,
  { usdRate, ...payment }: Valued & { usdRate: string | null },
): { amount: string; currency: string } {
  const worth = worthOf(satoshis, payment);
  if (worth !== null) return { amount: worth, currency: payment.currency };
  return usdRate === null
    ? { amount: satoshisToBsv(satoshis), currency: 'BSV' }
    : { amount: atRate(satoshis, usdRate), currency: 'USD' };
}

/** Converts at a rate, to decimal text with two to eight fraction digits, since fees are far below a cent. */
export function atRate(satoshis: bigint, rate: string): string {
  return fromSatoshis(satoshis, rate, 8).replace(/0{1,6}$/, '');
}

/** Rounds half up to two fraction digits unless that leaves only zeros. @param amount decimal text */
export function rounded(amount: string): string {
  const [whole, part = ''] = amount.split('.');
  const up = Number(part[2] ?? 0) >= 5 ? 1n : 0n;
  const short = decimalText(BigInt(`${whole}${part.slice(0, 2).padEnd(2, '0')}`) + up, 2);
  return /^[0.]+$/.test(short) ? amount : short;
}

/** True if the sender's amount differs from the moved amount by more than a tenth. Null if the rate was unknown. */
export function deviates({ amount, satoshis }: Claim, { currency, currencyRate }: Valued): boolean | null {
  const rate = currency === 'BSV' ? '1' : currencyRate;
  if (rate === null) return null;
  const expected = boughtBy(amount, rate);
  if (expected === null) return true;
  const difference = expected > satoshis ? expected - satoshis : satoshis - expected;
  return difference > 1n && difference * 100n > satoshis * TOLERANCE;
}

/** True if {@link deviates} is true for any output. Assets paid in addition to money have no rate. */
export function amountDeviates({
  payment,
  outputs,
}: {
  payment: Valued & Claim;
  outputs: readonly (Claim & Pick<Valued, 'currency'>)[];
}): boolean | null {
  const inMoney = outputs.filter(({ currency }) => currency === payment.currency);
  const all = [payment, ...inMoney].map((claim) => deviates(claim, payment));
  return all.includes(true) ? true : all.includes(null) ? null : false;
}

/** The satoshis that an amount buys, 0 if less than one; null for more than exist. */
function boughtBy(amount: string, rate: string): bigint | null {
  if (/^[0.]*$/.test(amount)) return 0n;
  try {
    return toSatoshis(amount, rate);
  } catch (error) {
    return error instanceof ServiceError && error.code === 'amount-too-small' ? 0n : null;
  }
}
