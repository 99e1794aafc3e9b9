/** The table of all options (specification, sections 2.1 and 2.2). Options are defined only here. */
import { MAX_CLIENT_IDENTIFIER, MAX_OP_RETURN_BYTES, MAX_SCRIPT_TEXT } from '../../protocol/payments/limits.ts';
import { METADATA } from '../../protocol/payments/metadata.ts';
import type { ConfigurationReason } from '../configuration-error.ts';
import type { ButtonOptions } from './button-options.ts';

export type OptionName = keyof ButtonOptions;

/** How an option's value is parsed. The parsers are in read.ts. */
export type OptionType = 'text' | 'decimal' | 'currency' | 'choice' | 'boolean' | 'array' | 'decimals' | 'function';

/** A row of the table. {@link attributeOf} returns its attribute. */
export interface Rule {
  type: OptionType;
  /**
   * The default value, set in every row. Otherwise, a property that the page added to `Object.prototype` would be used.
   */
  default: unknown;
  most?: number;
  mostBytes?: number;
  /** True if JavaScript can also pass a number, which is converted to a string. */
  numeric?: true;
  among?: readonly string[];
  /** The error's reason if the value is invalid, by default `invalid-option`. */
  reason?: ConfigurationReason;
}

/** Options by name, in the specification's order. */
const TABLE = {
  to: { type: 'text', default: null, most: MAX_SCRIPT_TEXT, numeric: true, reason: 'invalid-recipient' },
  amount: { type: 'decimal', default: null, numeric: true, reason: 'invalid-amount' },
  currency: { type: 'currency', default: 'USD', reason: 'invalid-currency' },
  label: { type: 'text', default: '' },
  successMessage: { type: 'text', default: null },
  opReturn: { type: 'text', default: null, mostBytes: MAX_OP_RETURN_BYTES },
  outputs: { type: 'array', default: [] },
  cryptoOperations: { type: 'array', default: [] },
  clientIdentifier: { type: 'text', default: null, most: MAX_CLIENT_IDENTIFIER },
  buttonId: { type: 'text', default: null, most: METADATA.buttonId, numeric: true },
  buttonData: { type: 'text', default: null, most: METADATA.buttonData },
  refundOf: { type: 'text', default: null, most: METADATA.refundOf },
  type: { type: 'choice', default: 'buy', among: ['buy', 'tip'] },
  onPayment: { type: 'function', default: null },
  onCryptoOperations: { type: 'function', default: null },
  onError: { type: 'function', default: null },
  onLoad: { type: 'function', default: null },
  presets: { type: 'decimals', default: [], reason: 'invalid-amount' },
  min: { type: 'decimal', default: null, numeric: true, reason: 'invalid-amount' },
  max: { type: 'decimal', default: null, numeric: true, reason: 'invalid-amount' },
  editable: { type: 'boolean', default: false },
  disabled: { type: 'boolean', default: false },
  devMode: { type: 'boolean', default: false },
  repeatable: { type: 'boolean', default: false },
  preserveOrder: { type: 'boolean', default: false },
} as const satisfies { readonly [K in OptionName]: Rule };
/** The table with a common type for all rows. */
export const RULES: { readonly [K in OptionName]: Rule } = TABLE;

/** The type of an option after validation. Null means missing. */
type Settled<K extends OptionName, R = (typeof TABLE)[K]> = R extends { type: 'boolean' }
  ? boolean
  : R extends { type: 'array' }
    ? readonly unknown[]
    : R extends { type: 'decimals' }
      ? readonly string[]
      : R extends { type: 'function' }
        ? Exclude<ButtonOptions[K], undefined>
        : R extends { among: readonly (infer Choice)[] }
          ? Choice
          : R extends { default: null }
            ? string | null
            : string;

/** All options of a button. configuration.ts validates the elements of arrays. */
export type SettledOptions = { [K in OptionName]: Settled<K> };

export const OPTION_NAMES = Object.keys(RULES) as OptionName[];

export { attributeOf } from './notation.ts';
