/** Routes for a user's assets. The service stores asset descriptions, and the user's wallet mints the tokens. */
import * as api from '../../../protocol/assets/assets.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { isMalleable } from '../../../protocol/bitcoin/p2pkh-unlock.ts';
import { parseTransactionHex } from '../../../protocol/bitcoin/transaction.ts';
import { checkChangedAsset, checkNewAsset } from '../../assets/details.ts';
import { checkMint } from '../../assets/check-mint.ts';
import {
  bindToken,
  changeAsset,
  createAsset,
  deleteAsset,
  findAsset,
  listAssets,
  readAsset,
} from '../../assets/store.ts';
import { assetView } from '../../assets/view.ts';
import type { ArcClient } from '../../chain/arc-client.ts';
import { assertChecked } from '../../http/problems.ts';
import { assertAccepted, finalStatus } from '../../payments/acceptance.ts';
import { readCursor, writeCursor } from '../../payments/read.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { routeMaker, type ApiContext } from '../route.ts';
import { ASSET, RAWTX, SIGNATURE } from '../openapi/samples.ts';

const ALL = '/api/v2/me/assets';
const ONE = `${ALL}/{id}` as const;
const shared = { tag: 'API v2' } as const;

/** Requests for another user's asset get 404 `not-found`, as if it didn't exist. */
export function assetRoutes(context: ApiContext & { arc: ArcClient }): RouteFamily {
  const {
    now,
    arc,
    addresses: { paymailDomain },
  } = context;
  const route = routeMaker(context);

  return serve([
    route(
      {
        ...shared,
        id: 'createAsset',
        method: 'post',
        path: ALL,
        summary: 'Creates an asset, which is pending until its owner’s wallet has minted it',
        by: ['users.asset:write'],
        body: api.newAsset,
        answers: { 201: api.asset },
        errors: ['invalid-request', 'handle-taken', 'too-many-assets'],
        once: true,
        example: {
          body: { name: ASSET.name, initialSupply: 1_000_000, protocol: 'bsv-21', decimals: 2, paymailAlias: 'garden' },
          answer: { ...ASSET, state: 'pending', tokenId: null },
        },
      },
      async ({ db, user, request }) =>
        assetView(
          await createAsset(db, user.id, assertChecked(checkNewAsset(request.body, paymailDomain)), now()),
          paymailDomain,
        ),
    ),
    route(
      {
        ...shared,
        id: 'listAssets',
        method: 'get',
        path: ALL,
        summary: 'Lists the user’s assets, newest first',
        by: ['users.asset:read'],
        query: api.assetListQuery,
        answers: { 200: api.assetsResponse },
        errors: ['invalid-request'],
        example: { query: { limit: '20' }, answer: { assets: [ASSET], nextCursor: null } },
      },
      async ({ db, user, query: { limit = '20', cursor } }) => {
        const after = cursor === undefined ? undefined : readCursor(cursor);
        const { assets, more } = await listAssets(db, user.id, { limit: Number(limit), after });
        const last = assets.at(-1);
        return {
          assets: assets.map((one) => assetView(one, paymailDomain)),
          nextCursor: more && last ? writeCursor(last) : null,
        };
      },
    ),
    route(
      {
        ...shared,
        id: 'readAsset',
        method: 'get',
        path: ONE,
        summary: 'Returns one of the user’s assets',
        by: ['users.asset:read'],
        answers: { 200: api.asset },
        errors: ['not-found'],
        example: { answer: ASSET },
      },
      async ({ db, user, params }) => assetView(await readAsset(db, user.id, String(params.id)), paymailDomain),
    ),
    route(
      {
        ...shared,
        id: 'changeAsset',
        method: 'put',
        path: ONE,
        summary: 'Changes the given fields of an asset: name, description or picture',
        by: ['users.asset:write'],
        body: api.changedAsset,
        answers: { 200: api.asset },
        errors: ['invalid-request', 'not-found'],
        once: true,
        example: { body: { name: ASSET.name, description: ASSET.description }, answer: ASSET },
      },
      async ({ db, user, params, request }) => {
        const changes = assertChecked(checkChangedAsset(request.body));
        return assetView(await changeAsset(db, user.id, String(params.id), changes, now()), paymailDomain);
      },
    ),
    route(
      {
        ...shared,
        id: 'deleteAsset',
        method: 'delete',
        path: ONE,
        summary: 'Deletes an asset that isn’t minted',
        by: ['users.asset:write'],
        answers: { 204: null },
        errors: ['not-found', 'asset-conflict'],
        once: true,
      },
      ({ db, user, params }) => deleteAsset(db, user.id, String(params.id)),
    ),
    route(
      {
        ...shared,
        id: 'reportMint',
        method: 'post',
        path: `${ONE}/mint`,
        summary:
          'Binds an asset to the token that its owner’s wallet minted, once the network has accepted the transaction. Idempotent',
        by: 'wallet',
        body: api.mintReport,
        answers: { 200: api.asset },
        errors: [
          'invalid-request',
          'not-found',
          'invalid-transaction',
          'asset-mismatch',
          'asset-conflict',
          'not-accepted',
          'network-unavailable',
        ],
        example: { body: { tokenId: ASSET.tokenId as string, rawtx: RAWTX, inputProof: SIGNATURE }, answer: ASSET },
      },
      async ({ db, user, params, body }) => {
        const held = await readAsset(db, user.id, String(params.id));
        if (held.tokenId === body.tokenId) return assetView(held, paymailDomain);
        const txid = checkMint(held, body, user.publicKey);
        const found = await arc.transaction(txid);
        assertAccepted(found);
        const state = finalStatus(found)?.status === 'COMPLETED' ? 'minted' : 'minting';
        // The token's ID contains the transaction ID, which third parties can change until the transaction is mined.
        if (state === 'minting' && isMalleable(parseTransactionHex(body.rawtx).version))
          throw new ServiceError('network-unavailable', {
            message: 'No block contains this transaction yet. Report it again later.',
          });
        return assetView(await bindToken(db, user.id, held.id, { tokenId: body.tokenId, state }, now()), paymailDomain);
      },
    ),
    route(
      {
        ...shared,
        id: 'findAsset',
        method: 'get',
        path: '/api/v2/assets/{name}',
        summary: 'Returns an asset that has a token, by its ID, its token’s ID, its paymail or its alias',
        by: 'anybody',
        answers: { 200: api.asset },
        errors: ['not-found'],
        example: { answer: ASSET },
      },
      async ({ db, params }) => {
        const asset = await findAsset(db, String(params.name).toLowerCase(), paymailDomain);
        if (!asset) throw new ServiceError('not-found');
        return assetView(asset, paymailDomain);
      },
    ),
  ]);
}
