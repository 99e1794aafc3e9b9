/** A payment's outputs as requested, and the resulting scripts and satoshis. */
import type { PaymentOutput } from '../../protocol/payments/payment.ts';
import type { Rate } from '../../protocol/messages/wallet-messages.ts';
import type { PaidScript, PaidHost } from '../paymail/paid-host.ts';

/** An output as requested, and its scripts. `host` is missing if none was queried. */
export type ResolvedOutput = PaymentOutput & { scripts: PaidScript[]; host?: PaidHost | null };

/**
 * The only asset among the outputs: the token, the terms of its mint, and the service that named it (an origin).
 * `word`: the source of the terms (wallet/assets/asset-record.ts).
 */
export interface QuotedAsset {
  id: string;
  symbol: string | null;
  decimals: number;
  word: 'chain' | 'index';
  namedBy: string | null;
  /** Sum of these outputs in the token's smallest unit: text of a whole number. */
  units: string;
}

/** The outputs and their sum, at the rate at the time of the swipe. */
export interface Quote {
  outputs: ResolvedOutput[];
  /** Missing if everything is money. */
  asset?: QuotedAsset;
  /** Sum of the outputs' amounts in `currency`, decimal text: only the money if an asset is paid as well. */
  amount: string;
  currency: string;
  satoshis: bigint;
  /** The rate that turned the amounts into satoshis. Missing in the user's own sending, and in older records. */
  rate?: Rate;
  /** Value of `satoshis` in USD then, decimal text; null if unknown. Missing in the user's own sending. */
  amountUsd?: string | null;
}
