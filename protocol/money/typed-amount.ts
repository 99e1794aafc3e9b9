/** Amounts as people type them, in the notations of all languages. */

/** Longer texts are rejected before any work is done. */
const MAX_TYPED_CHARS = 64;
/** The digits of `hanidec`, the one positional system of ECMA-402 that Unicode doesn't count as decimal digits. */
const HAN_DIGITS = '〇一二三四五六七八九';
const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code));

/** A digit's value, from its place: each script's ten are consecutive (Unicode, section 4.6). */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0)!;
  let first = code;
  while (isDigit(first - 1)) first -= 1;
  return HAN_DIGITS.includes(digit) ? HAN_DIGITS.indexOf(digit) : (code - first) % 10;
}

/** The text with digits 0 to 9, `,`, `.` and blanks between groups; null if digits of two scripts are mixed. */
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

/** Digit limits; by default those of money, whose smallest part is a satoshi in BSV. */
export interface DigitLimits {
  whole: number;
  fraction: number;
}
const MONEY: DigitLimits = { whole: 18, fraction: 8 };

/** Digits in groups of three, or in those of India (`1,00,000`), which no zero begins. */
const GROUPED = /^[1-9]\d{0,2}(?:([ ,.])\d{3}(?:\1\d{3})*)?$|^[1-9]\d?(?:([ ,.])\d\d)+\2\d{3}$/;

/** The number as decimal text, or null if there is none, it is zero or it has too many digits. */
function decimal(most: DigitLimits, whole: string, fraction = ''): string | null {
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  if (digits.length > most.whole || fraction.length > most.fraction || !/[1-9]/.test(digits + fraction)) return null;
  return fraction ? `${digits}.${fraction}` : digits;
}

/** The digits before a fraction, without their separators; null if they are wrongly grouped or grouped by `point`. */
function wholeOf(text: string, point: string): string | null {
  if (/^\d*$/.test(text)) return text;
  return GROUPED.test(text) && !text.includes(point) ? text.replace(/\D/g, '') : null;
}

/**
 * The readings of a typed number, as decimal text above zero. One is the amount; two are a question for the user:
 * `1,000` is 1 or 1000. With none, it isn't an amount.
 */
export function amountReadings(typed: string, most = MONEY): readonly string[] {
  const text = typed.length > MAX_TYPED_CHARS ? null : inLatin(typed);
  if (text === null || !/\d/.test(text)) return [];
  // The Arabic decimal mark never separates groups.
  const [, before, mark, after] = /^(.*)([,.٫])(\d*)$/.exec(text) ?? [];
  const whole = mark === undefined ? null : wholeOf(before!, mark);
  const grouped = wholeOf(text, '٫');
  const asWhole = grouped === null ? null : decimal(most, grouped);
  if (whole === null) return asWhole === null ? [] : [asWhole];
  const asFraction = decimal(most, whole, asWhole === null ? after : after!.replace(/0+$/, ''));
  // The text is too precise, so the other reading would be a guess.
  if (asFraction === null) return [];
  return asWhole === null ? [asFraction] : [asFraction, asWhole];
}

/** The amount that a typed number means; null if there is none or more than one. */
export function typedAmount(typed: string, most = MONEY): string | null {
  const [reading, other] = amountReadings(typed, most);
  return other === undefined ? (reading ?? null) : null;
}

/** Decimal text for a field: `1.234` as `1.2340`, so that it can't be read as 1234. */
export function fieldText(amount: string, most = MONEY): string {
  if (amountReadings(amount, most).length < 2) return amount;
  // A group never begins with 0.
  return most.fraction > 3 ? `${amount}0` : `0${amount}`;
}
