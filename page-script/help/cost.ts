/** Calculates a payment's cost to the payer: satoshis at the current rate, plus the network fee. */
import type { PageRates } from '../../protocol/messages/page-messages.ts';
import type { PaymentOptions, RequestedOutput } from '../../protocol/payments/payment.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { decimalText, fixed } from '../text/decimals.ts';

const MAX_COINS = 21_000_000n;

/** Returns the error at these rates (an output is below one satoshi, or the total exceeds the supply), or null. */
export function valueFaultOf({ outputs }: PaymentOptions, { prices }: PageRates): ConfigurationError | null {
  let satoshis = 0n;
  for (const { amount, currency } of outputs) {
    const [own, units] = [prices[currency], fixed(amount)];
    if (!own || units <= 0n || fixed(own) <= 0n) continue;
    const value = (units * 100_000_000n) / fixed(own);
    if (!value) return new ConfigurationError('amount-too-small', `${amount} ${currency} is less than one satoshi.`);
    satoshis += value;
    if (satoshis > MAX_COINS * 100_000_000n)
      return new ConfigurationError(
        'invalid-amount',
        `data-amount: ${amount} ${currency} is more than ${MAX_COINS} coins at the present rate. Write a smaller amount.`,
      );
  }
  return null;
}

/** True if the user is the recipient. The wallet reveals the user's identity only to sites with an allowance. */
function isToPayer({ to, paymail, userId }: RequestedOutput, { payer }: PageRates): boolean {
  const recipient = (to ?? paymail ?? userId ?? '').toLowerCase();
  return !!payer && [payer.userId, payer.paymail].includes(recipient);
}

/** Size of a transaction with one input, change, and one P2PKH output (bytes). */
export const ORDINARY_BYTES = 226;

/** The approximate cost of a payment in the payer's currency, as decimal strings: the total, and the fee. */
export interface CostFigures {
  total: string;
  fee: string;
  currency: string;
  /** True if all recipients are the payer, in which case the fee is the only cost. */
  isOwn: boolean;
}

/** Returns the cost, or null if the rates are unknown. @param bytes the transaction's size */
export function costOf({ outputs }: PaymentOptions, rates: PageRates, bytes = ORDINARY_BYTES): CostFigures | null {
  const { currency, prices, feeRate } = rates;
  const others = outputs.filter((output) => !isToPayer(output, rates));
  try {
    const price = fixed(prices[currency]!);
    const fee =
      (BigInt(Math.ceil(bytes)) * BigInt(feeRate.satoshis) + BigInt(feeRate.bytes) - 1n) / BigInt(feeRate.bytes);
    const satoshis = others.reduce((total, output) => {
      const own = fixed(prices[output.currency]!);
      // Rounded half up, as in the wallet.
      return total + (fixed(output.amount) * 200_000_000n + own) / (2n * own);
    }, fee);
    return {
      total: decimalText((satoshis * price) / 100_000_000n),
      fee: decimalText((fee * price) / 100_000_000n),
      currency,
      isOwn: !others.some(({ amount }) => fixed(amount)),
    };
  } catch {
    return null; // A rate is missing or malformed. The wallet's window still shows the cost.
  }
}
