import { MAX_ASSETS } from '../../../../protocol/assets/assets.ts';
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { checkChangedAsset, checkNewAsset } from '../../../assets/details.ts';
import { ALIAS_TAKEN, changeAsset, createAsset, deleteAsset, listAssets, readAsset } from '../../../assets/store.ts';
import type { Problems } from '../../../http/problems.ts';
import type { Fields } from '../../form.ts';
import { assetFormPage, changesOfFields, detailsOfFields, fieldsOfAsset } from './asset-form.ts';
import { assetPage, assetsPage, deleteAssetPage } from './asset-page.ts';
import type { AccountContext, AccountRouter, Visit } from '../account-router.ts';

const ALL = '/account/assets';
const ONE = `${ALL}/:id`;

/** Serves GET and POST under /account/assets. Requests for other users' assets get 404. */
export function assetPages({ get, post }: AccountRouter, { db, now, addresses }: AccountContext): void {
  const { paymailDomain } = addresses;
  const assetOf = ({ viewer, request }: Visit) => readAsset(db, viewer.user.id, String(request.params.id));
  const newPage = (visit: Visit, values: Fields, problems: Problems | null) =>
    assetFormPage(null, visit, { words: visit.words, values, problems }, paymailDomain);

  get(ALL, async (visit) =>
    assetsPage((await listAssets(db, visit.viewer.user.id, { limit: MAX_ASSETS })).assets, visit),
  );

  get(`${ALL}/new`, (visit) => newPage(visit, {}, null));

  post(ALL, async (fields, visit) => {
    const { value: details, problems } = checkNewAsset(detailsOfFields(fields), paymailDomain);
    if (problems) return { again: newPage(visit, fields, problems) };
    try {
      const { id } = await createAsset(db, visit.viewer.user.id, details, now());
      return { to: `${ALL}/${id}`, flash: { notice: 'asset-created' } };
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'handle-taken')) throw error;
      return { again: newPage(visit, fields, { paymailAlias: ALIAS_TAKEN }) };
    }
  });

  get(ONE, async (visit) => assetPage(await assetOf(visit), visit, paymailDomain));

  get(`${ONE}/edit`, async (visit) => {
    const asset = await assetOf(visit);
    const form = { words: visit.words, values: fieldsOfAsset(asset), problems: null };
    return assetFormPage(asset, visit, form, paymailDomain);
  });

  post(`${ONE}/edit`, async (fields, visit) => {
    const asset = await assetOf(visit);
    const { value: changes, problems } = checkChangedAsset(changesOfFields(fields));
    if (problems)
      return { again: assetFormPage(asset, visit, { words: visit.words, values: fields, problems }, paymailDomain) };
    await changeAsset(db, visit.viewer.user.id, asset.id, changes, now());
    return { to: `${ALL}/${asset.id}`, flash: { notice: 'asset-saved' } };
  });

  get(`${ONE}/delete`, async (visit) => deleteAssetPage(await assetOf(visit), visit));

  post(`${ONE}/delete`, async (_fields, { viewer, request }) => {
    await deleteAsset(db, viewer.user.id, String(request.params.id));
    return { to: ALL, flash: { notice: 'asset-deleted' } };
  });
}
