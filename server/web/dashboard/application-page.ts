/** One's own application: how to use it, its secrets, what it may see, its webhooks and payments. */
import type { Reach } from '../../applications/reach.ts';
import { hasSecret, signingSecrets, type Application } from '../../applications/store.ts';
import { USER_SCOPES } from '../../identity/scopes.ts';
import type { Sale } from '../../payments/sales.ts';
import type { EventView } from '../../webhooks/log.ts';
import type { Network } from '../../../protocol/address.ts';
import { html, type Html } from '../../page/html.ts';
import type { Page, Viewer } from '../../page/layout.ts';
import type { Visit } from './account-router.ts';
import type { Flash } from './flash.ts';
import { day, logoOf, moment, named, noticeBanner, siteLink } from './parts.ts';
import { salesList } from './sales-page.ts';
import { eventList, testEventForm } from './webhook-log.ts';

/** What the page shows in addition to the application itself. */
export interface ApplicationParts {
  reach: Reach;
  /** The latest few of each. */
  events: readonly EventView[];
  payments: readonly Sale[];
  baseUrl: string;
  network: Network;
  now: Date;
}

const people = (number: number) => (number === 1 ? '1 person' : `${number} people`);

/** New secrets, this once, and only where they are the application's: a forged cookie shows nothing. */
function secretsBanner(application: Application, flash: Flash | null): Html | null {
  const { clientSecret, webhookSecret } = flash ?? {};
  const shown = [
    clientSecret !== undefined && hasSecret(application, clientSecret) && ['Client secret', clientSecret],
    webhookSecret !== undefined && webhookSecret === application.webhookSecret && ['Webhook secret', webhookSecret],
  ].filter((one) => one !== false) as [string, string][];
  if (shown.length === 0) return null;
  return html`<section class="banner banner-warning stack" aria-labelledby="secrets">
<h2 class="banner-title subheading" id="secrets">Save ${shown.length === 1 ? 'this secret' : 'these secrets'}</h2>
<p>Copy ${shown.length === 1 ? 'it' : 'them'} to where your server keeps its secrets. You won’t see ${shown.length === 1 ? 'it' : 'them'} again.</p>
<dl class="stack stack-tight">${shown.map(([name, secret]) => html`<div><dt class="label">${name}</dt><dd class="mono whole secret">${secret}</dd></div>\n`)}</dl>
</section>`;
}

const identifiers = (
  { id, clientIdentifier, oauthIdentifier, redirectUri, requirePkce, requireSecret }: Application,
  baseUrl: string,
) => html`
<section class="card stack" aria-labelledby="use">
<h2 class="subheading" id="use">Credentials</h2>
<dl class="stack">
<div><dt class="label">Client identifier</dt><dd class="mono whole">${clientIdentifier}</dd><dd class="hint">Public. Goes on your buttons as <span class="mono">data-client-identifier</span>, and is the user name when your server signs in as itself (client credentials).</dd></div>
<div><dt class="label">OAuth identifier</dt><dd class="mono whole">${oauthIdentifier}</dd><dd class="hint">Public. The <span class="mono">client_id</span> for people to sign in with this service.</dd></div>
<div><dt class="label">Client secret</dt><dd>Shown once, when it was created. We only keep its hash.</dd><dd><a class="link" href="/account/applications/${id}/secret">Create a new client secret</a></dd></div>
<div><dt class="label">Redirect URL</dt>${redirectUri === null ? html`<dd>None yet. Without one, nobody can sign in. <a class="link" href="/account/applications/${id}/edit">Add one</a></dd>` : html`<dd class="mono anywhere">${redirectUri}</dd>`}</div>
<div><dt class="label">Required</dt><dd>${[requirePkce && 'PKCE', requireSecret && 'the client secret'].filter(Boolean).join(' and ') || 'Only what the standard requires'}</dd>${!requireSecret && html`<dd class="hint">A code can be redeemed without the client secret. If your application runs on a server that sends the secret every time, <a class="link" href="/account/applications/${id}/edit">require it</a>.</dd>`}</div>
<div><dt class="label">OAuth discovery</dt><dd class="mono anywhere">${baseUrl}/.well-known/oauth-authorization-server</dd><dd><a class="link" href="/api/reference">API reference</a></dd></div>
</dl>
</section>`;

