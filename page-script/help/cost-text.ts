import { amountText, formatter, isPlain } from '../text/amount-text.ts';
import { fill, type Texts } from '../text/texts.ts';
import type { CostFigures } from './cost.ts';
import { ENGLISH } from './texts.ts';

/** Formats a fee, as `< $0.01` if it is below the currency's smallest unit. */
function feeText(fee: string, currency: string, locale: string): string {
  const zeros = /^0\.(0*)/.exec(fee)?.[1]?.length;
  const digits = formatter(locale || navigator.language, currency, 0).resolvedOptions().maximumFractionDigits!;
  return zeros === undefined || zeros < digits || isPlain(currency)
    ? roundedText(fee, currency, locale)
    : `<\u00a0${amountText(digits ? `0.${'1'.padStart(digits, '0')}` : '1', currency, locale)}`;
}

/** Formats an amount with the currency's usual digits, or with two significant digits if it would be almost zero. */
function roundedText(amount: string, currency: string, locale: string): string {
  const zeros = /^0\.(0*)/.exec(amount)?.[1]?.length ?? 0;
  return amountText(amount, currency, locale, currency, isPlain(currency) ? 8 : zeros > 1 ? zeros + 2 : 0);
}

/**
 * Returns the small line below the amount, and the sentence for the title.
 * @param currency the currency of the button's amount
 */
export function costTexts(
  { currency, isOwn, ...cost }: CostFigures,
  given: Texts,
  locale: string,
  asked: string | undefined,
): [line: string, sentence: string] {
  const texts = { ...ENGLISH, ...given };
  const [total, fee] = [roundedText(cost.total, currency, locale), feeText(cost.fee, currency, locale)];
  const sentence = fill(texts.cost, { total, fee });
  if (isOwn) return [texts.toSelf, `${texts.toSelf}. ${sentence}`];
  return [currency === asked ? fill(texts.fee, { fee }) : `≈ ${total}`, sentence];
}
