/** Totals of a payment's transaction, in satoshis and USD. Pure. */
import type { StoredPayment } from './stored-payment.ts';
import { atRate } from './worth.ts';

/** Totals in satoshis; null if the report lacks the inputs' values. */
export interface PaymentSums {
  input: bigint | null;
  /** The payment plus the network fee. */
  spend: bigint | null;
  fee: bigint | null;
  /** The outputs that aren't part of the payment. */
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

/** Converts satoshis to USD at the report's rate. Null if the amount or rate is unknown. */
export function inUsd(satoshis: bigint | null, usdRate: string | null): string | null {
  return satoshis === null || usdRate === null ? null : atRate(satoshis, usdRate);
}
