/** A payment's value at this service's rate when it was reported, compared with the sender's stated amount. Pure. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { decimalText, fromSatoshis, satoshisToBsv, toSatoshis } from '../../protocol/money/money.ts';

/** Allowed difference between the stated amount and the satoshis paid, in percent, because rates differ by source. */
const TOLERANCE = 10n;

/** A payment's currency, and the price of one BSV in it (decimal string); null if unknown. */
export interface Valued {
  currency: string;
  currencyRate: string | null;
}

interface Claim {
  amount: string;
  satoshis: bigint;
}

/** Converts satoshis to the payment's currency, as a decimal string; null if the rate is unknown. */
export function worthOf(satoshis: bigint, { currency, currencyRate }: Valued): string | null {
  if (currency === 'BSV') return satoshisToBsv(satoshis);
  return currencyRate === null ? null : atRate(satoshis, currencyRate);
}

/** Converts satoshis for display: to the payment's currency, otherwise USD, otherwise BSV. */
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

/** Converts satoshis at a rate, with two to eight decimals, because fees are far below a cent. */
export function atRate(satoshis: bigint, rate: string): string {
  return fromSatoshis(satoshis, rate, 8).replace(/0{1,6}$/, '');
}

/** Rounds half up to two decimals unless only zeros would remain. @param amount decimal string */
export function rounded(amount: string): string {
  const [whole, part = ''] = amount.split('.');
  const up = Number(part[2] ?? 0) >= 5 ? 1n : 0n;
  const short = decimalText(BigInt(`${whole}${part.slice(0, 2).padEnd(2, '0')}`) + up, 2);
  return /^[0.]+$/.test(short) ? amount : short;
}

/** True if the stated amount differs from the satoshis paid by more than 10%. Null if the rate is unknown. */
export function deviates({ amount, satoshis }: Claim, { currency, currencyRate }: Valued): boolean | null {
  const rate = currency === 'BSV' ? '1' : currencyRate;
  if (rate === null) return null;
  const expected = boughtBy(amount, rate);
  if (expected === null) return true;
  const difference = expected > satoshis ? expected - satoshis : satoshis - expected;
  return difference > 1n && difference * 100n > satoshis * TOLERANCE;
}

/** True if {@link deviates} is true for the total or any output. Assets have no rate, so they are skipped. */
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

/** Returns the satoshis that an amount buys, 0 below one satoshi, or null above the total supply. */
function boughtBy(amount: string, rate: string): bigint | null {
  if (/^[0.]*$/.test(amount)) return 0n;
  try {
    return toSatoshis(amount, rate);
  } catch (error) {
    return error instanceof ServiceError && error.code === 'amount-too-small' ? 0n : null;
  }
}
