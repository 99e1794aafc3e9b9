/** Reads recipients and amounts from `to`, `amount` and `currency`, or from `outputs` (specification, section 2.2). */
import { isAssetName } from '../../protocol/assets/asset-name.ts';
import { MAX_OUTPUTS, MAX_PAYMAIL } from '../../protocol/payments/limits.ts';
import { isHexScript } from '../../protocol/bitcoin/opcodes.ts';
import type { RequestedOutput } from '../../protocol/payments/payment.ts';
import { recipientKind } from '../../protocol/payments/recipient.ts';
import { variablesIn } from '../../protocol/bitcoin/variables.ts';
import { roundedPrice } from '../../protocol/money/written-amount.ts';
import { compareDecimals } from '../../protocol/payments/choice.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { sum } from '../text/decimals.ts';
import { isAboveZero } from './plain.ts';
import { readFields, refuse } from './read.ts';
import { RULES } from './rules.ts';

/** The fields that can contain a recipient, and the kind that each requires. `to` accepts any kind. */
const KIND_OF = { to: '', paymail: 'PAYMAIL', userId: 'USER', address: 'ADDRESS', script: 'SCRIPT' };
type Kind = keyof typeof KIND_OF;
const KINDS = Object.keys(KIND_OF) as Kind[];
/** Rules for an element of `outputs`. Its currency has no default. */
const OUTPUT_RULES = {
  ...(Object.fromEntries(KINDS.map((kind) => [kind, RULES.to])) as Record<Kind, typeof RULES.to>),
  paymail: { ...RULES.to, most: MAX_PAYMAIL },
  amount: RULES.amount,
  currency: { ...RULES.currency, default: null },
  asset: { ...RULES.currency, default: null },
};
const MAX_COINS = '21000000';
/**
 * A data-only script, as ASM and as hexadecimal. Coins sent to such a script could never be spent, so the amount must
 * be 0.
 */
const DATA = /^((?:OP_FALSE|OP_0|0) )?OP_RETURN(?![^ ])/;
const DATA_HEX = /^(00)?6a/i;
/** Examples for messages to the page's author. */
const EXAMPLES = {
  recipient: 'a paymail, user ID, address or script',
  amount: 'a decimal number, such as "0.10"',
  currency: 'three to five letters, such as "USD"',
};

/**
 * Reads and validates a recipient and its amount.
 * @param given `{to | paymail | userId | address | script, amount, currency}`, not validated yet
 * @param nameOf returns a field's name as the author wrote it
 * @param operations names of the crypto operations, whose results replace `#{name}` in a script
 * @param mayBeNothing true to accept an amount of zero, which pays nothing
 * @returns null if there is nothing to pay
 * @throws ConfigurationError
 */
export function readOutput(
  given: unknown,
  nameOf: (field: string) => string,
  operations: readonly string[],
  mayBeNothing: boolean,
): RequestedOutput | null {
  const output = readFields<Record<Kind | 'amount' | 'currency' | 'asset', string | null>>(given, OUTPUT_RULES, nameOf);
  // Pages written for the original button may have an asset in `asset`.
  const currency = output.asset ?? output.currency;
  const amount = output.amount && currency ? roundedPrice(output.amount, currency) : output.amount;
  const [kind, other] = KINDS.filter((one) => output[one] !== null);
  const quoted = (field: Kind) => `${nameOf(field)} is ${JSON.stringify(output[field]!.slice(0, 60))}`;
  if (other)
    throw new ConfigurationError('conflicting-options', `${quoted(kind!)} and ${quoted(other)}: write one of them.`);
  const missing = !kind ? 'recipient' : !amount ? 'amount' : 'currency';
  if (!kind || !amount || !currency)
    throw new ConfigurationError(
      `missing-${missing}`,
      `${nameOf(kind ? missing : 'to')} is missing: write ${EXAMPLES[missing]}.`,
    );
  const recipient = output[kind]!;
  const filled = recipient.replace(/#\{(\w+)\}/g, (variable, name: string) =>
    operations.includes(name) ? '00' : variable,
  );
  const hex = kind === 'script' && isHexScript(recipient);
  const found = hex ? 'SCRIPT' : recipientKind(filled);
  // Pages written for the original button may have a paymail in `address`.
  const named = kind === 'address' && found === 'PAYMAIL' ? 'to' : kind;
  // Results of operations are inserted only into scripts. In a user ID or a paymail, a result could change the
  // recipient.
  if (!found || (filled !== recipient && found !== 'SCRIPT') || (named !== 'to' && found !== KIND_OF[named]))
    refuse(
      'invalid-recipient',
      nameOf(kind),
      recipient,
      kind === 'to' ? 'a paymail, user ID, address or script' : `a valid ${kind}`,
    );
  const unknown =
    found === 'SCRIPT' && operations[0] && variablesIn(recipient).find((name) => !operations.includes(name));
  if (unknown)
    throw new ConfigurationError(
      'invalid-recipient',
      `${quoted(kind)}: no operation is named ${unknown}. Add it to data-crypto-operations, or write one of ${operations.join(', ')}.`,
    );
  const data = found === 'SCRIPT' && (hex ? DATA_HEX : DATA).exec(recipient);
  if (data && !data[1])
    refuse('invalid-recipient', nameOf(kind), recipient, 'OP_FALSE OP_RETURN, as nodes reject OP_RETURN alone');
  const pays = isAboveZero(amount);
  if (!pays && !data && mayBeNothing) return null;
  if (pays === !!data)
    refuse(
      'invalid-amount',
      nameOf('amount'),
      amount,
      data ? '"0", as money sent to OP_FALSE OP_RETURN is lost' : 'above zero',
    );
  // For other currencies, the wallet checks the minimum, because the page doesn't have their prices.
  if (pays && currency === 'BSV' && /^0\.0{8}/.test(amount))
    refuse('amount-too-small', nameOf('amount'), amount, 'at least one satoshi (0.00000001 BSV)');
  if (pays) refuseTooMuch([{ amount, currency }], nameOf('amount'));
  return { [named]: recipient, amount, currency };
}

/** Checks BSV amounts against the total supply. The wallet checks other currencies. @throws ConfigurationError */
function refuseTooMuch(outputs: readonly Pick<RequestedOutput, 'amount' | 'currency'>[], where: string): void {
  const coins = outputs.filter(({ currency }) => currency === 'BSV').map(({ amount }) => amount);
  const total = sum(['0', ...coins]);
  if (compareDecimals(total, MAX_COINS) > 0)
    refuse('invalid-amount', where, total, `at most ${MAX_COINS}, the total supply`);
}

/** Reads `data-outputs`, which can contain only one currency and only one asset. @throws ConfigurationError */
export function readOutputs(
  elements: readonly unknown[],
  operations: readonly string[],
  mayBeNothing: boolean,
): RequestedOutput[] {
  if (elements.length > MAX_OUTPUTS)
    refuse('invalid-option', 'data-outputs', elements, `of at most ${MAX_OUTPUTS} outputs`);
  const outputs = elements
    .map((element, i) => readOutput(element, (field) => `data-outputs[${i}].${field}`, operations, mayBeNothing))
    .filter((output) => output !== null);
  refuseTooMuch(outputs, 'the sum of data-outputs');
  const units = [...new Set(outputs.map(({ currency }) => currency))];
  if (units.length > 1 && (units.length > 2 || isAssetName(units[0]!) === isAssetName(units[1]!)))
    throw new ConfigurationError(
      'mixed-currencies',
      `data-outputs has the currencies ${units.slice(0, 5).join(', ')}: write one for all, and at most one asset.`,
    );
  return outputs;
}
