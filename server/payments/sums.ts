/** What a payment's transaction moves altogether, and what that was worth. Pure. */
import type { StoredPayment } from './stored-payment.ts';
import { atRate } from './worth.ts';

/** Sums in satoshis; null where the report did not say what the inputs hold. */
export interface PaymentSums {
  /** What the inputs hold. */
  input: bigint | null;
  /** What left the sender: the payment and the network fee. */
  spend: bigint | null;
  fee: bigint | null;
  /** What of the outputs is no part of the payment. */
  change: bigint | null;
}

/** Works the sums out. */
export function sumsOf({
  satoshis,
  inputSatoshis: input,
  outputSatoshis: outputs,
}: Pick<StoredPayment['payment'], 'satoshis' | 'inputSatoshis' | 'outputSatoshis'>): PaymentSums {
  const change = outputs === null ? null : outputs - satoshis;
  const fee = input === null || outputs === null ? null : input - outputs;
  return { input, change, fee, spend: fee === null ? null : satoshis + fee };
}

/** An amount in USD at the rate of when the payment was reported. Null where the amount or the rate is not known. */
export function inUsd(satoshis: bigint | null, usdRate: string | null): string | null {
  return satoshis === null || usdRate === null ? null : atRate(satoshis, usdRate);
}
