import * as z from 'zod/mini';
import * as api from '../../protocol/compat/api-v1.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { checkChangedAsset, checkNewAsset } from '../assets/details.ts';
import { changeAsset, countAssets, createAsset, deleteAsset, listAssets, readAsset } from '../assets/store.ts';
import { readBody } from '../http/body.ts';
import { jsonapi } from '../http/json-api.ts';
import { assertChecked, unknownMember } from '../http/problems.ts';
import { serve, type RouteFamily } from '../routing/route.ts';
import { namedUser } from '../api/access.ts';
import { assetResource } from '../api/assets/asset-resource.ts';
import { routeMaker, type ApiContext } from '../api/route.ts';
import { ASSET, ASSET_RESOURCE } from '../api/openapi/samples.ts';

const ALL = '/api/v1/users/{id}/assets';
const ONE = '/api/v1/assets/{id}';
const shared = { tag: 'API v1' } as const;
const written = { bodyType: api.JSON_API, once: true } as const;

/** Requests for another user's asset get 404 `not-found`, as if it didn't exist. */
export function v1AssetRoutes(context: ApiContext): RouteFamily {
  const {
    now,
    addresses: { paymailDomain },
  } = context;
  const route = routeMaker(context);

  return serve([
    route(
      {
        ...shared,
        id: 'listAssetDocuments',
        method: 'get',
        path: ALL,
        summary: 'The user’s assets, in pages',
        by: ['users.asset:read'],
        query: api.userAssetsQuery,
        answers: { 200: api.assetsDocument },
        errors: ['not-found', 'invalid-request'],
        example: {
          query: { 'page[number]': '1', 'page[size]': '20' },
          answer: { data: [ASSET_RESOURCE], meta: { 'total-pages': 1 }, jsonapi },
        },
      },
      async ({ db, access, params, query }) => {
        const { id } = namedUser(access, params.id);
        const limit = Number(query['page[size]'] ?? 20);
        const offset = (Number(query['page[number]'] ?? 1) - 1) * limit;
        const [{ assets }, held] = [await listAssets(db, id, { limit, offset }), await countAssets(db, id)];
        return {
          data: assets.map((one) => assetResource(one, paymailDomain)),
          meta: { 'total-pages': Math.ceil(held / limit) },
          jsonapi,
        };
      },
    ),
    route(
      {
        ...shared,
        ...written,
        id: 'createAssetDocument',
        method: 'post',
        path: ALL,
        summary: 'Creates an asset, which is pending until its owner’s wallet has minted it',
        by: ['users.asset:write'],
        body: api.newAssetDocument,
        answers: { 201: api.assetDocument },
        errors: ['not-found', 'invalid-request', 'handle-taken', 'too-many-assets'],
        example: {
          body: {
            data: { type: 'assets', attributes: { name: ASSET.name, 'initial-supply': 1_000_000, protocol: 'bsv-21' } },
          },
          answer: {
            data: {
              ...ASSET_RESOURCE,
              attributes: { ...ASSET_RESOURCE.attributes, state: 'pending', 'token-id': null },
            },
            jsonapi,
          },
        },
      },
      async ({ db, access, params, request }) => {
        const { id } = namedUser(access, params.id);
        const details = assertChecked(checkNewAsset(attributesOf(request.body), paymailDomain));
        return { data: assetResource(await createAsset(db, id, details, now()), paymailDomain), jsonapi };
      },
    ),
    route(
      {
        ...shared,
        id: 'readAssetDocument',
        method: 'get',
        path: ONE,
        summary: 'Returns one of the user’s assets',
        by: ['users.asset:read'],
        answers: { 200: api.assetDocument },
        errors: ['not-found'],
        example: { answer: { data: ASSET_RESOURCE, jsonapi } },
      },
      async ({ db, user, params }) => ({
        data: assetResource(await readAsset(db, user.id, String(params.id)), paymailDomain),
        jsonapi,
      }),
    ),
    route(
      {
        ...shared,
        ...written,
        id: 'changeAssetDocument',
        method: 'patch',
        path: ONE,
        summary: 'Changes the given fields of an asset: name, description or picture',
        by: ['users.asset:write'],
        body: api.changedAssetDocument,
        answers: { 200: api.assetDocument },
        errors: ['not-found', 'invalid-request'],
        example: {
          body: { data: { id: ASSET.id, type: 'assets', attributes: { name: ASSET.name } } },
          answer: { data: ASSET_RESOURCE, jsonapi },
        },
      },
      async ({ db, user, params, request }) => {
        const id = String(params.id);
        const changes = assertChecked(checkChangedAsset(attributesOf(request.body, id)));
        return { data: assetResource(await changeAsset(db, user.id, id, changes, now()), paymailDomain), jsonapi };
      },
    ),
    route(
      {
        ...shared,
        id: 'deleteAssetDocument',
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
  ]);
}

const resource = z.strictObject({
  data: z.strictObject({
    id: z.optional(z.string()),
    type: z.literal('assets'),
    attributes: z.record(z.string().check(z.maxLength(50)), z.unknown()),
  }),
});

/**
 * Converts a document's attributes to their API v2 names so that both versions share the same validation.
 * @param id the resource's ID, which an update must repeat (JSON:API 1.0, "Updating Resources"); undefined for a new
 * resource
 * @throws ServiceError `invalid-request`
 */
function attributesOf(body: unknown, id?: string): Record<string, unknown> {
  const { data } = readBody(resource, body);
  if (data.id?.toLowerCase() !== id?.toLowerCase())
    throw new ServiceError('invalid-request', {
      message:
        id === undefined
          ? 'A new asset must not have an id. The service assigns it.'
          : 'The document’s id must be the one in the path.',
    });
  const names = Object.keys(data.attributes);
  // API v2 names are rejected so that no attribute can appear under two names.
  const unknown = names.filter((name) => /[A-Z]/.test(name));
  if (unknown.length > 0) throw new ServiceError('invalid-request', { message: unknownMember(unknown) });
  return Object.fromEntries(
    Object.entries(data.attributes).map(([name, value]) => [
      name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
