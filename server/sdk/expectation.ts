/** The payment that a merchant expects. */
import { isAsset } from './check-tokens.ts';
import type { Payment } from './payment.ts';
import { VerificationError } from './verification-error.ts';

export interface ExpectedOutput {
  /**
   * As in the button: an address, a script as ASM or hex, or a paymail or user ID at the service. Paymails at other
   * hosts can't be checked, because only those hosts can tell whom the scripts pay.
   */
  to: string;
  /**
   * Minimum amount, as a decimal string or a number. A computed number such as `0.1 + 0.2` is rounded to the currency's
   * decimals, the same way the button rounds it.
   */
  amount: string | number;
  /** Maximum amount if the payer chooses it, as a decimal string or a number. Only for money. */
  max?: string | number;
  /** A currency code, or an asset's token ID, paymail, alias or ID at the service. */
  currency: string;
  /** The number of decimals in the token's mint, for a token ID that isn't one of the service's assets. */
  decimals?: number;
}

/** The expected payment: one recipient (`to`, `amount`, `currency`), or several (`outputs`). */
export type Expectation = (ExpectedOutput | { outputs: readonly ExpectedOutput[] }) & {
  /** The button's ID, which identifies the order. */
  buttonId?: string;
  /** Requires the payment to be mined. By default, a payment is accepted as soon as the network has it. */
  completed?: boolean;
  /** Accepts a payment whose `network` is `contested` or `unknown`, although it might never be mined. */
  acceptContested?: boolean;
  /** Tolerance for changing exchange rates, in percent below the price. Default: 5. */
  rateTolerancePercent?: number;
  /**
   * Accepts tokens that the service hasn't verified or can't verify. If set, check each output in a token index
   * yourself.
   */
  acceptUnverifiedTokens?: boolean;
};

/** True if checking the expected outputs requires rates that the payment doesn't contain. */
export function needsRates(payment: Payment, expect: Expectation): boolean {
  return expectedOutputs(expect).some(
    ({ currency }) =>
      !isAsset({ currency }) &&
      currency !== 'BSV' &&
      !(currency === 'USD' && payment.amountUsd !== null && payment.amountUsd !== undefined),
  );
}

export function expectedOutputs(expect: Expectation): readonly ExpectedOutput[] {
  const outputs = 'outputs' in expect ? expect.outputs : [expect];
  if (outputs.length === 0) throw new VerificationError('unsupported', '`expect` is empty.');
  return outputs;
}
