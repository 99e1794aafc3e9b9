/** Amounts as people read them, in the language of the page. Never through a float: decimal text goes to Intl as it is. */

/** Formatters by language, currency and digits: making one costs more than all the rest of a button. */
const formatters = new Map<string, Intl.NumberFormat>();

function formatter(locale: string, currency: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${currency} ${digits}`;
  const made = formatters.get(key) ?? makeFormatter(locale, currency, digits);
  formatters.set(key, made);
  return made;
}

function makeFormatter(locale: string, currency: string, digits: number): Intl.NumberFormat {
  try {
    if (currency === 'BSV') return new Intl.NumberFormat(locale, { maximumFractionDigits: digits });
    const usual = new Intl.NumberFormat(locale, { style: 'currency', currency });
    const { maximumFractionDigits = 2 } = usual.resolvedOptions();
    // A fraction that is cut would make a small price read as zero.
    return digits > maximumFractionDigits ? new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: digits }) : usual;
  } catch (error) {
    // The page's lang is no language tag.
    if (locale !== 'en') return makeFormatter('en', currency, digits);
    throw error;
  }
}

/**
 * `$0.10`, `0,10 €`, `0.001 BSV`: with every digit the amount has.
 * @param amount decimal text, with at most 18 digits behind the point
 * @param currency three letters
 * @param locale BCP 47 tag; the browser's own where it is empty
 */
export function amountText(amount: string, currency: string, locale: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  // Text is taken exactly (ECMA-402, "Intl mathematical value"), which TypeScript knows of some texts only.
  const text = formatter(locale || navigator.language, currency, digits).format(amount as `${number}`);
  return currency === 'BSV' ? `${text}\u00a0BSV` : text;
}
