/** What a payment pays: its outputs as requested, and the resulting scripts and satoshis. */
import type { PaymentOutput } from '../../../protocol/payment.ts';
import type { Rate } from '../../../protocol/wallet-messages.ts';
import type { PaidScript, PaidHost } from '../paymail/paid-host.ts';

/** An output as requested, and its scripts. `host` is absent where none was asked. */
export type ResolvedOutput = PaymentOutput & { scripts: PaidScript[]; host?: PaidHost | null };

/**
 * The one asset of which some outputs hold: the token, what its mint says, and the service that named it (an origin).
 * `word`: whose word the mint's is (assets/asset-record.ts).
 */
export interface QuotedAsset {
  id: string;
  symbol: string | null;
  decimals: number;
  word: 'chain' | 'index';
  namedBy: string | null;
  /** What all of them hold together, in the token's smallest unit: text of a whole number. */
  units: string;
}

/** The outputs and their sum, at the rate of the moment of the swipe. */
export interface Quote {
  outputs: ResolvedOutput[];
  /** Missing where all of it is money. */
  asset?: QuotedAsset;
  /** Sum of the outputs' amounts in `currency`, decimal text: that of the money where an asset is paid along with it. */
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
