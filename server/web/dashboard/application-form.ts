/** The form in which an application is described, for a new one and for one that changes. */
import type { Application } from '../../applications/store.ts';
import type { Fields } from '../form.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page } from '../../page/layout.ts';
import type { Visit } from './account-router.ts';
import { field, formToken, named, problemBanner, tickBox, type FormState } from './parts.ts';

/** What the form says of an application that is there. */
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
 * The form's fields in the form of the API's body.
 * @param before the application that changes: the secret in its webhooks' body, which is not shown, stays where none is
 * given
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

const LABELS = {
  name: 'Name',
  url: 'Site',
  description: 'Description',
  redirectUri: 'Redirect URL',
  webhookUrl: 'Webhook URL',
  webhookBodySecret: 'Secret in the body',
};

function fields(form: FormState): Html {
  return html`
${field({ name: 'name', label: LABELS.name, hint: 'People see it when your application asks for access.', most: 60, required: true }, form)}
${field({ name: 'url', label: LABELS.url, hint: 'Your application’s address, starting with https://. People see this too.', most: 500, required: true, type: 'url' }, form)}
${field({ name: 'description', label: LABELS.description, hint: 'Only you see this.', most: 500, rows: 3 }, form)}
${field({ name: 'redirectUri', label: LABELS.redirectUri, hint: 'Where people return after allowing access (OAuth). Your application must send exactly this URL.', most: 500, type: 'url' }, form)}
${field({ name: 'webhookUrl', label: LABELS.webhookUrl, hint: 'Receives an event for every payment made through your application, and for payments to your paymail.', most: 500, type: 'url' }, form)}
<details${(form.values.webhookWithSecret === 'yes' || form.problems?.webhookBodySecret !== undefined) && html` open`}><summary class="label">Webhooks for an older handler</summary>
<div class="stack stack-tight">
${tickBox({ name: 'webhookWithSecret', label: 'Send {secret, payment} instead of the signed body', hint: 'Only for a handler that expects this and can’t be changed. Anyone who sees one such body knows the secret; a signed body gives nothing away.' }, form)}
${field({ name: 'webhookBodySecret', label: LABELS.webhookBodySecret, hint: 'The one your handler checks. A secret you’ve already set isn’t shown: leave this empty to keep it.', most: 200 }, form)}
</div></details>
<fieldset class="stack stack-tight"><legend class="label">Stricter sign-in</legend>
${tickBox({ name: 'requirePkce', label: 'Require PKCE', hint: 'Recommended if your OAuth library supports it. Most do.' }, form)}
${tickBox({ name: 'requireSecret', label: 'Require the client secret', hint: 'Turn this on if your application runs on a server and sends its secret with every code: a stolen code is then useless without it. Leave it off for pages and apps that run on users’ devices, and for libraries that don’t send a secret in this flow.' }, form)}
</fieldset>`;
}

/** The page with the form. @param application the one that changes; null for a new one */
export function applicationFormPage(application: Application | null, { viewer }: Visit, form: FormState): Page {
  const title = application ? `Edit ${application.name}` : 'New application';
  const path = application ? `/account/applications/${application.id}` : '/account/applications';
  return {
    title: form.problems ? `Not saved: ${title}` : title,
    description: 'The application’s name, address and webhooks.',
    section: 'applications',
    main: html`
<div class="stack stack-tight">
<p><a class="link" href="${path}">← ${application ? named(application.name) : 'All applications'}</a></p>
<h1 class="title anywhere">${application ? html`Edit ${named(application.name)}` : 'New application'}</h1>
${!application && html`<p class="lead">An application lets people sign in with this service, and lets you see and get notified of the payments made through it.</p>`}
</div>
<form class="card stack" method="post" action="${application ? `${path}/edit` : path}">
${problemBanner(form.problems, LABELS)}
${formToken(viewer)}
${fields(form)}
<p class="cluster"><button class="button button-primary">${application ? 'Save changes' : 'Create application'}</button><a class="button button-quiet" href="${path}">Cancel</a></p>
</form>`,
  };
}
