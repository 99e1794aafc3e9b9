import type { Reach } from '../../../applications/reach.ts';
import { hasSecret, signingSecrets, type Application } from '../../../applications/store.ts';
import type { Sale } from '../../../payments/sales/sales.ts';
import type { EventView } from '../../../webhooks/log.ts';
import type { Network } from '../../../../protocol/bitcoin/address.ts';
import { html, type Html } from '../../../page/html.ts';
import type { Page } from '../../../page/layout.ts';
import type { Words } from '../../../page/page-locale.ts';
import type { Visit } from '../account-router.ts';
import { backLink, day, logoOf, moment, named, noticeBanner, siteLink, translated } from '../parts.ts';
import { buttonCode } from '../sales/sales-overview.ts';
import { salesList } from '../sales/sales-page.ts';
import { eventList, noWebhookUrl, testEventForm } from './webhook-log.ts';

export interface ApplicationParts {
  reach: Reach;
  events: readonly EventView[];
  payments: readonly Sale[];
  baseUrl: string;
  network: Network;
  now: Date;
}

/** Shows new secrets once, and only if they belong to the application, because the flash cookie could be forged. */
function secretsBanner(application: Application, { flash, words }: Visit): Html | null {
  const t = words.texts.applications.one;
  const { clientSecret, webhookSecret } = flash ?? {};
  const shown = [
    clientSecret !== undefined && hasSecret(application, clientSecret) && [t.clientSecret, clientSecret],
    webhookSecret !== undefined && webhookSecret === application.webhookSecret && [t.webhookSecret, webhookSecret],
  ].filter((one) => one !== false) as [string, string][];
  if (shown.length === 0) return null;
  return html`<section class="banner banner-warning stack" aria-labelledby="secrets">
<h2 class="banner-title subheading" id="secrets">${shown.length === 1 ? t.saveSecret : t.saveSecrets}</h2>
<p>${shown.length === 1 ? t.saveSecretText : t.saveSecretsText}</p>
<dl class="stack stack-tight">${shown.map(([name, secret]) => html`<div><dt class="label">${name}</dt><dd class="mono whole secret">${secret}</dd></div>\n`)}</dl>
</section>`;
}

const mono = (text: string) => html`<span class="mono">${text}</span>`;

/** Shows the application's button as HTML to paste. copy-code.js adds a copy button. */
function ownButton(application: Application, baseUrl: string, { viewer, words }: Visit): Html {
  const t = words.texts.applications.shops;
  return html`<section class="card stack" aria-labelledby="button">
<h2 class="subheading" id="button">${t.code}</h2>
<p>${t.buttonText}</p>
<div class="well code-frame">
<div class="row code-head"><span class="small muted">HTML</span></div>
<pre class="code" dir="ltr" tabindex="0" role="group" aria-label="${t.code}"><code>${buttonCode(baseUrl, viewer.paymail, application)}</code></pre>
</div>
</section>`;
}

/** Shows the identifiers and client secret, used only for sign-in and the API. Expanded if sign-in is used. */
const identifiers = (
  { id, clientIdentifier, oauthIdentifier, redirectUri, requirePkce, requireSecret }: Application,
  baseUrl: string,
  { one: t }: Words['texts']['applications'],
) => html`
<details class="card stack"${redirectUri !== null && html` open`}><summary class="subheading">${t.credentials}</summary>
<dl class="stack">
<div><dt class="label">${t.clientIdentifier}</dt><dd class="mono whole">${clientIdentifier}</dd><dd class="hint">${t.clientIdentifierText({ attribute: mono('data-client-identifier') })}</dd></div>
<div><dt class="label">${t.oauthIdentifier}</dt><dd class="mono whole">${oauthIdentifier}</dd><dd class="hint">${t.oauthIdentifierText({ parameter: mono('client_id') })}</dd></div>
<div><dt class="label">${t.clientSecret}</dt><dd>${t.clientSecretText}</dd><dd><a class="link" href="/account/applications/${id}/secret">${t.newClientSecret}</a></dd></div>
<div><dt class="label">${t.redirectUrl}</dt>${redirectUri === null ? html`<dd>${t.noRedirectUrl} <a class="link" href="/account/applications/${id}/edit">${t.addOne}</a></dd>` : html`<dd class="mono anywhere">${redirectUri}</dd>`}</div>
<div><dt class="label">${t.required}</dt><dd>${requirePkce ? (requireSecret ? t.requiredBoth : t.requiredPkce) : requireSecret ? t.requiredSecret : t.requiredNothing}</dd>${!requireSecret && html`<dd class="hint">${t.secretOptional({ link: (text) => html`<a class="link" href="/account/applications/${id}/edit">${text}</a>` })}</dd>`}</div>
<div><dt class="label">${t.discovery}</dt><dd class="mono anywhere">${baseUrl}/.well-known/oauth-authorization-server</dd><dd><a class="link" href="/api/reference">${t.reference}</a></dd></div>
</dl>
</details>`;

