/** What the part `options` brings. */
import { writtenAmount } from '../../protocol/written-amount.ts';
import { imbClass } from '../imb.ts';
import type { OptionsPart } from '../parts.ts';
import { configure } from './configuration.ts';
import { kindOf } from './outputs.ts';
import { isAboveZero } from './plain.ts';

/** See {@link OptionsPart}. */
export const OPTIONS_PART: OptionsPart = {
  configure,
  isRecipient: (text) => kindOf(text) !== null,
  amountOf: (text) => (isAboveZero(text) ? writtenAmount(text) : null),
  imbClass,
};
