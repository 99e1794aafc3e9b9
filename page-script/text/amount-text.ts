/** Formats amounts in the page's language. Intl receives decimal strings, never floats. */

/** Formatters by language, currency and digits, cached because creating one is slow. */
const formatters = new Map<string, Intl.NumberFormat>();

export function formatter(locale: string, currency: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${currency} ${digits}`;
  const made = formatters.get(key) ?? makeFormatter(locale, currency, digits);
  formatters.set(key, made);
  return made;
}

/** The last formatted text, cached because a page's buttons often show the same amount. */
let last = { key: '', text: '' };

/** True if Intl can't format the currency, which is the case for BSV and for codes that don't have three letters. */
export const isPlain = (currency: string) => currency === 'BSV' || currency.length > 3;

function makeFormatter(locale: string, currency: string, digits: number): Intl.NumberFormat {
  const style: Intl.NumberFormatOptions = isPlain(currency) ? {} : { style: 'currency', currency };
  try {
    const usual = new Intl.NumberFormat(locale, style);
    // Keeps more digits than usual, because a small price would otherwise be displayed as zero.
    return digits > usual.resolvedOptions().maximumFractionDigits!
      ? new Intl.NumberFormat(locale, { ...style, maximumFractionDigits: digits })
      : usual;
  } catch (error) {
    // The page's `lang` isn't a valid language tag.
    if (locale !== 'en') return makeFormatter('en', currency, digits);
    throw error;
  }
}

/**
 * Formats an amount with all its digits: `$0.10`, `0,10 €`, `0.001 BSV`.
 * @param amount a decimal string with at most 18 fraction digits
 * @param locale BCP 47 tag, '' for the browser's
 * @param currency three to five letters, or an asset
 * @param unit the name of the asset's units
 * @param digits minimum number of fraction digits
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
    // Intl formats decimal strings exactly (ECMA-402, "Intl mathematical value"), but TypeScript allows only some
    // strings.
    const text = formatter(language, currency, digits).format(amount as `${number}`);
    last = { key, text: isPlain(currency) ? `${text}\u00a0${unit}` : text };
  }
  return last.text;
}
