/** What a payment pays: its outputs as asked for, and the scripts and satoshis that they became. */
import type { PaymentOutput } from '../../../protocol/payment.ts';
import type { Rate } from '../../../protocol/wallet-messages.ts';
import type { PaidScript, PaidHost } from '../paymail/paid-host.ts';

/** An output as asked for, and the scripts that it became. `host` is missing of older records. */
export type ResolvedOutput = PaymentOutput & { scripts: PaidScript[]; host?: PaidHost | null };

/** The outputs and their sum, at the rate of the moment of the swipe. */
export interface Quote {
  outputs: ResolvedOutput[];
  /** Sum of the outputs' amounts, decimal text in `currency`. */
  amount: string;
  currency: string;
  satoshis: bigint;
  /**
   * The rate that turned the amounts into satoshis. Missing where none was asked for: of what the user sends, and of
   * older records.
   */
  rate?: Rate;
  /** What `satoshis` were worth in USD then, decimal text; null where no rate was at hand. Missing of older records. */
  amountUsd?: string | null;
}
