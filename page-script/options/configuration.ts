/** Validates combinations of options, and builds the request to the wallet (specification, section 2.2). */
import { isAssetName } from '../../protocol/assets/asset-name.ts';
import { METADATA, METADATA_OPTIONS } from '../../protocol/payments/metadata.ts';
import type { PaymentOptions, RequestedOutput } from '../../protocol/payments/payment.ts';
import { ConfigurationError } from '../configuration-error.ts';
import type { Chosen } from '../page/parts.ts';
import { ownFields } from '../page/records.ts';
import { readCryptoOperations } from './crypto-operations.ts';
import { chosenOutput, readChoice } from './choice.ts';
import { readOutput, readOutputs } from './outputs.ts';
import type { Configuration, RawOptions } from './plain.ts';
import { readFields, readOptions } from './read.ts';
import { attributeOf, RULES, type SettledOptions } from './rules.ts';

/** Reads the recipients. The page can set either `to`, `amount` and `currency`, or `outputs`. */
function readPayees(
  options: SettledOptions,
  currencyGiven: boolean,
  operations: readonly string[],
  mayBeNothing: boolean,
): RequestedOutput[] {
  const { to, amount, outputs, devMode } = options;
  const group = to !== null || amount !== null || currencyGiven;
  if (outputs.length > 0) {
    const other = to !== null ? 'to' : amount !== null ? 'amount' : currencyGiven ? 'currency' : null;
    if (other)
      throw new ConfigurationError(
        'conflicting-options',
        `data-outputs and ${attributeOf(other)}="${String(options[other]).slice(0, 60)}" contradict each other: remove one, or write the latter into the elements of data-outputs.`,
      );
    return readOutputs(outputs, operations, mayBeNothing);
  }
  // Demos and pure crypto operations don't need a recipient, but a recipient without an amount is still an error.
  if (!group && (operations.length > 0 || devMode)) return [];
  const output = readOutput(options, attributeOf, operations, mayBeNothing);
  return output ? [output] : [];
}

/**
 * Removes the options that an editable button ignores. All other options are only suggestions, so invalid ones are
 * dropped.
 */
function withoutIgnored(given: RawOptions): RawOptions {
  if (!readFields<Pick<SettledOptions, 'editable'>>(given, { editable: RULES.editable }, attributeOf).editable)
    return given;
  const kept: Record<string, unknown> = { ...given, amount: null, outputs: null, presets: null, min: null, max: null };
  for (const name of ['to', 'currency'] as const) {
    try {
      const read = readFields<Record<string, string>>({ [name]: given[name] }, { [name]: RULES[name] }, attributeOf);
      // The form only supports money.
      if (name === 'currency' && isAssetName(read[name]!))
        kept[name] = /^[a-z]{3,5}$/.test(read[name]!) ? read[name]!.toUpperCase() : null;
    } catch {
      kept[name] = null;
    }
  }
  return kept;
}

/**
 * Reads and validates all options of a button.
 * @param chosen the visitor's choice of amount, and note
 * @param mayBeNothing true to accept an amount of zero, which pays nothing
 * @throws ConfigurationError
 */
export function configure(page: RawOptions, mayBeNothing = false, chosen?: Chosen): Configuration {
  const given = withoutIgnored(page);
  const options = readOptions(given);
  const cryptoOperations = readCryptoOperations(options.cryptoOperations);
  const names = cryptoOperations.map(({ name }) => name);
  const choice = readChoice(options);
  const payment: PaymentOptions = {
    // In an editable button, the user enters the recipient and the amount.
    outputs: options.editable
      ? []
      : choice
        ? chosenOutput(options, choice, chosen?.amount ?? null)
        : readPayees(options, !!ownFields(given).currency, names, mayBeNothing),
  };
  // These options are passed to the wallet unchanged.
  for (const name of ['opReturn', 'clientIdentifier', ...METADATA_OPTIONS] as const) {
    // A label that exceeds its limit is truncated, without splitting a surrogate pair.
    const value =
      name === 'label' ? options.label.slice(0, METADATA.label).replace(/[\ud800-\udbff]$/, '') || null : options[name];
    if (value !== null) payment[name] = value;
  }
  if (payment.opReturn && !payment.outputs[0] && !options.editable && !choice && !options.devMode) {
    throw new ConfigurationError(
      'missing-recipient',
      `data-op-return="${payment.opReturn.slice(0, 60)}" is written with a payment: add data-to, data-amount and data-currency.`,
    );
  }
  if (names.length > 0) payment.cryptoOperations = cryptoOperations;
  if (options.preserveOrder) payment.preserveOrder = true;
  const fixed = { ...payment, label: undefined, outputs: [] };
  const pageRequest = choice && JSON.stringify([fixed, choice, options.to, options.currency]);
  if (choice && payment.outputs[0]) {
    const { min, max } = choice;
    if (min ?? max) payment.choice = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
    if (chosen?.note) payment.payerNote = chosen.note;
  }
  return { options, payment, choice, pageRequest };
}
