/** The form for creating or editing an asset. */
import { MAX_DECIMALS } from '../../../../protocol/assets/bsv21/token.ts';
import type { StoredAsset } from '../../../assets/store.ts';
import { html, type Html } from '../../../page/html.ts';
import type { Page } from '../../../page/layout.ts';
import type { AssetTexts } from '../../../page/texts.ts';
import type { Fields } from '../../form.ts';
import type { Visit } from '../account-router.ts';
import { backLink, field, formToken, named, problemBanner, type FormState } from '../parts.ts';

export const fieldsOfAsset = ({ name, description, avatar }: StoredAsset): Fields => ({
  name,
  description,
  avatar: avatar ?? '',
});

/** Converts the editable fields to the API's request body. */
export const changesOfFields = ({ name = '', description = '', avatar = '' }: Fields) => ({
  name,
  description,
  avatar,
});

/** Converts all fields to the API's request body, with the supply in the smallest unit. */
export function detailsOfFields(fields: Fields): Record<string, unknown> {
  const { supply = '', url = '', paymailAlias = '' } = fields;
  const decimals = Number(fields.decimals ?? 0);
  return {
    ...changesOfFields(fields),
    initialSupply: unitsOf(supply.trim(), decimals) ?? '',
    decimals,
    url,
    paymailAlias,
    protocol: 'bsv-21',
  };
}

/** Converts an amount to the smallest unit: `12.5` with two decimals to `1250`. Null for an invalid number. */
function unitsOf(text: string, decimals: number): string | null {
  const [, whole, part = ''] = /^(\d{1,20})(?:[.,](\d{1,18}))?$/.exec(text) ?? [];
  if (whole === undefined || part.length > decimals) return null;
  return BigInt(whole + part.padEnd(decimals, '0')).toString();
}

const labelsOf = (t: AssetTexts['form']): Fields => ({
  name: t.name,
  description: t.about,
  avatar: t.avatar,
  initialSupply: t.supply,
  url: t.url,
  paymailAlias: t.alias,
});

function fixedFields(form: FormState, t: AssetTexts['form'], paymailDomain: string): Html {
  const chosen = form.values.decimals ?? '0';
  const options = Array.from({ length: MAX_DECIMALS + 1 }, (_, digits) => String(digits));
  // The API reports errors about the supply as `initialSupply`.
  const supply = { ...form, problems: form.problems && { supply: form.problems.initialSupply } };
  return html`
${field({ name: 'supply', label: t.supply, hint: t.supplyHint, most: 40, required: true }, supply)}
<div class="field">
<label class="label" for="decimals">${t.decimals}</label>
<select class="select" id="decimals" name="decimals" aria-describedby="decimals-hint">
${options.map((digits) => html`<option value="${digits}"${digits === chosen && html` selected`}>${digits}</option>\n`)}</select>
<p class="hint" id="decimals-hint">${t.decimalsHint}</p>
</div>
${field({ name: 'paymailAlias', label: t.alias, hint: t.aliasHint({ domain: paymailDomain }), most: 30 }, form)}
${field({ name: 'url', label: t.url, hint: t.urlHint, most: 500, type: 'url' }, form)}`;
}

/** Renders the form. @param asset null for a new asset */
export function assetFormPage(
  asset: StoredAsset | null,
  { viewer, words }: Visit,
  form: FormState,
  paymailDomain: string,
): Page {
  const t = words.texts.assets.form;
  const { notSaved, cancel } = words.texts.account.form;
  const title = asset ? t.titleEdit({ name: asset.name }) : t.titleNew;
  const path = asset ? `/account/assets/${asset.id}` : '/account/assets';
  return {
    title: form.problems ? notSaved({ title }) : title,
    description: t.description,
    section: 'assets',
    main: html`
<div class="stack stack-tight">
<p>${backLink(path, asset ? named(asset.name) : t.all, words)}</p>
<h1 class="title anywhere">${asset ? t.heading({ name: named(asset.name) }) : t.titleNew}</h1>
${!asset && html`<p class="lead">${t.lead}</p>`}
</div>
<form class="card stack" method="post" action="${asset ? `${path}/edit` : path}">
${problemBanner(form.problems, words, labelsOf(t))}
${formToken(viewer)}
${field({ name: 'name', label: t.name, hint: t.nameHint, most: 100, required: true }, form)}
${field({ name: 'description', label: t.about, most: 1000, rows: 3 }, form)}
${!asset && fixedFields(form, t, paymailDomain)}
${field({ name: 'avatar', label: t.avatar, hint: t.avatarHint, most: 500, type: 'url' }, form)}
<p class="cluster"><button class="button button-primary" type="submit">${asset ? t.save : t.create}</button><a class="button button-quiet" href="${path}">${cancel}</a></p>
</form>`,
  };
}
