/** Parses amounts that people type, in any language's notation. */

/** Maximum length of typed text. Longer text is rejected before it is parsed. */
const MAX_TYPED_CHARS = 64;
/** Digits of `hanidec`, the only positional system of ECMA-402 that Unicode doesn't classify as decimal digits. */
const HAN_DIGITS = '〇一二三四五六七八九';
const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code));

/** Computes a digit's value from its position. Each script's ten digits are consecutive (Unicode, section 4.6). */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0)!;
  let first = code;
  while (isDigit(first - 1)) first -= 1;
  return HAN_DIGITS.includes(digit) ? HAN_DIGITS.indexOf(digit) : (code - first) % 10;
}

/**
 * Normalizes to digits 0 to 9, `,`, `.` and spaces between groups. Returns null if digits from two scripts are mixed.
 */
function inLatin(typed: string): string | null {
  const zeros = new Set<number>();
  const text = typed
    .normalize('NFKC')
    .replace(/[\u061c\u200e\u200f\u2066-\u2069]/g, '')
    .trim()
    .replace(/[〇一二三四五六七八九]|\p{Nd}/gu, (digit) => {
      const value = valueOf(digit);
      zeros.add(HAN_DIGITS.includes(digit) ? -1 : digit.codePointAt(0)! - value);
      return `${value}`;
    })
    .replace(/\s|['’٬]/g, ' ')
    .replaceAll('،', ',');
  return zeros.size > 1 ? null : text;
}

/** Digit limits. The default is for money, whose smallest unit in BSV is a satoshi. */
export interface DigitLimits {
  whole: number;
  fraction: number;
}
const MONEY: DigitLimits = { whole: 18, fraction: 8 };

/** Digits in groups of three, or in Indian groups (`1,00,000`), without a leading zero. */
const GROUPED = /^[1-9]\d{0,2}(?:([ ,.])\d{3}(?:\1\d{3})*)?$|^[1-9]\d?(?:([ ,.])\d\d)+\2\d{3}$/;

/** Returns a decimal string, or null if the number is zero or has too many digits. */
function decimal(most: DigitLimits, whole: string, fraction = ''): string | null {
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  if (digits.length > most.whole || fraction.length > most.fraction || !/[1-9]/.test(digits + fraction)) return null;
  return fraction ? `${digits}.${fraction}` : digits;
}

/** Returns the whole part without separators, or null if its groups are malformed or separated by `point`. */
function wholeOf(text: string, point: string): string | null {
  if (/^\d*$/.test(text)) return text;
  return GROUPED.test(text) && !text.includes(point) ? text.replace(/\D/g, '') : null;
}

/**
 * Returns the possible readings of a typed number, as decimal strings above zero. If there are two, the user must
 * choose: `1,000` is 1 or 1000. An empty array means that the text isn't an amount.
 */
export function amountReadings(typed: string, most = MONEY): readonly string[] {
  const text = typed.length > MAX_TYPED_CHARS ? null : inLatin(typed);
  if (text === null || !/\d/.test(text)) return [];
  // The Arabic decimal separator (٫) never separates groups.
  const [, before, mark, after] = /^(.*)([,.٫])(\d*)$/.exec(text) ?? [];
  const whole = mark === undefined ? null : wholeOf(before!, mark);
  const grouped = wholeOf(text, '٫');
  const asWhole = grouped === null ? null : decimal(most, grouped);
  if (whole === null) return asWhole === null ? [] : [asWhole];
  const asFraction = decimal(most, whole, asWhole === null ? after : after!.replace(/0+$/, ''));
  // The fraction has too many digits. Because the user might still mean a fraction, the text isn't read as a whole
  // number either.
  if (asFraction === null) return [];
  return asWhole === null ? [asFraction] : [asFraction, asWhole];
}

/** Returns the amount if a typed number has exactly one reading, otherwise null. */
export function typedAmount(typed: string, most = MONEY): string | null {
  const [reading, other] = amountReadings(typed, most);
  return other === undefined ? (reading ?? null) : null;
}

/** Formats a decimal string for an input field: `1.234` becomes `1.2340`, which can't be read as 1234. */
export function fieldText(amount: string, most = MONEY): string {
  if (amountReadings(amount, most).length < 2) return amount;
  // A group of digits can't have a leading zero.
  return most.fraction > 3 ? `${amount}0` : `0${amount}`;
}
