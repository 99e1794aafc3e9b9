/** Queries a payment's cost, and checks that the payment can be made. */
import { ConfigurationError } from '../configuration-error.ts';
import { networkFaultOf } from '../options/networks.ts';
import type { HelpPart } from '../page/parts.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import { costTexts } from './cost-text.ts';
import { costOf, valueFaultOf } from './cost.ts';

export const askCost: HelpPart['askCost'] = async ({ payment, options, special }, asked, network, receiver) => {
  const rates = (await asked?.catch(({ code }: PaymentError) => (code === 'invalid-currency' ? code : null))) ?? null;
  if (receiver.isOver()) return;
  const known = typeof rates === 'string' ? null : rates;
  const fault =
    rates === 'invalid-currency'
      ? new ConfigurationError(
          rates,
          `data-currency is "${(payment.outputs[0] ?? options).currency}": no rate is known. Write another, such as "USD".`,
        )
      : (networkFaultOf(payment, network()) ?? (known && valueFaultOf(payment, known)));
  if (fault && receiver.wrong(fault)) return;
  const figures = known && payment.outputs[0] && costOf(payment, known, special?.bytes);
  receiver.answered(known?.currency, figures ? (...page) => costTexts(figures, ...page) : null);
};
