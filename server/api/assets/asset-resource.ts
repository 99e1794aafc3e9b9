import type * as z from 'zod/mini';
import type { assetDocument } from '../../../protocol/compat/api-v1.ts';
import type { StoredAsset } from '../../assets/store.ts';
import { assetView } from '../../assets/view.ts';

/** Returns the JSON:API resource of an asset. @param paymailDomain this service's domain */
export function assetResource(stored: StoredAsset, paymailDomain: string): z.infer<typeof assetDocument>['data'] {
  const { id, name, description, avatar, url, protocol, decimals, state, ...view } = assetView(stored, paymailDomain);
  return {
    id,
    type: 'assets',
    attributes: {
      name,
      description,
      avatar,
      url,
      protocol,
      'initial-supply': view.initialSupply,
      decimals,
      'user-id': view.userId,
      'paymail-alias': view.paymailAlias,
      'paymail-domain': view.paymailDomain,
      state,
      'token-id': view.tokenId,
      'created-at': view.createdAt,
      'updated-at': view.updatedAt,
    },
  };
}
