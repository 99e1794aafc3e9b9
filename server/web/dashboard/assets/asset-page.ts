/** The user's own assets: the list, and each asset's page. */
import { MAX_ASSETS, type AssetState } from '../../../../protocol/assets/assets.ts';
import { decimalText } from '../../../../protocol/money/money.ts';
import type { StoredAsset } from '../../../assets/store.ts';
import { numberText, type Written } from '../../../page/figures.ts';
import { html, type Html } from '../../../page/html.ts';
import type { Page } from '../../../page/layout.ts';
import type { Words } from '../../../page/page-locale.ts';
import type { Visit } from '../account-router.ts';
import { backLink, day, formToken, named, noticeBanner, siteLink } from '../parts.ts';

const BADGES: Record<AssetState, string> = { pending: '', minting: 'badge-accent', minted: 'badge-success' };
const stateBadge = (state: AssetState, { texts }: Words) =>
  html`<span class="badge ${BADGES[state]}">${texts.assets.states[state]}</span>`;

const supplyOf = ({ supply, decimals }: StoredAsset, { language }: Words) =>
  numberText(decimalText(supply, decimals) as Written, language);

/** Renders GET /account/assets. */
export function assetsPage(assets: readonly StoredAsset[], visit: Visit): Page {
  const { words } = visit;
  const t = words.texts.assets.list;
  const full = assets.length >= MAX_ASSETS;
  const create = html`<p><a class="button button-primary" href="/account/assets/new">${t.create}</a></p>`;
  return {
    title: t.title,
    description: t.description,
    section: 'assets',
    main: html`
${noticeBanner(visit)}
<div class="stack stack-tight">
<h1 class="title">${t.heading}</h1>
<p class="lead">${t.lead}</p>
${assets.length > 0 && !full && create}
${full && html`<p class="banner banner-info">${t.full({ most: MAX_ASSETS })}</p>`}
</div>
${
  assets.length === 0
    ? html`<div class="card empty"><p>${t.none}</p><p>${t.noneText}</p>${create}</div>`
    : html`<ul class="card card-flush list">${assets.map((asset) => html`<li><a class="list-row" href="/account/assets/${asset.id}"><span class="list-main"><span class="list-title anywhere">${named(asset.name)}</span><span class="list-note anywhere">${stateBadge(asset.state, words)} <bdi>${supplyOf(asset, words)}</bdi> · <bdi>${asset.paymailAlias}</bdi></span></span><span class="list-aside" aria-hidden="true">›</span></a></li>\n`)}</ul>`
}`,
  };
}

/** Shows the minting state, or the button to mint (assets/mint.js) if there is no token yet. */
function mintSection({ id, state }: StoredAsset, { texts }: Words): Html | null {
  const { one: t, mint } = texts.assets;
  if (state === 'minted') return null;
  if (state === 'minting') return html`<p class="banner banner-info">${t.mintingText}</p>`;
  return html`<section class="card stack stack-tight" aria-labelledby="mint" data-mint-texts="${JSON.stringify(mint)}">
<h2 class="subheading" id="mint">${t.mintTitle}</h2>
<p>${t.mintText}</p>
<noscript><p class="banner banner-warning">${t.noScript}</p></noscript>
<p><button type="button" class="button button-primary" data-asset-id="${id}" data-mint>${t.mint}</button></p>
<div role="status" data-mint-message></div>
</section>`;
}

/** Renders GET /account/assets/{id}. */
export function assetPage(asset: StoredAsset, visit: Visit, paymailDomain: string): Page {
  const { words } = visit;
  const t = words.texts.assets.one;
  const { id, name, description, avatar, url, state, tokenId, paymailAlias, createdAt } = asset;
  const path = `/account/assets/${id}`;
  return {
    title: name,
    description: t.description,
    section: 'assets',
    scripts: state === 'pending' ? ['/assets/ask-wallet.js', '/assets/mint.js'] : [],
    // Reloads until the token is mined.
    refreshSeconds: state === 'minting' ? 10 : undefined,
    main: html`
${noticeBanner(visit)}
<div class="stack stack-tight">
<p>${backLink('/account/assets', words.texts.assets.form.all, words)}</p>
<h1 class="title anywhere">${named(name)}</h1>
<p class="cluster">${stateBadge(state, words)} <span class="muted">${t.created({ day: day(createdAt, words) })}</span></p>
${description !== '' && html`<p class="described"><bdi>${description}</bdi></p>`}
<p class="cluster"><a class="button" href="${path}/edit">${t.edit}</a>${state === 'pending' && html`<a class="button button-quiet" href="${path}/delete">${t.delete}</a>`}</p>
</div>
${mintSection(asset, words)}
<section class="card stack" aria-labelledby="details">
<h2 class="subheading" id="details">${t.details}</h2>
<dl class="facts">
<dt>${t.supply}</dt><dd class="anywhere"><bdi>${supplyOf(asset, words)}</bdi></dd>
<dt>Paymail</dt><dd class="mono whole">${paymailAlias}@${paymailDomain}</dd>
<dt>${t.assetId}</dt><dd class="mono whole">${id}</dd>
${tokenId !== null && html`<dt>${t.tokenId}</dt><dd class="mono whole">${tokenId}</dd>\n`}${url !== null && html`<dt>${t.site}</dt><dd>${siteLink(url)}</dd>\n`}${avatar !== null && html`<dt>${t.picture}</dt><dd class="anywhere"><bdi>${avatar}</bdi></dd>\n`}</dl>
</section>`,
  };
}

/** Renders GET /account/assets/{id}/delete. */
export function deleteAssetPage({ id, name }: StoredAsset, { viewer, words }: Visit): Page {
  const t = words.texts.assets.delete;
  const path = `/account/assets/${id}`;
  return {
    title: t.title,
    description: words.texts.assets.one.description,
    section: 'assets',
    main: html`
<div class="stack stack-tight">
<p>${backLink(path, named(name), words)}</p>
<h1 class="title">${t.title}</h1>
<p class="lead anywhere">${named(name)}</p>
</div>
<form class="card stack" method="post" action="${path}/delete">
<ul class="stack stack-tight bulleted">${t.consequences.map((consequence) => html`<li>${consequence}</li>\n`)}</ul>
${formToken(viewer)}
<p class="cluster"><button class="button button-danger" type="submit">${t.button}</button><a class="button button-quiet" href="${path}">${words.texts.account.form.cancel}</a></p>
</form>`,
  };
}
