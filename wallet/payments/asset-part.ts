/** Additional data for a payment that sends or mints an asset. */
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import type { SentAsset } from '../../protocol/messages/wallet-messages.ts';

/** An asset with its coins and outputs, as approved by the user. Allowances and swipes can't send assets. */
export interface AssetPart {
  asset: SentAsset;
  /** For a mint: the token's asset, and the origin of the service that describes it and receives the report. */
  mint?: {
    assetId: string;
    service: string;
    /** True if the token was minted before the wallet was restored, in which case its asset is uncertain. */
    isEarlier?: true;
  };
  /** Outpoints of the coins that carry the asset, spent first and in this order. Empty for a mint. */
  coins: string[];
  /** The transaction's first outputs. Their order determines who receives an ordinal's satoshi. */
  outputs: TransactionOutput[];
}
