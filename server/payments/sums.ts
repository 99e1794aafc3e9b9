/** Sums of a payment's transaction, in satoshis and in dollars. Pure. */
import type { StoredPayment } from './stored-payment.ts';
import { atRate } from './worth.ts';

/** Sums in satoshis; null if the report didn't state the inputs' value. */
export interface PaymentSums {
  input: bigint | null;
  /** The payment and the network fee. */
  spend: bigint | null;
  fee: bigint | null;
  /** Outputs that aren't part of the payment. */
  change: bigint | null;
}

export function sumsOf({
  satoshis,
  inputSatoshis: input,
  outputSatoshis: outputs,
}: Pick<StoredPayment['payment'], 'satoshis' | 'inputSatoshis' | 'outputSatoshis'>): PaymentSums {
  const change = outputs === null ? null : outputs - satoshis;
  const fee = input === null || outputs === null ? null : input - outputs;
  return { input, change, fee, spend: fee === null ? null : satoshis + fee };
}

/** An amount in USD at the rate when the payment was reported. Null if the amount or the rate is unknown. */
export function inUsd(satoshis: bigint | null, usdRate: string | null): string | null {
  return satoshis === null || usdRate === null ? null : atRate(satoshis, usdRate);
}
