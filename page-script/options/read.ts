/** Reads options one by one, by their row of the table. Attributes and JavaScript values go the same way. */
import { ConfigurationError } from '../configuration-error.ts';
import type { OptionName, SettledOptions } from './button-options.ts';
import { attributeOf, OPTION_NAMES, RULES, type OptionType, type Rule } from './rules.ts';

/** What protocol/money.ts reads as a decimal number; a test holds the two together. */
const DECIMAL = /^(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/;

/** How values of one type are read, and the words for what they must be. */
interface Reader {
  /** The value as the button uses it, or undefined where it is none. */
  read(value: unknown, rule: Rule): unknown;
  expected(rule: Rule): string;
}

function readText(value: unknown, { numeric, most = Infinity }: Rule): string | undefined {
  const text = numeric && typeof value === 'number' ? `${value}` : value;
  return typeof text === 'string' && text.length <= most ? text : undefined;
}

/** A reader of text that has to look a certain way. */
function textLike(pattern: RegExp, expected: string, settle = (text: string) => text): Reader {
  return {
    read(value, rule) {
      const text = readText(value, rule);
      return text !== undefined && pattern.test(text) ? settle(text) : undefined;
    },
    expected: () => expected,
  };
}

function readArray(value: unknown): readonly unknown[] | undefined {
  try {
    const array: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return Array.isArray(array) ? array : undefined;
  } catch {
    return undefined;
  }
}

const READERS: Record<OptionType, Reader> = {
  text: { read: readText, expected: ({ most }) => (most ? `text of at most ${most} characters` : 'text') },
  // Above zero: some digit is not 0.
  decimal: textLike(new RegExp(`(?=.*[1-9])${DECIMAL.source}`), 'a decimal number above zero, such as "0.10"'),
  currency: textLike(/^[A-Za-z]{3}$/, 'three letters, such as "USD" or "BSV"', (text) => text.toUpperCase()),
  choice: {
    read: (value, { among }) => (among?.includes(value as string) ? value : undefined),
    expected: ({ among }) => among!.join(' or '),
  },
  boolean: {
    read: (value) => (value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined),
    expected: () => 'true or false',
  },
  array: { read: readArray, expected: () => 'a JSON array' },
  function: {
    read: (value) => (typeof value === 'function' || typeof value === 'string' ? value : undefined),
    expected: () => 'a function or the name of a global one',
  },
};

/**
 * True where an option counts as not given. Templates leave attributes empty for values they do not have; a boolean is
 * the exception, because `<div data-disabled>` means something to its author and must not be read as false.
 */
export function isAbsent(value: unknown, rule: Rule): boolean {
  return value === undefined || value === null || (value === '' && rule.type !== 'boolean');
}

/** A value as the console shows it, short. */
function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : typeof value === 'number' ? `${value}` : typeof value;
}

/**
 * One option, checked by itself, or its default.
 * @throws ConfigurationError
 */
export function readOption<K extends OptionName>(name: K, given: unknown): SettledOptions[K] {
  const rule: Rule<SettledOptions[K]> = RULES[name];
  if (isAbsent(given, rule)) return rule.default;
  const reader = READERS[rule.type];
  const value = reader.read(given, rule);
  if (value === undefined) {
    throw new ConfigurationError(rule.reason ?? 'invalid-option', `${attributeOf(name)} is ${shown(given)}; it must be ${reader.expected(rule)}.`);
  }
  if (rule.mostBytes !== undefined && new TextEncoder().encode(value as string).length > rule.mostBytes) {
    throw new ConfigurationError('data-too-large', `${attributeOf(name)} may hold at most ${rule.mostBytes} bytes (UTF-8).`);
  }
  return value as SettledOptions[K];
}

/**
 * All options, each checked by itself. Names that are no option are left alone.
 * @throws ConfigurationError for the first that is wrong
 */
export function readOptions(given: Readonly<Record<string, unknown>>): SettledOptions {
  return Object.fromEntries(
    OPTION_NAMES.map((name) => [name, readOption(name, Object.hasOwn(given, name) ? given[name] : undefined)]),
  ) as unknown as SettledOptions;
}

/** The options that an element's `data-*` attributes give, unread. */
export function attributeOptions(element: Element): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const name of OPTION_NAMES) given[name] = element.getAttribute(attributeOf(name));
  return given;
}
