/**
 * Which search terms match a payment. Normalized here, because PostgreSQL's normalization depends on its configuration.
 * Pure.
 */
import { rounded, shownWorthOf, worthOf } from '../worth.ts';

export const LONGEST_TEXT = 2_000;
/** Maximum number of word beginnings stored per payment. */
const MOST_WORDS = 200;
/** Maximum number of letters per beginning. Fewer in scripts without spaces, where every letter begins a word. */
const [LONGEST_WORD, LONGEST_UNSPACED] = [40, 8];
/** Maximum number of words in a search. Further ones are ignored. */
const MOST_SOUGHT = 10;
/** Minimum number of digits by which an ID is found. Fewer occur in a page of payments by chance. */
const LEAST_OF_ID = 6;

/** Invisible characters, and accents and vowel signs that writers omit: Latin, Greek, Hebrew and Arabic. */
const UNWRITTEN =
  /[\p{Cf}\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]|\p{Variation_Selector}/gu;
/** Letters that Unicode doesn't decompose. */
const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe', ς: 'σ' };
const DIGIT = /\p{Nd}/u;

/** Converts a digit of any script to 0–9. Unicode has ten per script in a row. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** Removes case, accents and differences of encoding. */
function fold(text: string): string {
  return text
    .slice(0, LONGEST_TEXT)
    .normalize('NFKD')
    .replace(UNWRITTEN, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[łøđıæœς]/g, (letter) => PLAIN[letter] as string)
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit);
}

const WORD = String.raw`[\p{L}\p{M}\p{N}\p{So}]+`;
/** Words joined by single signs: `order-17`, `ann@pay.example`. */
const CHAIN = new RegExp(String.raw`${WORD}(?:[-._@/'’+#~]${WORD})*`, 'gu');
/** Scripts written without spaces, and pictographs. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{So}]/u;
const isUnspaced = (letter: string | undefined) => letter !== undefined && UNSPACED.test(letter);

/** The chains of words in a folded text, each as letters. A space replaces any sign between words. */
const chainsOf = (folded: string): string[][] =>
  [...folded.matchAll(CHAIN)].map(([chain]) => [...chain.replace(/[^\p{L}\p{M}\p{N}\p{So}]/gu, ' ')]);

const cut = (letters: readonly string[]): string =>
  letters.slice(0, isUnspaced(letters[0]) ? LONGEST_UNSPACED : LONGEST_WORD).join('');

/** Every suffix of a chain that begins with a word, so that a chain is found by any of its words and those after it. */
function* beginnings(text: string): Generator<string> {
  for (const chain of chainsOf(fold(text)))
    for (const [i, letter] of chain.entries()) {
      if (letter === ' ' || /\p{M}/u.test(letter)) continue;
      const before = chain[i - 1];
      if (before === undefined || before === ' ' || isUnspaced(letter) || isUnspaced(before))
        yield cut(chain.slice(i, i + LONGEST_WORD));
    }
}

/** `12.5` for `012.50`; undefined if it isn't a number. */
function plainNumber(text: string): string | undefined {
  const [, whole, part] = /^0*(\d{1,20}?)(?:\.(\d{0,20}?)0*)?$/.exec(text) ?? [];
  return part ? `${whole}.${part}` : whole;
}

/** An amount as typed, with the sign or code of a currency before or after it. */
const AMOUNT = /^(?:[a-z]{0,3}\p{Sc}|[a-z]{3,5})?(\d[\d.,'’]*)(?:\p{Sc}|[a-z]{3,8})?$/u;
/** With a decimal point, and with a decimal comma. */
const WRITTEN = [
  [/^(?:\d{1,3}(?:[,'’]\d{3})+|\d+)(?:\.(?!000$)\d+)?$/, /[,'’]/g],
  [/^(?:\d{1,3}(?:[.'’]\d{3})+|\d+)(?:,(?!000$)\d+)?$/, /[.'’]/g],
] as const;

/** A word's possible numbers: `1,234` has a decimal comma or a separator, but `1,000` is never 1. */
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
  /** Only recipients who may see it. */
  note: string | null;
}

/** The index keys of a payment: `x` an ID, `a` an amount, `w` the beginning of a word. */
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
    for (const word of text === null ? [] : beginnings(text)) if (words.size < MOST_WORDS) words.add(word);
  return [
    ...[id.replaceAll('-', ''), txid].map((one) => `x${one}`),
    ...new Set(amounts.flatMap((one) => plainNumber(one) ?? []).map((one) => `a${one}`)),
    ...[...words].map((word) => `w${word}`),
  ];
}

export interface SoughtKey {
  key: string;
  isWhole: boolean;
}
/** A condition on keys: each word needs one alternative, all of whose keys match. */
export type Sought = readonly (readonly (readonly SoughtKey[])[])[];

/** Units next to an amount, which add nothing to it. */
const UNIT = /^(?:sats?|satoshis?|[a-z]{0,3}\p{Sc})$/u;

/** Parses a search. Empty if nothing in it is searchable. */
export function soughtIn(search: string): Sought {
  // Some languages write large numbers with such spaces.
  const typed = fold(search.replace(/(?<=\p{Nd})[\u00a0\u202f](?=\p{Nd}{3})/gu, '')).split(/\s+/);
  const words = typed.length > 1 ? typed.filter((word) => !UNIT.test(word)) : typed;
  return words.slice(0, MOST_SOUGHT).flatMap((word) => {
    const id = word.replaceAll('-', '');
    const starts = chainsOf(word)
      .slice(0, MOST_SOUGHT)
      .map((chain) => ({ key: `w${cut(chain)}`, isWhole: false }));
    if (starts.length === 0) return [];
    return [
      [
        starts,
        ...(/^[0-9a-f]+$/.test(id) && id.length >= LEAST_OF_ID && id.length <= 64
          ? [[{ key: `x${id}`, isWhole: false }]]
          : []),
        ...numbersIn(word).map((number) => [{ key: `a${number}`, isWhole: true }]),
      ],
    ];
  });
}
