/** Looks up the asset at this service that a report claims to pay. */
import { isAssetName } from '../../protocol/assets/asset-name.ts';
import type { PaymentReport } from '../../protocol/http/api.ts';
import { findAsset, type StoredAsset } from '../assets/store.ts';
import type { Database } from '../database/connect.ts';

export async function paidAsset(
  db: Database,
  { outputs }: PaymentReport,
  paymailDomain: string,
): Promise<StoredAsset | null> {
  const name = outputs.find(({ currency }) => isAssetName(currency))?.currency;
  return name === undefined ? null : findAsset(db, name, paymailDomain);
}
