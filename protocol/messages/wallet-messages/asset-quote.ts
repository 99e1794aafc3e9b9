/** A quote for sending a token or an ordinal. */
import type { ErrorCode, WireError } from '../../errors/service-error.ts';
import type { ShownOutput } from './asking.ts';
import type { SentAsset } from './assets.ts';
import type { Rate } from './overview.ts';

export interface AssetQuote {
  /** Null if a `problem` prevents the transfer. */
  asset: SentAsset | null;
  /** The recipient, if already resolved. */
  recipient: ShownOutput | null;
  /** Why the recipient is invalid. `problem` is then null. */
  badRecipient?: ErrorCode;
  feeSatoshis: string | null;
  rate: Rate | null;
  problem: WireError | null;
}
