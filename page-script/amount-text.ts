/**
 * Amounts as people read them, in the language of the page. Never through a float: decimal text goes to Intl as it is.
 */

/** Formatters by language, currency and digits: making one costs more than all the rest of a button. */
const formatters = new Map<string, Intl.NumberFormat>();

/** A formatter, made once. */
export function formatter(locale: string, currency: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${currency} ${digits}`;
  const made = formatters.get(key) ?? makeFormatter(locale, currency, digits);
  formatters.set(key, made);
  return made;
}

/** The last text: the buttons of a page often ask the same, and Intl takes its time. */
let last = { key: '', text: '' };

/** Intl takes codes of three letters alone, and knows none of BSV. */
export const isPlain = (currency: string) => currency === 'BSV' || currency.length > 3;

function makeFormatter(locale: string, currency: string, digits: number): Intl.NumberFormat {
  const style: Intl.NumberFormatOptions = isPlain(currency) ? {} : { style: 'currency', currency };
  try {
    const usual = new Intl.NumberFormat(locale, style);
    // A fraction that is cut would make a small price read as zero.
    return digits > usual.resolvedOptions().maximumFractionDigits!
      ? new Intl.NumberFormat(locale, { ...style, maximumFractionDigits: digits })
      : usual;
  } catch (error) {
    // The page's lang is no language tag.
    if (locale !== 'en') return makeFormatter('en', currency, digits);
    throw error;
  }
}

/**
 * `$0.10`, `0,10 €`, `0.001 BSV`: with every digit the amount has.
 * @param amount decimal text, with at most 18 digits behind the point
 * @param currency three to five letters, or an asset
 * @param locale BCP 47 tag; the browser's own where it is empty
 * @param unit what an asset is called
 * @param digits behind the point that are shown even where the currency usually has fewer
 */
export function amountText(
  amount: string,
  currency: string,
  locale: string,
  unit = currency,
  digits = amount.split('.')[1]?.length ?? 0,
): string {
  const language = locale || navigator.language;
  const key = `${amount} ${currency} ${language} ${digits} ${unit}`;
  if (last.key !== key) {
    // Text is taken exactly (ECMA-402, "Intl mathematical value"), which TypeScript knows of some texts only.
    const text = formatter(language, currency, digits).format(amount as `${number}`);
    last = { key, text: isPlain(currency) ? `${text}\u00a0${unit}` : text };
  }
  return last.text;
}
