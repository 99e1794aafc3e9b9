/** A quote for sending a token or an ordinal. */
import type { ErrorCode, WireError } from '../errors.ts';
import type { ShownOutput } from './asking.ts';
import type { SentAsset } from './assets.ts';
import type { Rate } from './overview.ts';

/** See above. */
export interface AssetQuote {
  /** Null where a `problem` prevents it. */
  asset: SentAsset | null;
  /** Who gets it, as far as that is known. */
  recipient: ShownOutput | null;
  /** The recipient's problem, if any. There is then no `problem`. */
  badRecipient?: ErrorCode;
  feeSatoshis: string | null;
  rate: Rate | null;
  problem: WireError | null;
}