function webhooks(application: Application, events: Html | null, visit: Visit, now: Date): Html {
  const { words } = visit;
  const { webhooks: t, one } = words.texts.applications;
  const { id, webhookUrl, webhookBodySecret, previousWebhookSecretUntil: until } = application;
  const rotating = until !== null && signingSecrets(application, now).length > 1;
  return html`<section class="stack" aria-labelledby="webhooks">
<h2 class="heading" id="webhooks">${t.heading}</h2>
<div class="card stack">
${
  webhookUrl === null
    ? noWebhookUrl(application, words.texts.applications)
    : html`<dl class="stack"><div><dt class="label">${t.sentTo}</dt><dd class="mono anywhere">${webhookUrl}</dd></div>
<div><dt class="label">${one.webhookSecret}</dt><dd>${t.secretText}</dd>${rotating && html`<dd>${t.rotating({ time: moment(until, words) })} <a class="link" href="/account/applications/${id}/webhook-secret-previous">${t.expireNow}</a></dd>`}<dd><a class="link" href="/account/applications/${id}/webhook-secret">${t.rotate}</a></dd></div>
${webhookBodySecret !== null && html`<div><dt class="label">${t.body}</dt><dd>${t.bodyText({ body: mono('{secret, payment}') })}</dd></div>`}</dl>
${testEventForm(application, visit)}`
}
</div>
${events}
</section>`;
}

function reachSection({ people, scopes }: Reach, { one: t }: Words['texts']['applications']): Html {
  return html`<section class="stack" aria-labelledby="reach">
<h2 class="heading" id="reach">${t.access}</h2>
<div class="card stack stack-tight">
<p>${people === 0 ? t.ownAccess : t.accessOf({ count: people })}</p>
${scopes.length > 0 && html`<ul class="checklist">${scopes.map((one) => html`<li>${t.people({ count: one.people })}: ${translated(one.scope, t.scopes)}</li>\n`)}</ul>`}
</div>
</section>`;
}

/** Renders GET /account/applications/{id}. */
export function applicationPage(
  application: Application,
  { reach, events, payments, baseUrl, network, now }: ApplicationParts,
  visit: Visit,
): Page {
  const { words } = visit;
  const { one: t, webhooks: w } = words.texts.applications;
  const path = `/account/applications/${application.id}`;
  const log =
    events.length > 0 &&
    html`${eventList(events, application, visit)}
<p><a class="link" href="${path}/webhooks">${w.seeAll}</a></p>`;
  return {
    title: application.name,
    description: t.description,
    section: 'applications',
    scripts: ['/assets/copy-code.js'],
    main: html`
${noticeBanner(visit)}
${secretsBanner(application, visit)}
<div class="stack stack-tight">
<p>${backLink('/account/applications', words.texts.applications.form.all, words)}</p>
<div class="with-logo">${logoOf(application)}<h1 class="title anywhere">${named(application.name)}</h1></div>
<p>${siteLink(application.url)}</p>
${application.description !== '' && html`<p class="lead described"><bdi>${application.description}</bdi></p>`}
<p class="muted small">${t.created({ day: day(application.createdAt, words) })}</p>
<p class="cluster"><a class="button" href="${path}/edit">${t.edit}</a><a class="button button-quiet" href="${path}/logo">${application.logo === null ? t.addLogo : t.changeLogo}</a></p>
</div>
${ownButton(application, baseUrl, visit)}
${identifiers(application, baseUrl, words.texts.applications)}
${(reach.people > 0 || application.redirectUri !== null) && reachSection(reach, words.texts.applications)}
${webhooks(application, log || null, visit, now)}
<section class="stack" aria-labelledby="payments">
<h2 class="heading" id="payments">${words.texts.applications.sales.heading}</h2>
${
  payments.length === 0
    ? html`<div class="card empty"><p>${t.noPayments}</p><p>${words.texts.applications.shops.noSalesText}</p></div>`
    : html`${salesList(payments, words)}<p><a class="link" href="${path}/payments">${t.seeAllPayments}</a></p>`
}
${network === 'devnet' && html`<p><a class="button" href="${path}/test-payment">${t.testPayment}</a></p>`}
</section>
<section class="card stack stack-tight" aria-labelledby="delete">
<h2 class="subheading" id="delete">${t.delete}</h2>
<p class="muted">${t.deleteText}</p>
<p><a class="button button-quiet" href="${path}/delete">${t.deleteLink}</a></p>
</section>`,
  };
}