function webhooks(application: Application, events: Html | null, viewer: Viewer, now: Date): Html {
  const { id, webhookUrl, webhookBodySecret, previousWebhookSecretUntil: until } = application;
  const rotating = until !== null && signingSecrets(application, now).length > 1;
  return html`<section class="stack" aria-labelledby="webhooks">
<h2 class="heading" id="webhooks">Webhooks</h2>
<div class="card stack">
${
  webhookUrl === null
    ? html`<p>Get notified on your server of every payment made through this application. <a class="link" href="/account/applications/${id}/edit">Add a webhook URL</a></p>`
    : html`<dl class="stack"><div><dt class="label">Sent to</dt><dd class="mono anywhere">${webhookUrl}</dd></div>
<div><dt class="label">Webhook secret</dt><dd>Signs every event (Standard Webhooks), so your server can verify that it came from us.</dd>${rotating && html`<dd>Until ${moment(until)}, events are signed with the old secret as well. <a class="link" href="/account/applications/${id}/webhook-secret-previous">Expire it now</a></dd>`}<dd><a class="link" href="/account/applications/${id}/webhook-secret">Rotate the webhook secret</a></dd></div>
${webhookBodySecret !== null && html`<div><dt class="label">Body</dt><dd><span class="mono">{secret, payment}</span>, with the secret you chose. Change your handler to check the signature as soon as you can: anyone who sees one body can forge the next.</dd></div>`}</dl>
${testEventForm(application, viewer)}`
}
</div>
${events}
</section>`;
}

function reachSection({ people: number, scopes }: Reach): Html {
  const words = (scope: string) =>
    Object.hasOwn(USER_SCOPES, scope)
      ? USER_SCOPES[scope as keyof typeof USER_SCOPES].replace(/\byour\b/g, 'their').replace(/\byou\b/g, 'them')
      : scope;
  return html`<section class="stack" aria-labelledby="reach">
<h2 class="heading" id="reach">Access</h2>
<div class="card stack stack-tight">
<p>It can see all payments made through it${number === 0 ? '. Nobody has given it more access yet.' : html`, and what ${people(number)} allowed:`}</p>
${scopes.length > 0 && html`<ul class="checklist">${scopes.map((one) => html`<li>${people(one.people)}: can ${words(one.scope)}</li>\n`)}</ul>`}
</div>
</section>`;
}

/** GET /account/applications/{id} */
export function applicationPage(
  application: Application,
  { reach, events, payments, baseUrl, network, now }: ApplicationParts,
  { viewer, flash }: Visit,
): Page {
  const path = `/account/applications/${application.id}`;
  const log =
    events.length > 0 &&
    html`${eventList(events, application, viewer)}
<p><a class="link" href="${path}/webhooks">See all events</a></p>`;
  return {
    title: application.name,
    description: 'One of your applications.',
    section: 'applications',
    main: html`
${noticeBanner(flash)}
${secretsBanner(application, flash)}
<div class="stack stack-tight">
<p><a class="link" href="/account/applications">← All applications</a></p>
<div class="with-logo">${logoOf(application)}<h1 class="title anywhere">${named(application.name)}</h1></div>
<p>${siteLink(application.url)}</p>
${application.description !== '' && html`<p class="lead described">${application.description}</p>`}
<p class="muted small">Created ${day(application.createdAt)}</p>
<p class="cluster"><a class="button" href="${path}/edit">Edit</a><a class="button button-quiet" href="${path}/logo">${application.logo === null ? 'Add a logo' : 'Change the logo'}</a></p>
</div>
${identifiers(application, baseUrl)}
${reachSection(reach)}
${webhooks(application, log || null, viewer, now)}
<section class="stack" aria-labelledby="payments">
<h2 class="heading" id="payments">Payments</h2>
${
  payments.length === 0
    ? html`<div class="card empty"><p>No payments yet.</p><p>Add the client identifier to your buttons: <span class="mono anywhere">data-client-identifier="${application.clientIdentifier}"</span></p></div>`
    : html`${salesList(payments)}<p><a class="link" href="${path}/payments">See all payments</a></p>`
}
${network === 'devnet' && html`<p><a class="button" href="${path}/test-payment">Make a test payment</a></p>`}
</section>
<section class="card stack stack-tight" aria-labelledby="delete">
<h2 class="subheading" id="delete">Delete this application</h2>
<p class="muted">We’ll ask you to confirm first.</p>
<p><a class="button button-quiet" href="${path}/delete">Delete…</a></p>
</section>`,
  };
}
