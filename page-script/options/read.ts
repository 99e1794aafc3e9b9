/** Reads options one by one according to a table of rules, from attributes and from JavaScript values. */
import { ASSET_NAME, isBareAlias } from '../../protocol/assets/asset-name.ts';
import { writtenAmount } from '../../protocol/money/written-amount.ts';
import { ConfigurationError, type ConfigurationReason } from '../configuration-error.ts';
import { isFamiliar } from './notation.ts';
import { ownFields } from '../page/records.ts';
import { attributeOf, OPTION_NAMES, RULES, type OptionType, type Rule, type SettledOptions } from './rules.ts';

const CODE = /^[a-z]{3,5}$/i;
/** An asset's alias must be in lower case, so `DOLLARS` is an error. */
const CURRENCY = {
  test: (text: string) =>
    CODE.test(text) || ASSET_NAME.test(text) || (!isBareAlias(text) && ASSET_NAME.test(text.toLowerCase())),
};

/**
 * Returns a currency code in upper case, or an asset in lower case. Ambiguous names (`gold`) remain in lower case until
 * the wallet reports whether they are currencies.
 */
const settledCurrency = (text: string) =>
  CODE.test(text) && (isFamiliar(text.toUpperCase()) || /[A-Z]/.test(text)) ? text.toUpperCase() : text.toLowerCase();

/** For each type, the syntax of a string and a description of the allowed values. */
const FORMS: Record<OptionType, readonly [form: Pick<RegExp, 'test'>, expected: string]> = {
  text: [/^/, 'text'],
  decimal: [/^/, 'a decimal number, such as "0.10"'],
  currency: [CURRENCY, 'three to five letters, such as "USD", or an asset: its paymail, alias or ID'],
  choice: [/^/, 'one of '],
  boolean: [/^(?:true|false)$/, 'true or false'],
  array: [/^/, 'a JSON array'],
  decimals: [/^/, 'decimal numbers with spaces between them, such as "1 5 20"'],
  function: [/^/, 'a function or the name of a global one'],
};

function readArray(value: unknown): unknown[] | null {
  try {
    const array: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return Array.isArray(array) ? array : null;
  } catch {
    return null;
  }
}

/** Reads decimal numbers separated by spaces, or an array from JavaScript. Returns null for each invalid number. */
function readDecimals(value: unknown): (string | null)[] {
  const texts: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.trim().split(/\s+/)
      : [null];
  return texts.map((text) => (typeof text === 'string' || typeof text === 'number' ? writtenAmount(text) : null));
}

/** Rejects a value with a standardized message. @throws ConfigurationError always */
export function refuse(reason: ConfigurationReason, where: string, value: unknown, expected: string): never {
  const shown =
    typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : typeof value === 'number' ? value : typeof value;
  throw new ConfigurationError(reason, `${where} is ${shown}; it must be ${expected}.`);
}

/** Reads one value. An empty attribute counts as missing, except for a boolean, for which it is an error. */
function readValue(where: () => string, rule: Rule, given: unknown): unknown {
  const { type, numeric, most, mostBytes, among = [], reason = 'invalid-option' } = rule;
  if (given === undefined || given === null || (given === '' && type !== 'boolean')) return rule.default;
  const kind = typeof given;
  if (kind === 'function' && type === kind) return given;
  if (type === 'decimals') {
    const decimals = readDecimals(given);
    return decimals.includes(null) ? refuse(reason, where(), given, FORMS.decimals[1]) : decimals;
  }
  // JavaScript can pass booleans and numbers directly.
  const text = kind === type || (numeric && kind === 'number') ? `${given as string}` : given;
  const value = type === 'decimal' && typeof text === 'string' ? writtenAmount(given as string | number) : text;
  const [form, expected] = FORMS[type];
  const array = type === 'array' && readArray(given);
  if (array) return array;
  if (typeof value !== 'string' || array === null || !form.test(value) || (among[0] && !among.includes(value)))
    return refuse(reason, where(), given, expected + among.join(', '));
  // Databases can't store lone surrogates, and only text for the chain may contain NUL.
  if ((mostBytes || most) && /[\0\p{Cs}]/u.test(mostBytes ? value.replaceAll('\0', '') : value))
    refuse(reason, where(), given, 'well-formed text');
  if (most && value.length > most) refuse(reason, where(), given, `of at most ${most} characters`);
  if (mostBytes && new TextEncoder().encode(value).length > mostBytes)
    refuse('data-too-large', where(), given, `of at most ${mostBytes} bytes`);
  return type === 'boolean' ? value === 'true' : type !== 'currency' ? value : settledCurrency(value);
}

/**
 * Reads and validates each field by its rule. Missing fields get their default values.
 * @param nameOf returns a field's name as the author wrote it
 * @throws ConfigurationError for the first invalid field
 */
export function readFields<T>(
  given: unknown,
  rules: { readonly [K in keyof T & string]: Rule },
  nameOf: (field: string) => string,
): T {
  const record = ownFields(given);
  return Object.fromEntries(
    Object.entries(rules as Record<string, Rule>).map(([name, rule]) => [
      name,
      readValue(() => nameOf(name), rule, record[name]),
    ]),
  ) as T;
}

/** Reads all options separately. @throws ConfigurationError for the first invalid option */
export function readOptions(given: Readonly<Record<string, unknown>>): SettledOptions {
  return readFields<SettledOptions>(given, RULES, attributeOf);
}

export function attributeOptions(element: Element): Record<string, unknown> {
  return Object.fromEntries(OPTION_NAMES.map((name) => [name, element.getAttribute(attributeOf(name))]));
}
