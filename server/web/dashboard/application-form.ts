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
  redirectUri: 'Redirect address',
  webhookUrl: 'Webhook address',
  webhookBodySecret: 'Secret in that body',
};

function fields(form: FormState): Html {
  return html`
${field({ name: 'name', label: LABELS.name, hint: 'People see it when they are asked to allow something.', most: 60, required: true }, form)}
${field({ name: 'url', label: LABELS.url, hint: 'Where your application is, beginning with https://. People see it too.', most: 500, required: true, type: 'url' }, form)}
${field({ name: 'description', label: LABELS.description, hint: 'For yourself.', most: 500, rows: 3 }, form)}
${field({ name: 'redirectUri', label: LABELS.redirectUri, hint: 'Where people come back to after they allowed something (OAuth). Your application must name exactly this one.', most: 500, type: 'url' }, form)}
${field({ name: 'webhookUrl', label: LABELS.webhookUrl, hint: 'Is told of every payment made through your application, and of what comes in at your paymail.', most: 500, type: 'url' }, form)}
<details${(form.values.webhookWithSecret === 'yes' || form.problems?.webhookBodySecret !== undefined) && html` open`}><summary class="label">Webhooks for an older handler</summary>
<div class="stack stack-tight">
${tickBox({ name: 'webhookWithSecret', label: 'Send {secret, payment} instead of the signed body', hint: 'Only for a handler that expects it and cannot be changed. Whoever sees one such body knows the secret; the signed body, which other applications get, gives nothing away.' }, form)}
${field({ name: 'webhookBodySecret', label: LABELS.webhookBodySecret, hint: 'The one that your handler compares. One that is set already is not shown: leave this empty to keep it.', most: 200 }, form)}
</div></details>
<fieldset class="stack stack-tight"><legend class="label">Stricter sign-in</legend>
${tickBox({ name: 'requirePkce', label: 'Always demand PKCE', hint: 'Good for every application whose OAuth library has it: most do.' }, form)}
${tickBox({ name: 'requireSecret', label: 'Always demand the client secret', hint: 'Switch it on when your application runs on a server and sends its secret with every code: then a stolen code is worth nothing without it. Leave it off for pages and apps that run on their users’ machines, and for libraries that send no secret in this flow.' }, form)}
</fieldset>`;
}

/** The page with the form. @param application the one that changes; null for a new one */
export function applicationFormPage(application: Application | null, { viewer }: Visit, form: FormState): Page {
  const title = application ? `Change ${application.name}` : 'New application';
  const path = application ? `/account/applications/${application.id}` : '/account/applications';
  return {
    title: form.problems ? `Not saved: ${title}` : title,
    description: 'What an application is called, where it is, and how it is told of payments.',
    section: 'applications',
    main: html`
<div class="stack stack-tight">
<p><a class="link" href="${path}">← ${application ? named(application.name) : 'All applications'}</a></p>
<h1 class="title anywhere">${application ? html`Change ${named(application.name)}` : 'New application'}</h1>
${!application && html`<p class="lead">An application can ask people to sign in with this service, sees the payments made through it, and is told of them.</p>`}
</div>
<form class="card stack" method="post" action="${application ? `${path}/edit` : path}">
${problemBanner(form.problems, LABELS)}
${formToken(viewer)}
${fields(form)}
<p class="cluster"><button class="button button-primary">${application ? 'Save the changes' : 'Make the application'}</button><a class="button button-quiet" href="${path}">Cancel</a></p>
</form>`,
  };
}
