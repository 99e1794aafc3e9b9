/** The amounts that a visitor can choose from: `data-presets`, `data-min` and `data-max`. */
import { isAssetName } from '../../protocol/assets/asset-name.ts';
import { compareDecimals, isWithin } from '../../protocol/payments/choice.ts';
import type { RequestedOutput } from '../../protocol/payments/payment.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { readOutput } from './outputs.ts';
import { isAboveZero, type ButtonChoice } from './plain.ts';
import { refuse } from './read.ts';
import { attributeOf, type SettledOptions } from './rules.ts';

/** Maximum number of presets, limited by the width of a narrow button. */
const MAX_PRESETS = 6;

/**
 * Returns the amounts that the visitor can choose, or undefined if the page sets the amount.
 * @throws ConfigurationError if options contradict each other
 */
export function readChoice(options: SettledOptions): ButtonChoice | undefined {
  const { presets, min, max, amount, outputs, currency } = options;
  if (!presets[0] && min === null && max === null) return undefined;
  if (outputs.length > 0 || isAssetName(currency))
    throw new ConfigurationError(
      'conflicting-options',
      'data-presets, data-min and data-max are for one recipient (data-to) who gets money.',
    );
  if (presets.length > MAX_PRESETS) refuse('invalid-option', 'data-presets', presets, `at most ${MAX_PRESETS} amounts`);
  const bounds = { min: min ?? undefined, max: max ?? undefined };
  for (const [name, given] of Object.entries({ min, max, amount }))
    if (given !== null && !isAboveZero(given)) refuse('invalid-amount', attributeOf(name), given, 'above zero');
  if (min !== null && max !== null && compareDecimals(min, max) > 0)
    refuse('invalid-amount', 'data-min', min, `at most data-max (${max})`);
  for (const [name, amounts] of [
    ['data-presets', presets],
    ['data-amount', amount === null ? [] : [amount]],
  ] as const)
    for (const one of amounts)
      if (!isAboveZero(one) || !isWithin(one, bounds))
        refuse('invalid-amount', name, one, 'above zero and between data-min and data-max');
  return { presets, amount, ...bounds };
}

/**
 * Returns the page's recipient with the chosen amount, or no output until the visitor has chosen an amount.
 * @throws ConfigurationError for invalid choices
 */
export function chosenOutput(
  options: SettledOptions,
  { presets, min, max, amount }: ButtonChoice,
  chosen: string | null,
): RequestedOutput[] {
  const output = (of: string) => readOutput({ ...options, amount: of }, attributeOf, [], false);
  for (const one of [...presets, min, max, amount]) if (one) output(one);
  if (!presets[0] && !min && !max && !amount) return [];
  const paid = chosen === null ? null : output(chosen);
  return paid ? [paid] : [];
}
