import type { AssetBalance } from '../../protocol/signed-messages/balance-message.ts';
import { decimalText } from '../../protocol/money/money.ts';
import type { Database } from '../database/connect.ts';
import { assetsOfTokens, type StoredAsset } from './store.ts';

/** Returns this service's assets among a wallet's published tokens, with their amounts as decimal strings. */
export async function heldAssets(
  db: Database,
  held: readonly AssetBalance[],
): Promise<{ asset: StoredAsset; amount: string }[]> {
  const known = await assetsOfTokens(
    db,
    held.map(({ tokenId }) => tokenId),
  );
  return held.flatMap(({ tokenId, amount }) => {
    const asset = known.get(tokenId);
    return asset ? [{ asset, amount: decimalText(BigInt(amount), asset.decimals) }] : [];
  });
}
