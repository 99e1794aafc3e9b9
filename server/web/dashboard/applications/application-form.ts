/** The form for creating or editing an application. */
import type { Application } from '../../../applications/store.ts';
import type { Fields } from '../../form.ts';
import { html, type Html } from '../../../page/html.ts';
import type { Page } from '../../../page/layout.ts';
import type { ApplicationTexts } from '../../../page/texts.ts';
import type { Visit } from '../account-router.ts';
import { backLink, field, formToken, named, problemBanner, tickBox, type FormState } from '../parts.ts';

export function fieldsOfApplication({
  name,
  url,
  description,
  redirectUri,
  webhookUrl,
  webhookBodySecret,
  requirePkce,
  requireSecret,
}: Application): Fields {
  return {
    webhookWithSecret: webhookBodySecret === null ? '' : 'yes',
    name,
    url,
    description,
    redirectUri: redirectUri ?? '',
    webhookUrl: webhookUrl ?? '',
    requirePkce: requirePkce ? 'yes' : '',
    requireSecret: requireSecret ? 'yes' : '',
  };
}

/**
 * Converts form fields to the API's request body.
 * @param before the existing application, or null; its webhook secret is kept if the field is empty
 */
export function detailsOfFields(
  {
    name = '',
    url = '',
    description = '',
    redirectUri = '',
    webhookUrl = '',
    webhookWithSecret,
    webhookBodySecret = '',
    requirePkce,
    requireSecret,
  }: Fields,
  before: Application | null,
): Record<string, unknown> {
  const keeps = webhookBodySecret === '' && before !== null && before.webhookBodySecret !== null;
  return {
    ...(webhookWithSecret === 'yes' ? !keeps && { webhookBodySecret } : { webhookBodySecret: null }),
    name,
    url: url.trim(),
    description,
    redirectUri: redirectUri.trim(),
    webhookUrl: webhookUrl.trim(),
    requirePkce: requirePkce === 'yes',
    requireSecret: requireSecret === 'yes',
  };
}

const labelsOf = (t: ApplicationTexts['form']) => ({
  name: t.name,
  url: t.url,
  description: t.about,
  redirectUri: t.redirectUri,
  webhookUrl: t.webhookUrl,
  webhookBodySecret: t.bodySecret,
});

function fields(form: FormState, isShop: boolean): Html {
  const t = form.words.texts.applications.form;
  const label = labelsOf(t);
  return html`
${field({ name: 'name', label: label.name, hint: t.nameHint, most: 60, required: true }, form)}
${field({ name: 'url', label: label.url, hint: t.urlHint, most: 500, required: true, type: 'url' }, form)}
${field({ name: 'description', label: label.description, hint: t.aboutHint, most: 500, rows: 3 }, form)}
${field({ name: 'webhookUrl', label: label.webhookUrl, hint: t.webhookUrlHint, most: 500, type: 'url' }, form)}
<details${(form.values.webhookWithSecret === 'yes' || form.problems?.webhookBodySecret !== undefined) && html` open`}><summary class="label">${t.olderHandler}</summary>
<div class="stack stack-tight">
${tickBox({ name: 'webhookWithSecret', label: t.withSecret({ body: html`<bdi>{secret, payment}</bdi>` }), hint: t.withSecretHint }, form)}
${field({ name: 'webhookBodySecret', label: label.webhookBodySecret, hint: t.bodySecretHint, most: 200 }, form)}
</div></details>
<details${(!isShop || form.problems?.redirectUri !== undefined) && html` open`}><summary class="label">${t.signIn}</summary>
<div class="stack">
${field({ name: 'redirectUri', label: label.redirectUri, hint: t.redirectUriHint, most: 500, type: 'url' }, form)}
<fieldset class="stack stack-tight"><legend class="label">${t.stricter}</legend>
${tickBox({ name: 'requirePkce', label: t.requirePkce, hint: t.requirePkceHint }, form)}
${tickBox({ name: 'requireSecret', label: t.requireSecret, hint: t.requireSecretHint }, form)}
</fieldset>
</div></details>
${isShop && html`<input type="hidden" name="shop" value="yes">`}`;
}

/**
 * Renders the form. For merchants who come from their sales page, the sign-in fields are collapsed.
 * @param application null for a new application
 */
export function applicationFormPage(
  application: Application | null,
  { viewer, request, words }: Visit,
  form: FormState,
): Page {
  const { form: t, shops } = words.texts.applications;
  const isShop = application === null && (request.query.shop === 'yes' || form.values.shop === 'yes');
  const { notSaved, cancel } = words.texts.account.form;
  const title = application ? t.titleEdit({ name: application.name }) : isShop ? shops.create : t.titleNew;
  const path = application ? `/account/applications/${application.id}` : '/account/applications';
  const back = isShop ? '/account/sales' : path;
  return {
    title: form.problems ? notSaved({ title }) : title,
    description: t.description,
    section: isShop ? 'sales' : 'applications',
    main: html`
<div class="stack stack-tight">
<p>${backLink(back, application ? named(application.name) : isShop ? shops.title : t.all, words)}</p>
<h1 class="title anywhere">${application ? t.heading({ name: named(application.name) }) : title}</h1>
${!application && html`<p class="lead">${isShop ? shops.noneText : t.lead}</p>`}
</div>
<form class="card stack" method="post" action="${application ? `${path}/edit` : path}">
${problemBanner(form.problems, words, labelsOf(t))}
${formToken(viewer)}
${fields(form, isShop)}
<p class="cluster"><button class="button button-primary" type="submit">${application ? t.save : isShop ? shops.create : t.create}</button><a class="button button-quiet" href="${back}">${cancel}</a></p>
</form>`,
  };
}
