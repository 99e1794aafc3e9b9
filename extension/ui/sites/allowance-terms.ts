/** Converts the input of an allowance form to terms. */
import { ceilingSatoshis, parseDecimal, toSatoshis } from '../../../protocol/money/money.ts';
import { amountReadings, fieldText, typedAmount } from '../../../protocol/money/typed-amount.ts';
import type {
  AllowancePromptView,
  AllowanceTerms,
  AllowanceView,
  Rate,
} from '../../../protocol/messages/wallet-messages.ts';
import { formatAmount, formatMoney } from '../amounts/format.ts';
import { allowanceTexts as t, texts } from '../texts/texts.ts';

/** The form's input, as typed. */
export interface AllowanceDraft {
  amount: string;
  currency: string;
  period: AllowanceTerms['period'];
  perPayment: string;
}

/**
 * Returns the form's initial values: the page's suggestion, if its currency is available. The user can change these
 * values.
 */
export function firstDraft(
  wanted: Pick<AllowancePromptView, 'suggested' | 'minimum'> | null,
  rates: readonly Rate[],
): AllowanceDraft {
  const start = [wanted?.suggested, wanted?.minimum].find(
    (money) => money && rates.some((rate) => rate.currency === money.currency),
  );
  return {
    amount: fieldText(start?.amount ?? ''),
    currency: start?.currency ?? rates[0]?.currency ?? 'BSV',
    period: 'week',
    perPayment: '',
  };
}

/** The terms in a draft, or the problem with each field. */
export type ReadDraft =
  | { terms: AllowanceTerms; problems: null }
  | { terms: null; problems: { amount?: string; perPayment?: string } };

/** True if `a` is more than `b`. Both are decimal strings in the same currency. */
function isMore(a: string, b: string): boolean {
  const [x, y] = [parseDecimal(a), parseDecimal(b)];
  return x.units * 10n ** BigInt(y.scale) > y.units * 10n ** BigInt(x.scale);
}

const problemOf = (typed: string) => (amountReadings(typed).length > 1 ? texts.whichAmount : t.badAmount);

/** Parses the input. @param rates the displayed rates. The rate for the draft's currency sets the ceiling */
export function readDraft({ amount, currency, period, perPayment }: AllowanceDraft, rates: readonly Rate[]): ReadDraft {
  const limit = typedAmount(amount);
  const most = perPayment.trim() === '' ? null : typedAmount(perPayment);
  if (limit === null)
    return { terms: null, problems: { amount: amount.trim() === '' ? t.missingAmount : problemOf(amount) } };
  if (perPayment.trim() !== '' && most === null)
    return { terms: null, problems: { perPayment: problemOf(perPayment) } };
  if (most !== null && isMore(most, limit)) return { terms: null, problems: { perPayment: t.moreThanLimit } };
  const known = currency === 'BSV' ? undefined : rates.find((rate) => rate.currency === currency);
  if (currency !== 'BSV' && known?.dollar === undefined)
    return { terms: null, problems: { amount: texts.rate.unknown } };
  const rate = known?.dollar === undefined ? null : { price: known.price, dollar: known.dollar };
  return { terms: { amount: limit, currency, period, perPayment: most, rate }, problems: null };
}

/** Formats an allowance as `$5.00 a week`. */
export function termsInWords({
  amount,
  currency,
  period,
}: Pick<AllowanceTerms, 'amount' | 'currency' | 'period'>): string {
  return t.perPeriod[period]({ amount: formatAmount(amount, currency) });
}

/**
 * Formats the maximum that an allowance can spend, in BSV and in dollars at today's rate. Null for an allowance in BSV.
 */
export function ceilingInWords({ amount, rate }: Pick<AllowanceTerms, 'amount' | 'rate'>): string | null {
  if (rate === null) return null;
  const satoshis = ceilingSatoshis(amount, rate.price);
  return t.ceilingNow({
    coins: formatMoney(satoshis, null),
    dollars: formatMoney(satoshis, { currency: 'USD', price: rate.dollar }),
  });
}

/**
 * Converts an amount to the user's own currency (the first rate). Returns null if it is already in this currency, or if
 * a rate is missing.
 */
export function inUserCurrency(
  { amount, currency }: { amount: string; currency: string },
  rates: readonly Rate[],
): string | null {
  const [own] = rates;
  const rate = rates.find((one) => one.currency === currency);
  if (!own || !rate || own === rate) return null;
  try {
    return formatMoney(toSatoshis(amount, rate.price), own);
  } catch {
    return null; // The amount exceeds the supply or is below one satoshi.
  }
}

export function draftOf({ limit, currency, period, perPayment }: AllowanceView): AllowanceDraft {
  return { amount: fieldText(limit), currency, period, perPayment: fieldText(perPayment ?? '') };
}

/** True if `a` is less than `b`, even in different currencies. False if a price is unknown. */
export function isLess(
  a: { amount: string; currency: string },
  b: { amount: string; currency: string },
  rates: readonly Rate[],
): boolean {
  const priceOf = (currency: string) => rates.find((rate) => rate.currency === currency)?.price;
  const [pa, pb] = a.currency === b.currency ? ['1', '1'] : [priceOf(a.currency), priceOf(b.currency)];
  if (pa === undefined || pb === undefined) return false;
  // Compares a / pa < b / pb without division.
  const [x, y, p, q] = [a.amount, b.amount, pa, pb].map(parseDecimal) as [
    ReturnType<typeof parseDecimal>,
    ReturnType<typeof parseDecimal>,
    ReturnType<typeof parseDecimal>,
    ReturnType<typeof parseDecimal>,
  ];
  return x.units * q.units * 10n ** BigInt(y.scale + p.scale) < y.units * p.units * 10n ** BigInt(x.scale + q.scale);
}
