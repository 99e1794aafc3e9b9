/**
 * Reads the options of an ordinary button: a single recipient that isn't a script, an amount, and text options. The
 * full reader (configuration.ts) is loaded on demand.
 */
import { METADATA_OPTIONS } from '../../protocol/payments/metadata.ts';
import type { Choice } from '../../protocol/payments/choice.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { accountKind } from '../../protocol/payments/recipient.ts';
import { writtenAmount } from '../../protocol/money/written-amount.ts';
import type { amountText } from '../text/amount-text.ts';
import { isFamiliar, ADDRESS } from './notation.ts';
import { ownFields } from '../page/records.ts';
import type { Texts } from '../text/texts.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { OPTION_NAMES, RULES, type Rule, type SettledOptions } from './rules.ts';

/** The options as passed by the page, not validated yet. */
export type RawOptions = Readonly<Record<string, unknown>>;

/** The amounts that a button's visitor can choose from. */
export interface ButtonChoice extends Choice {
  presets: readonly string[];
  amount: string | null;
}

/** A button's validated options, and its request to the wallet. */
export interface Configuration {
  options: SettledOptions;
  /** Has no outputs until the user has filled in the form, or if a demo has no recipient. */
  payment: PaymentOptions;
  /** Set if the visitor chooses the amount. */
  choice?: ButtonChoice | undefined;
  /** The page's request as JSON, without the amount and note that the visitor entered. Set together with `choice`. */
  pageRequest?: string | undefined;
  special?: Special;
}

/** Properties of a payment that only the full reader determines. Missing for ordinary P2PKH payments of money. */
export interface Special {
  /** True if an asset is paid, with or without money. */
  paysAsset: boolean;
  /** Approximate size of the transaction (bytes). */
  bytes: number;
  /**
   * Formats the amount. Returns '' if the amount is zero. `text` is the main script's function, because the part has
   * its own copy.
   */
  amount(text: typeof amountText, locale: string, texts: Texts): string;
  /** Asks the wallet whether a name is a currency or an asset. The options must then be read again. */
  clarify: ((rates: Wallet['rates']) => Promise<unknown>) | null;
}

/** Returns the recipient of an ordinary button if it looks like an address. The `help` part verifies the checksum. */
export function addressIn({ payment, special }: Configuration): string | undefined {
  const to = payment.outputs[0]?.to;
  return !special && to && ADDRESS.test(to) ? to : undefined;
}

export function isAboveZero(amount: string): boolean {
  return /[1-9]/.test(amount);
}

/** Reads one value. Returns undefined if the value is invalid or needs the full reader. */
function plainValue({ type, numeric, most = 200, mostBytes, among }: Rule, given: unknown): unknown {
  if (type === 'function') return /function|string/.test(typeof given) ? given : undefined;
  if (type === 'boolean')
    return given === true || given === 'true' || (given !== false && given !== 'false' ? undefined : false);
  const text = numeric && typeof given === 'number' ? `${given}` : given;
  if (
    typeof text !== 'string' ||
    mostBytes ||
    type === 'array' ||
    type === 'decimals' ||
    text.length > most ||
    /[\0\p{Cs}]/u.test(text)
  )
    return undefined;
  if (type === 'decimal') {
    const amount = writtenAmount(given as string | number);
    return amount && isAboveZero(amount) ? amount : undefined;
  }
  if (type === 'currency') {
    const code = text.toUpperCase();
    // A lower-case name that the browser doesn't list as a currency could be an asset.
    return /^[a-z]{3,5}$/i.test(text) && (text === code || isFamiliar(code)) ? code : undefined;
  }
  return !among || among.includes(text) ? text : undefined;
}

const DEFAULTS = Object.fromEntries(OPTION_NAMES.map((name) => [name, RULES[name].default]));

/** Returns the same as {@link configure} for an ordinary button, otherwise null. Doesn't detect mistyped addresses. */
export function configurePlainly(given: RawOptions): Configuration | null {
  const record = ownFields(given);
  const read: Record<string, unknown> = { ...DEFAULTS };
  for (const name of OPTION_NAMES) {
    const value = record[name] ?? null;
    if (value === null || (value === '' && RULES[name].type !== 'boolean')) continue;
    read[name] = plainValue(RULES[name], value);
    if (read[name] === undefined) return null;
  }
  const options = read as unknown as SettledOptions;
  const { to, amount, currency } = options;
  // The full reader rounds computed amounts, and rejects amounts that exceed the supply.
  if (amount && (amount.length > 15 || /^\d{8}/.test(amount))) return null;
  const payment: PaymentOptions = { outputs: [] };
  if (to && amount && (accountKind(to) || ADDRESS.test(to)) && !(currency === 'BSV' && /^0\.0{8}/.test(amount)))
    payment.outputs.push({ to, amount, currency });
  else if (to || amount || record.currency || !options.devMode) return null;
  if (options.editable || options.min || options.max) return null;
  for (const name of ['clientIdentifier', ...METADATA_OPTIONS] as const)
    if (options[name]) payment[name] = options[name];
  if (options.preserveOrder) payment.preserveOrder = true;
  return { options, payment };
}
