/**
 * Search terms and the payments they match. Text is normalized here, because PostgreSQL's normalization depends on its
 * configuration. Pure.
 */
import { rounded, shownWorthOf, worthOf } from '../worth.ts';

export const MAX_TEXT_CHARS = 2_000;
/** Maximum number of words indexed per payment. */
const MAX_INDEXED_WORDS = 200;
/**
 * Maximum number of letters indexed from the start of each word. Lower in scripts without spaces, where every letter
 * starts a word.
 */
const [MAX_WORD_CHARS, MAX_UNSPACED_CHARS] = [40, 8];
/** Maximum number of words per search. Excess words are ignored. */
const MAX_SEARCH_WORDS = 10;
/** Minimum number of digits in a search for an ID. Fewer digits would match by chance. */
const MIN_ID_DIGITS = 6;

/** Invisible characters, and accents and vowel signs that users omit (Latin, Greek, Hebrew, Arabic). */
const UNWRITTEN =
  /[\p{Cf}\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]|\p{Variation_Selector}/gu;
/** Letters without a Unicode decomposition. */
const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe', ς: 'σ' };
const DIGIT = /\p{Nd}/u;

/** Converts a digit of any script to 0–9. In Unicode, each script's ten digits are consecutive. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** Removes differences in case, accents and encoding. */
function fold(text: string): string {
  return text
    .slice(0, MAX_TEXT_CHARS)
    .normalize('NFKD')
    .replace(UNWRITTEN, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[łøđıæœς]/g, (letter) => PLAIN[letter] as string)
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit);
}

const WORD = String.raw`[\p{L}\p{M}\p{N}\p{So}]+`;
/** Words joined by single punctuation marks: `order-17`, `ann@pay.example`. */
const CHAIN = new RegExp(String.raw`${WORD}(?:[-._@/'’+#~]${WORD})*`, 'gu');
/** Scripts written without spaces, and pictographs. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{So}]/u;
const isUnspaced = (letter: string | undefined) => letter !== undefined && UNSPACED.test(letter);

/** Splits folded text into word chains, each an array of letters. Punctuation between words becomes a space. */
const chainsOf = (folded: string): string[][] =>
  [...folded.matchAll(CHAIN)].map(([chain]) => [...chain.replace(/[^\p{L}\p{M}\p{N}\p{So}]/gu, ' ')]);

const cut = (letters: readonly string[]): string =>
  letters.slice(0, isUnspaced(letters[0]) ? MAX_UNSPACED_CHARS : MAX_WORD_CHARS).join('');

/** For each word of a chain, yields the rest of the chain from that word on, so searches can start at any word. */
function* beginnings(text: string): Generator<string> {
  for (const chain of chainsOf(fold(text)))
    for (const [i, letter] of chain.entries()) {
      if (letter === ' ' || /\p{M}/u.test(letter)) continue;
      const before = chain[i - 1];
      if (before === undefined || before === ' ' || isUnspaced(letter) || isUnspaced(before))
        yield cut(chain.slice(i, i + MAX_WORD_CHARS));
    }
}

/** Normalizes a number: `012.50` to `12.5`. Undefined for anything else. */
function plainNumber(text: string): string | undefined {
  const [, whole, part] = /^0*(\d{1,20}?)(?:\.(\d{0,20}?)0*)?$/.exec(text) ?? [];
  return part ? `${whole}.${part}` : whole;
}

/** An amount as typed, with an optional currency symbol or code before or after it. */
const AMOUNT = /^(?:[a-z]{0,3}\p{Sc}|[a-z]{3,5})?(\d[\d.,'’]*)(?:\p{Sc}|[a-z]{3,8})?$/u;
/** Formats with a decimal point, and with a decimal comma. */
const WRITTEN = [
  [/^(?:\d{1,3}(?:[,'’]\d{3})+|\d+)(?:\.(?!000$)\d+)?$/, /[,'’]/g],
  [/^(?:\d{1,3}(?:[.'’]\d{3})+|\d+)(?:,(?!000$)\d+)?$/, /[.'’]/g],
] as const;

/** Returns the numbers a word can mean: `1,234` with a decimal comma or a thousands separator. `1,000` is never 1. */
function numbersIn(word: string): string[] {
  const [, figures] = AMOUNT.exec(word.replaceAll('٫', '.').replaceAll('٬', ',')) ?? [];
  if (figures === undefined) return [];
  const meant = WRITTEN.flatMap(([form, groups]) =>
    form.test(figures) ? (plainNumber(figures.replace(groups, '').replace(',', '.')) ?? []) : [],
  );
  return [...new Set(meant)];
}

export interface Findable {
  id: string;
  txid: string;
  satoshis: bigint;
  amount: string;
  currency: string;
  currencyRate: string | null;
  usdRate: string | null;
  senderPaymail: string | null;
  senderName: string | null;
  label: string | null;
  buttonId: string | null;
  buttonData: string | null;
  /** Visible only to recipients. */
  note: string | null;
}

/** Returns a payment's index keys: `x` for an ID, `a` for an amount, `w` for the beginning of a word. */
export function keysOf(payment: Findable): string[] {
  const { id, txid, satoshis, amount, currency, senderPaymail, senderName, label, buttonId, buttonData, note } =
    payment;
  const worths = [worthOf(satoshis, payment), shownWorthOf(satoshis, payment).amount];
  const amounts = [
    amount,
    satoshis.toString(),
    ...worths.flatMap((worth) => (worth === null ? [] : [worth, rounded(worth)])),
  ];
  const words = new Set<string>();
  for (const text of [currency, senderPaymail, senderName, label, buttonId, note, buttonData])
    for (const word of text === null ? [] : beginnings(text)) if (words.size < MAX_INDEXED_WORDS) words.add(word);
  return [
    ...[id.replaceAll('-', ''), txid].map((one) => `x${one}`),
    ...new Set(amounts.flatMap((one) => plainNumber(one) ?? []).map((one) => `a${one}`)),
    ...[...words].map((word) => `w${word}`),
  ];
}

export interface SearchKey {
  key: string;
  isWhole: boolean;
}
/** A search condition: for each word, all keys of at least one alternative must match. */
export type SearchCondition = readonly (readonly (readonly SearchKey[])[])[];

/** Units to ignore when typed next to an amount. */
const UNIT = /^(?:sats?|satoshis?|[a-z]{0,3}\p{Sc})$/u;

/** Parses a search. Returns an empty condition if the search contains nothing searchable. */
export function parseSearch(search: string): SearchCondition {
  // Removes no-break spaces, which some languages use as thousands separators.
  const typed = fold(search.replace(/(?<=\p{Nd})[\u00a0\u202f](?=\p{Nd}{3})/gu, '')).split(/\s+/);
  const words = typed.length > 1 ? typed.filter((word) => !UNIT.test(word)) : typed;
  return words.slice(0, MAX_SEARCH_WORDS).flatMap((word) => {
    const id = word.replaceAll('-', '');
    const starts = chainsOf(word)
      .slice(0, MAX_SEARCH_WORDS)
      .map((chain) => ({ key: `w${cut(chain)}`, isWhole: false }));
    if (starts.length === 0) return [];
    return [
      [
        starts,
        ...(/^[0-9a-f]+$/.test(id) && id.length >= MIN_ID_DIGITS && id.length <= 64
          ? [[{ key: `x${id}`, isWhole: false }]]
          : []),
        ...numbersIn(word).map((number) => [{ key: `a${number}`, isWhole: true }]),
      ],
    ];
  });
}
