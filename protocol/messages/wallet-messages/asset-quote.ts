/** A quote for sending a token or an ordinal. */
import type { ErrorCode, WireError } from '../../errors/service-error.ts';
import type { ShownOutput } from './asking.ts';
import type { SentAsset } from './assets.ts';
import type { Rate } from './overview.ts';

export interface AssetQuote {
  /** Null if a `problem` prevents it. */
  asset: SentAsset | null;
  /** The recipient, as far as known. */
  recipient: ShownOutput | null;
  /** The recipient's problem, if any. There is then no `problem`. */
  badRecipient?: ErrorCode;
  feeSatoshis: string | null;
  rate: Rate | null;
  problem: WireError | null;
}
