/** Which asset of this service a report says that it pays. */
import { isAssetName } from '../../protocol/asset-name.ts';
import type { PaymentReport } from '../../protocol/api.ts';
import { findAsset, type StoredAsset } from '../assets/store.ts';
import type { Database } from '../database/connect.ts';

/** It, by the name that its page gave; null where it pays none, or one that is not known here. */
export async function paidAsset(
  db: Database,
  { outputs }: PaymentReport,
  paymailDomain: string,
): Promise<StoredAsset | null> {
  const name = outputs.find(({ currency }) => isAssetName(currency))?.currency;
  return name === undefined ? null : findAsset(db, name, paymailDomain);
}
