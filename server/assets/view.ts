import { ASSET_PROTOCOL, type Asset } from '../../protocol/assets/assets.ts';
import type { StoredAsset } from './store.ts';

/** An asset as API v2 shows it. @param paymailDomain this service's domain */
export function assetView(stored: StoredAsset, paymailDomain: string): Asset {
  const { id, name, description, avatar, url, supply, decimals, ownerId, paymailAlias, state, tokenId } = stored;
  return {
    id,
    name,
    description,
    avatar,
    url,
    protocol: ASSET_PROTOCOL,
    initialSupply: String(supply),
    decimals,
    userId: String(ownerId),
    paymailAlias,
    paymailDomain,
    state,
    tokenId,
    createdAt: stored.createdAt.toISOString(),
    updatedAt: stored.updatedAt.toISOString(),
  };
}
