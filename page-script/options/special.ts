/** Determines display properties of payments with several outputs, assets or scripts. */
import { isAssetName, isBareAlias } from '../../protocol/assets/asset-name.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import type { amountText } from '../text/amount-text.ts';
import { sum } from '../text/decimals.ts';
import { ORDINARY_BYTES } from '../help/cost.ts';
import type { Texts } from '../text/texts.ts';
import type { Special } from './plain.ts';
import { clarify } from './unclear-currency.ts';

/** Size of an additional P2PKH output (bytes). */
const OUTPUT_BYTES = 34;

/** Estimates the transaction's size (bytes) for one input, because the number of inputs is unknown. */
function bytesOf({ outputs, opReturn = '' }: PaymentOptions): number {
  const data = new TextEncoder().encode(opReturn).length;
  return (
    outputs.reduce(
      (size, { to, script }) => size + Math.max(OUTPUT_BYTES, (script ?? to ?? '').length / 2),
      ORDINARY_BYTES - OUTPUT_BYTES,
    ) + (data && data + 16)
  );
}

/** Returns an asset's unit: its alias, or "tokens" if the page uses an ID. Only the wallet has the token's symbol. */
const unitOf = (currency: string, amount: string, { tokens }: Texts) =>
  isAssetName(currency) && !isBareAlias(currency) && !currency.includes('@')
    ? tokens[amount === '1' ? 0 : 1]
    : currency.slice(0, 16).replace(/@.*/, '');

/** Returns the display properties of this payment. */
export function specialOf(payment: PaymentOptions): Special {
  const { outputs } = payment;
  return {
    clarify: clarify(payment),
    paysAsset: outputs.some(({ currency }) => isAssetName(currency)),
    bytes: bytesOf(payment),
    amount: (text: typeof amountText, locale, texts) =>
      [...new Set(outputs.map(({ currency }) => currency))]
        .map((currency) => {
          const amounts = outputs.filter((output) => output.currency === currency).map(({ amount }) => amount);
          const amount = sum(amounts);
          return text(amount, currency, locale, unitOf(currency, amount, texts));
        })
        .join(' + '),
  };
}
