/**
 * Reads the options of an ordinary button: one recipient that is no script, an amount, and texts. Everything else, right or
 * wrong, is left to the whole reader (configuration.ts), which few pages need: it is a part that is loaded for it.
 */
import { METADATA_NAMES } from '../../protocol/metadata.ts';
import type { PaymentOptions } from '../../protocol/payment.ts';
import type { RecipientKind } from '../../protocol/payment-types.ts';
import { plainRecipientKind } from '../../protocol/recipient.ts';
import { writtenAmount } from '../../protocol/written-amount.ts';
import { ownFields } from '../records.ts';
import { isFamiliar } from '../unclear-currency.ts';
import { OPTION_NAMES, RULES, type Rule, type SettledOptions } from './rules.ts';

/** The options as the page gave them, unread. */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** A button that may be shown: its options, and what a swipe asks the wallet for. */
export interface Configuration {
  options: SettledOptions;
  /** Without outputs while the user has yet to fill in a form, and in a demo that names none. */
  payment: PaymentOptions;
}

let last: { text: string; kind: RecipientKind | null } | null = null;

/**
 * The kind of a recipient that is no script, remembered once: the buttons of a page often pay the same, and the checksum takes
 * a while.
 */
export function plainKindOf(text: string): RecipientKind | null {
  if (last?.text !== text) last = { text, kind: plainRecipientKind(text) };
  return last.kind;
}

/** True for decimal text that is not zero. */
export function isAboveZero(amount: string): boolean {
  return /[1-9]/.test(amount);
}

/** One value, or undefined where it is wrong or takes a closer look. */
function plainValue({ type, numeric, most = 200, mostBytes, among }: Rule, given: unknown): unknown {
  if (type === 'function') return /function|string/.test(typeof given) ? given : undefined;
  if (type === 'boolean')
    return given === true || given === 'true' || (given !== false && given !== 'false' ? undefined : false);
  const text = numeric && typeof given === 'number' ? `${given}` : given;
  if (typeof text !== 'string' || mostBytes || type === 'array' || text.length > most || /[\0\p{Cs}]/u.test(text))
    return undefined;
  if (type === 'decimal') {
    const amount = writtenAmount(given as string | number);
    return amount && isAboveZero(amount) ? amount : undefined;
  }
  if (type === 'currency') {
    const code = text.toUpperCase();
    // In lower case, what the browser does not know may be the name of an asset.
    return /^[a-z]{3,5}$/i.test(text) && (text === code || isFamiliar(code)) ? code : undefined;
  }
  return !among || among.includes(text) ? text : undefined;
}

/** What {@link configure} gives for these options, if they are an ordinary button's, else null. */
export function configurePlainly(given: GivenOptions): Configuration | null {
  const record = ownFields(given);
  const read: Record<string, unknown> = {};
  for (const name of OPTION_NAMES) {
    const [value, { default: usual, type }] = [record[name] ?? null, RULES[name]];
    read[name] = value === null || (value === '' && type !== 'boolean') ? usual : plainValue(RULES[name], value);
    if (read[name] === undefined) return null;
  }
  const options = read as unknown as SettledOptions;
  const { to, amount, currency } = options;
  const payment: PaymentOptions = { outputs: [] };
  if (to && amount && plainKindOf(to) && !(currency === 'BSV' && /^0\.0{8}/.test(amount)))
    payment.outputs.push({ to, amount, currency });
  else if (to || amount || record.currency || !options.devMode) return null;
  if (options.editable) return null;
  for (const name of ['clientIdentifier', ...METADATA_NAMES] as const) if (options[name]) payment[name] = options[name];
  if (options.preserveOrder) payment.preserveOrder = true;
  return { options, payment };
}
