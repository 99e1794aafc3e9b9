/** What a payment pays: its outputs as requested, and the resulting scripts and satoshis. */
import type { PaymentOutput } from '../../../protocol/payment.ts';
import type { Rate } from '../../../protocol/wallet-messages.ts';
import type { PaidScript, PaidHost } from '../paymail/paid-host.ts';

/** An output as requested, and its scripts. `host` is absent where none was asked. */
export type ResolvedOutput = PaymentOutput & { scripts: PaidScript[]; host?: PaidHost | null };

/** The outputs and their sum, at the rate of the moment of the swipe. */
export interface Quote {
  outputs: ResolvedOutput[];
  /** Sum of the outputs' amounts, decimal text in `currency`. */
  amount: string;
  currency: string;
  satoshis: bigint;
  /**
   * The rate that turned the amounts into satoshis. Absent if none was requested: in the user's own sending, and in
   * older records.
   */
  rate?: Rate;
  /** What `satoshis` were worth in USD then, decimal text; null where no rate was at hand. Missing of what the user sends. */
  amountUsd?: string | null;
}
