/** The additional data of a payment that sends or mints an asset: coins and outputs, fixed when the user approved. */
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import type { SentAsset } from '../../protocol/messages/wallet-messages.ts';

/** See above. Neither allowances nor swipes make such payments. */
export interface AssetPart {
  asset: SentAsset;
  /** For a mint: the asset of the token, and the origin of the service that describes it and receives the report. */
  mint?: {
    assetId: string;
    service: string;
    /** True if it was minted before the wallet was restored, so the asset is uncertain. */
    isEarlier?: true;
  };
  /** Outpoints of the coins with the asset: spent first, in this order. Empty for a mint. */
  coins: string[];
  /** The first outputs, in this order, so that an ordinal's satoshi goes to its recipient. */
  outputs: TransactionOutput[];
}
