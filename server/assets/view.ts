import { ASSET_PROTOCOL, type Asset } from '../../protocol/assets/assets.ts';
import type { StoredAsset } from './store.ts';

/** Returns an asset in API v2's format. @param paymailDomain this service's domain */
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
