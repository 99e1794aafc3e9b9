/**
 * What of a payment is found by what a merchant types. Both sides are folded alike here, and not by the database: its
 * own folding depends on how it was set up. Pure.
 */
import { rounded, shownWorthOf, worthOf } from './worth.ts';

/** Of each text so many characters are looked at. */
export const LONGEST_TEXT = 2_000;
/** Beginnings of words that are kept of a payment. */
const MOST_WORDS = 200;
/** Letters of a beginning that are kept: of scripts without spaces, where every letter begins a word, fewer. */
const [LONGEST_WORD, LONGEST_UNSPACED] = [40, 8];
/** Words of a search that count; further ones are ignored. */
const MOST_SOUGHT = 10;
/** Digits of an id from which on its beginning finds it: fewer are somewhere in a page of payments by chance. */
const LEAST_OF_ID = 6;

/** What is invisible, and accents and vowel signs that are left out in writing: Latin, Greek, Hebrew and Arabic. */
const UNWRITTEN =
  /[\p{Cf}\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]|\p{Variation_Selector}/gu;
/** Letters that Unicode does not take apart. */
const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe', ς: 'σ' };
const DIGIT = /\p{Nd}/u;

/** A digit of any script as one of 0 to 9: Unicode has each script's ten in a row, of some scripts right behind another's. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** Without case, accents, and differences that only the encoding makes. */
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
/** Words with one sign between them: `order-17`, `ann@pay.example`. */
const CHAIN = new RegExp(String.raw`${WORD}(?:[-._@/'’+#~]${WORD})*`, 'gu');
/** Scripts that write no spaces; and pictures. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{So}]/u;
const isUnspaced = (letter: string | undefined) => letter !== undefined && UNSPACED.test(letter);

/** The chains of words in a folded text, each letter by letter; a space stands for whatever sign is between words. */
const chainsOf = (folded: string): string[][] =>
  [...folded.matchAll(CHAIN)].map(([chain]) => [...chain.replace(/[^\p{L}\p{M}\p{N}\p{So}]/gu, ' ')]);

const cut = (letters: readonly string[]): string =>
  letters.slice(0, isUnspaced(letters[0]) ? LONGEST_UNSPACED : LONGEST_WORD).join('');

/** What each word of a text begins, to the end of its chain: a chain is found by any of its words and those after it. */
function* beginnings(text: string): Generator<string> {
  for (const chain of chainsOf(fold(text)))
    for (const [i, letter] of chain.entries()) {
      if (letter === ' ' || /\p{M}/u.test(letter)) continue;
      const before = chain[i - 1];
      if (before === undefined || before === ' ' || isUnspaced(letter) || isUnspaced(before))
        yield cut(chain.slice(i, i + LONGEST_WORD));
    }
}

/** `12.5` for `012.50`; undefined for what is no number. */
function plainNumber(text: string): string | undefined {
  const [, whole, part] = /^0*(\d{1,20}?)(?:\.(\d{0,20}?)0*)?$/.exec(text) ?? [];
  return part ? `${whole}.${part}` : whole;
}

/** An amount as typed, with the sign or code of a currency before or behind it. */
const AMOUNT = /^(?:[a-z]{0,3}\p{Sc}|[a-z]{3,5})?(\d[\d.,'’]*)(?:\p{Sc}|[a-z]{3,8})?$/u;
/** With a point behind the whole, and with a comma. */
const WRITTEN = [
  [/^(?:\d{1,3}(?:[,'’]\d{3})+|\d+)(?:\.(?!000$)\d+)?$/, /[,'’]/g],
  [/^(?:\d{1,3}(?:[.'’]\d{3})+|\d+)(?:,(?!000$)\d+)?$/, /[.'’]/g],
] as const;

/** The numbers that a word can mean: `1,234` is one with a point, and another with a comma; `1,000` is no 1. */
function numbersIn(word: string): string[] {
  const [, figures] = AMOUNT.exec(word.replaceAll('٫', '.').replaceAll('٬', ',')) ?? [];
  if (figures === undefined) return [];
  const meant = WRITTEN.flatMap(([form, groups]) =>
    form.test(figures) ? (plainNumber(figures.replace(groups, '').replace(',', '.')) ?? []) : [],
  );
  return [...new Set(meant)];
}

/** What a payment is found by. */
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
  /** Of those recipients only who may see it. */
  note: string | null;
}

/** The keys that a payment is kept under: `x` an id, `a` an amount, `w` the beginning of a word. */
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

/** A key that is looked for, whole or its beginning. */
export interface SoughtKey {
  key: string;
  isWhole: boolean;
}
/** What of all has to hold: for each word typed, one of several alternatives, each of which is all of its keys. */
export type Sought = readonly (readonly (readonly SoughtKey[])[])[];

/** What stands beside an amount and says nothing more. */
const UNIT = /^(?:sats?|satoshis?|[a-z]{0,3}\p{Sc})$/u;

/** What a search looks for; empty where it contains nothing that anything is found by. */
export function soughtIn(search: string): Sought {
  // As pages write large numbers in some languages.
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
