import { recipientKind } from '../../protocol/payments/recipient.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { imbClass } from '../compat/imb.ts';
import type { OptionsPart } from '../page/parts.ts';
import { configure } from './configuration.ts';
import { isOfNetwork } from './networks.ts';
import { specialOf } from './special.ts';

export const OPTIONS_PART: OptionsPart = {
  configure(given, hasForm, chosen) {
    const read = configure(given, false, chosen);
    if ((!read.options.editable && !read.choice) || hasForm) return { ...read, special: specialOf(read.payment) };
    throw new ConfigurationError(
      'missing-part',
      'data-editable and data-presets, data-min and data-max need button.form.js. Allow it in the policy of the page, or include it after button.js.',
    );
  },
  isRecipient: (text, network) => recipientKind(text) !== null && isOfNetwork(text, network),
  imbClass,
};
