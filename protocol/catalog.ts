/**
 * Texts from a catalog: JSON in groups, the same for every language. A text with `{names}` becomes a function of an
 * object with their values. Its form may depend on a number:
 *
 *     "found": { "plural": "count", "0": "Nothing found", "one": "{count} result", "other": "{count} results" }
 *
 * The forms are named by the language's plural categories (CLDR, `Intl.PluralRules`), or by an exact number.
 */

/** A text, or its forms by the number that `plural` names. A form may depend on a second number in the same way. */
export type Message = string | Forms;

interface Forms {
  readonly plural: string;
  readonly other: Message;
  readonly [form: string]: Message;
}

/** A catalog, or a group of it. */
export interface Catalog {
  readonly [key: string]: Message | readonly string[] | Catalog;
}

/** The value of a name. Numbers are written as the reader's language does; other values must be ready to be shown. */
export type Value = string | Amount;

/** The number that a form depends on. */
export type Amount = number | bigint;

type Values = Readonly<Record<string, Value>>;

/**
 * The type of the texts that {@link readTexts} makes of a catalog of type `C`. `P` are the types of the values by the
 * text's path; `npm run texts` writes it.
 */
export type Texts<C, P, Path extends string = ''> = {
  readonly [K in keyof C & string]: `${Path}${K}` extends keyof P
    ? (values: P[`${Path}${K}` & keyof P]) => string
    : C[K] extends string | readonly string[]
      ? C[K]
      : Texts<C[K], P, `${Path}${K}.`>;
};

/** The language of a catalog (BCP 47), and the locale in which its reader wants numbers. */
export interface Speech {
  language: string;
  /** Evaluated for each text, because the reader's language may be unknown when the catalog is read. */
  locale: () => string;
  /** Replaces `{product}` in every text. */
  product: string;
}

// Languages that are written in Arabic, Hebrew and the other scripts that run from right to left.
const RIGHT_TO_LEFT = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** True if a language is written from right to left. */
export function isRightToLeft(language: string): boolean {
  return RIGHT_TO_LEFT.has(language.split('-')[0] ?? '');
}

/** The texts of a catalog, by the same keys. */
export function readTexts(catalog: Catalog, speech: Speech): object {
  return Object.fromEntries(
    Object.entries(catalog).map(([key, value]) => {
      if (isList(value)) return [key, value.map((one) => textOf(one, speech))];
      return [key, isMessage(value) ? textOf(value, speech) : readTexts(value, speech)];
    }),
  );
}

/** True for a text, false for a group of texts. */
export function isMessage(value: Message | Catalog): value is Message {
  return typeof value === 'string' || typeof value['plural'] === 'string';
}

/** True for a list of texts without names. */
export const isList = (value: Catalog[string]): value is readonly string[] => Array.isArray(value);

function textOf(message: Message, speech: Speech): string | ((values: Values) => string) {
  const named = withProduct(message, speech);
  return typeof named === 'string' && !named.includes('{') ? named : (values) => fill(named, values, speech);
}

function withProduct(message: Message, speech: Speech): Message {
  if (typeof message === 'string') return message.replaceAll('{product}', isolated(speech.product, speech));
  return Object.fromEntries(
    Object.entries(message).map(([form, text]) => [form, withProduct(text, speech)]),
  ) as unknown as Forms;
}

function fill(message: Message, values: Values, speech: Speech): string {
  if (typeof message !== 'string') {
    const amount = values[message.plural] as Amount;
    const form = message[String(amount)] ?? message[rulesFor(speech).select(Number(amount))];
    return fill(form ?? message.other, values, speech);
  }
  return message.replace(/\{(\w+)\}/g, (name, key: string) => {
    const value = values[key];
    if (value === undefined) return name;
    if (typeof value === 'string') return isolated(value, speech);
    return isolated(numbersOf(speech.locale()).format(value), speech, '\u2066');
  });
}

/**
 * A value as it goes into text that runs from right to left: between an isolate's marks (Unicode UAX 9), so that an
 * amount or a Latin name doesn't jumble the words around it. The first mark of text lets its first letter determine the
 * direction.
 */
function isolated(value: string, { language }: Speech, mark = '\u2068'): string {
  if (!isRightToLeft(language)) return value;
  const isIsolate = /^[\u2066-\u2068]/.test(value) && value.indexOf('\u2069') === value.length - 1;
  return isIsolate ? value : `${mark}${value}\u2069`;
}

/** The reader's own rules, if they are for this language: zero is singular in Brazil and plural in Portugal. */
function rulesFor({ language, locale }: Speech): Intl.PluralRules {
  const tag = locale();
  return rulesOf(tag.split('-')[0] === language ? tag : language);
}

const rulesOf = remembered((language) => new Intl.PluralRules(language));
const numbersOf = remembered((locale) => new Intl.NumberFormat(locale));

function remembered<T>(make: (tag: string) => T): (tag: string) => T {
  const made = new Map<string, T>();
  return (tag) => {
    const known = made.get(tag) ?? make(tag);
    made.set(tag, known);
    return known;
  };
}
