/** What a payment stores besides where it sends or mints an asset: its coins and outputs, fixed when the user agreed. */
import type { TransactionOutput } from '../../../protocol/transaction.ts';
import type { SentAsset } from '../../../protocol/wallet-messages.ts';

/** See above. No allowance and no swipe ever makes such a payment. */
export interface AssetPart {
  asset: SentAsset;
  /** Of a mint: the asset that the token is of, and the origin of the service that describes it and is told. */
  mint?: {
    assetId: string;
    service: string;
    /** It was minted before the wallet was restored: which asset it was for is not certain. */
    isEarlier?: true;
  };
  /** Outpoints of the coins that carry it: spent first, in this order. None where it is minted. */
  coins: string[];
  /** Made first, in this order, so that an ordinal's satoshi goes where it is sent. */
  outputs: TransactionOutput[];
}
