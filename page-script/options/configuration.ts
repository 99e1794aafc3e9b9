/** The rules between options, and what of them goes to the wallet (specification, section 2.2). */
import type { PaymentOptions } from '../../protocol/payment.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { recipientKind } from '../../protocol/recipient.ts';
import type { OptionName, SettledOptions } from './button-options.ts';
import { isAbsent, readOptions } from './read.ts';
import { attributeOf, RULES } from './rules.ts';

/** A button that may be shown: its options, and what a swipe asks the wallet for. */
export interface Configuration {
  options: SettledOptions;
  /** Null for a demo that names no payment: nothing is asked for then. */
  payment: PaymentOptions | null;
}

/** Kinds of recipient that a button can pay today. The next issue adds the other three here. */
const PAYABLE = ['ADDRESS'];
/** Options that are known, yet do nothing today: a page that relies on one must not be paid without it. */
const NOT_YET: readonly OptionName[] = ['outputs', 'cryptoOperations', 'editable'];

/**
 * `to`, `amount` and `currency` come together, and never beside `outputs`. The currency has a default, so leaving it
 * out beside the other two is no fault.
 */
function checkTogether({ to, amount, outputs, cryptoOperations, devMode }: SettledOptions, currencyGiven: boolean): void {
  if (outputs.length > 0 && (to !== null || amount !== null || currencyGiven)) {
    throw new ConfigurationError('conflicting-options', 'data-outputs cannot stand beside data-to, data-amount or data-currency. Keep one of the two ways.');
  }
  if (to !== null && amount === null) {
    throw new ConfigurationError('missing-amount', 'data-to needs data-amount beside it, such as data-amount="0.10".');
  }
  // A demo may pay nobody, but half a payment is a mistake there too.
  const nothing = outputs.length + cryptoOperations.length === 0 && !devMode;
  if (to === null && (amount !== null || currencyGiven || nothing)) {
    throw new ConfigurationError('missing-recipient', 'This button pays nobody. Add data-to and data-amount.');
  }
}

function checkRecipient(to: string, devMode: boolean): void {
  const kind = recipientKind(to);
  if (kind === null) {
    throw new ConfigurationError('invalid-recipient', `data-to is ${JSON.stringify(to.slice(0, 60))}: no paymail, user ID, address or script. Look for a typing error.`);
  }
  // A demo pays nobody, so it may show a recipient that cannot be paid yet.
  if (!devMode && !PAYABLE.includes(kind)) {
    throw new ConfigurationError('unsupported-recipient', `data-to is of kind ${kind}, which cannot be paid yet. Use an address.`);
  }
}

/** What of the options goes to the wallet, as it is. */
const PASSED_ON = ['opReturn', 'clientIdentifier', 'buttonId', 'buttonData'] as const;

function paymentOf(options: SettledOptions): PaymentOptions | null {
  const { to, amount, currency } = options;
  if (to === null || amount === null) return null;
  const payment: PaymentOptions = { outputs: [{ to, amount, currency }] };
  for (const name of PASSED_ON) {
    const value = options[name];
    if (value !== null) payment[name] = value;
  }
  if (options.preserveOrder) payment.preserveOrder = true;
  return payment;
}

/**
 * Reads and checks everything a page gives for one button.
 * @throws ConfigurationError
 */
export function configure(given: Readonly<Record<string, unknown>>): Configuration {
  const options = readOptions(given);
  const { to, amount, currency, editable, devMode } = options;
  // An editable button ignores all of these (note to R-25), so they cannot be in each other's way.
  if (!editable) checkTogether(options, !isAbsent(given.currency, RULES.currency));
  for (const name of NOT_YET) {
    const value = options[name];
    if (!devMode && (value === true || (Array.isArray(value) && value.length > 0))) {
      throw new ConfigurationError('unsupported-option', `${attributeOf(name)} does not work yet. Remove it.`);
    }
  }
  if (to !== null && !editable) checkRecipient(to, devMode);
  // BSV is the only currency whose price is known here.
  if (currency === 'BSV' && /^0\.0{8}/.test(amount ?? '')) {
    throw new ConfigurationError('amount-too-small', 'data-amount is less than one satoshi (0.00000001 BSV).');
  }
  return { options, payment: paymentOf(options) };
}
