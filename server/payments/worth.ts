/**
 * What a payment was worth when it was reported, by this service's own rate, and whether the sender's amount agrees.
 * What moved is what the verified transaction pays; amounts in money are the sender's statement. Pure.
 */
import { ServiceError } from '../../protocol/errors.ts';
import { decimalText, fromSatoshis, satoshisToBsv, toSatoshis } from '../../protocol/money.ts';

/**
 * Tolerance in hundredths between what moved and the stated amount: rates of two sources differ, and reports arrive
 * late.
 */
const TOLERANCE = 10n;

/**
 * What is looked at of a payment. The rate, decimal text, is what one BSV cost in the currency; null where that was not
 * known.
 */
export interface Valued {
  currency: string;
  currencyRate: string | null;
}

/** What a sender says, and what moved. */
interface Claim {
  amount: string;
  satoshis: bigint;
}

/** What satoshis were worth in the payment's own currency: decimal text; null where this service knew no rate. */
export function worthOf(satoshis: bigint, { currency, currencyRate }: Valued): string | null {
  if (currency === 'BSV') return satoshisToBsv(satoshis);
  return currencyRate === null ? null : atRate(satoshis, currencyRate);
}

/** What satoshis were worth as pages show it: in the payment's own currency, else in dollars, else in BSV. */
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

/** An amount at a rate: decimal text with two to eight digits behind the point, since fees are far below a cent. */
export function atRate(satoshis: bigint, rate: string): string {
  return fromSatoshis(satoshis, rate, 8).replace(/0{1,6}$/, '');
}

/** Two digits behind the point, half up, are enough, where they say something. @param amount decimal text */
export function rounded(amount: string): string {
  const [whole, part = ''] = amount.split('.');
  const up = Number(part[2] ?? 0) >= 5 ? 1n : 0n;
  const short = decimalText(BigInt(`${whole}${part.slice(0, 2).padEnd(2, '0')}`) + up, 2);
  return /^[0.]+$/.test(short) ? amount : short;
}

/**
 * Does an amount that the sender says differ from what moved by more than a tenth? Null where this service knew no
 * rate.
 */
export function deviates({ amount, satoshis }: Claim, { currency, currencyRate }: Valued): boolean | null {
  const rate = currency === 'BSV' ? '1' : currencyRate;
  if (rate === null) return null;
  const expected = boughtBy(amount, rate);
  if (expected === null) return true;
  const difference = expected > satoshis ? expected - satoshis : satoshis - expected;
  return difference > 1n && difference * 100n > satoshis * TOLERANCE;
}

/** {@link deviates} of a payment: one of its outputs is enough. What is paid of an asset beside money has no rate. */
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

/** What an amount buys, in satoshis, 0 if less than one; null for more than exists. */
function boughtBy(amount: string, rate: string): bigint | null {
  if (/^[0.]*$/.test(amount)) return 0n;
  try {
    return toSatoshis(amount, rate);
  } catch (error) {
    return error instanceof ServiceError && error.code === 'amount-too-small' ? 0n : null;
  }
}
