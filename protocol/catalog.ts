/**
 * Texts from a catalog: JSON in groups, the same for every language. A text with `{names}` becomes a function of an
 * object with their values. Its form may depend on a number, by the language's plural categories (CLDR,
 * `Intl.PluralRules`) or an exact number:
 * "found": { "plural": "count", "0": "Nothing found", "one": "{count} result", "other": "{count} results" }
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

export type Amount = number | bigint;

/** A text with names, whose values are `V`. */
export type Text<V> = (values: V) => string;

/**
 * The type of {@link readTexts}'s result for a catalog of type `C`. `P` are the types of texts with names, by path,
 * from `npm run texts`.
 */
export type Texts<C, P, Path extends string = ''> = {
  readonly [K in keyof C & string]: `${Path}${K}` extends keyof P
    ? P[`${Path}${K}` & keyof P]
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

/** Fills in the names of a text, in the form that its numbers require. */
export type Fill = (form: string, values: Readonly<Record<string, unknown>>, speech: Speech) => unknown;

/** A language's name in itself: `Español`. */
export function ownName(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** The texts of a catalog, by the same keys. */
export function readTexts(catalog: Catalog, speech: Speech, fill: Fill = fillText): object {
  return Object.fromEntries(
    Object.entries(catalog).map(([key, value]) => {
      if (isList(value)) return [key, value.map((one) => textOf(one, speech, fill))];
      return [key, isMessage(value) ? textOf(value, speech, fill) : readTexts(value, speech, fill)];
    }),
  );
}

/** Replaces the texts of `under` by those that `over` has at the same places. */
export function overlayTexts(under: object, over: object): void {
  for (const [key, value] of Object.entries(over)) {
    const below: unknown = Reflect.get(under, key);
    if (typeof value === 'object' && typeof below === 'object' && below !== null) overlayTexts(below, value as object);
    else Reflect.set(under, key, value);
  }
}

/** True for a text, false for a group of texts. */
export function isMessage(value: Message | Catalog): value is Message {
  return typeof value === 'string' || typeof value['plural'] === 'string';
}

/** True for a list of texts without names. */
export const isList = (value: Catalog[string]): value is readonly string[] => Array.isArray(value);

function textOf(message: Message, speech: Speech, fill: Fill): unknown {
  const named = withProduct(message, speech);
  if (typeof named === 'string' && !/\{|<\w+>/.test(named)) return named;
  return (values: Record<string, unknown>) => fill(formOf(named, values, speech), values, speech);
}

function withProduct(message: Message, speech: Speech): Message {
  if (typeof message === 'string') return message.replaceAll('{product}', isolated(speech.product, speech));
  return Object.fromEntries(
    Object.entries(message).map(([form, text]) => [form, withProduct(text, speech)]),
  ) as unknown as Forms;
}

function formOf(message: Message, values: Readonly<Record<string, unknown>>, speech: Speech): string {
  if (typeof message === 'string') return message;
  const amount = values[message.plural] as Amount;
  const form = message[String(amount)] ?? message[rulesFor(speech).select(Number(amount))];
  return formOf(form ?? message.other, values, speech);
}

const fillText: Fill = (form, values, speech) =>
  form.replace(/\{(\w+)\}/g, (name, key: string) => {
    const value = values[key] as Value | undefined;
    return value === undefined ? name : valueText(value, speech);
  });

/** A value as it goes into a text. */
export function valueText(value: Value, speech: Speech): string {
  if (typeof value === 'string') return isolated(value, speech);
  return isolated(numbersOf(speech.locale()).format(value), speech, '\u2066');
}

/**
 * A value between an isolate's marks (Unicode UAX 9), so that an amount or a Latin name doesn't reorder right-to-left
 * text around it. The first mark of text lets its first letter determine the direction.
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
