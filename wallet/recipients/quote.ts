/** A payment's outputs as requested, and the resulting scripts and satoshis. */
import type { PaymentOutput } from '../../protocol/payments/payment.ts';
import type { Rate } from '../../protocol/messages/wallet-messages.ts';
import type { PaidScript, PaidHost } from '../paymail/paid-host.ts';

/** An output as requested, with its scripts. `host` is missing if none was queried. */
export type ResolvedOutput = PaymentOutput & { scripts: PaidScript[]; host?: PaidHost | null };

/**
 * The only asset among the outputs: the token, its mint's metadata, and the origin of the service that named it.
 * `word`: the source of the metadata (wallet/assets/asset-record.ts).
 */
export interface QuotedAsset {
  id: string;
  symbol: string | null;
  decimals: number;
  word: 'chain' | 'index';
  namedBy: string | null;
  /** Sum of the asset's outputs in the token's smallest unit, as an integer string. */
  units: string;
}

/** The outputs and their sum, at the rate used for the quote. */
export interface Quote {
  outputs: ResolvedOutput[];
  asset?: QuotedAsset;
  /** Sum of the outputs' amounts in `currency`, as a decimal string. Excludes the asset, if any. */
  amount: string;
  currency: string;
  satoshis: bigint;
  /**
   * The rate used to convert amounts to satoshis. Missing in older records, and for payments that the user makes in the
   * wallet itself.
   */
  rate?: Rate;
  /**
   * USD value of `satoshis` when quoted, decimal string; null if unknown. Missing for payments that the user makes in
   * the wallet itself.
   */
  amountUsd?: string | null;
}
